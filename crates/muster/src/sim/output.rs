//! Where the figures of a command go: to a file of JSON, into a report, or nowhere but the screen.
//! A file is written as a whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;

/// What is written besides the table.
#[derive(Debug, Args)]
pub(super) struct Output {
    /// Write the figures to this file as JSON instead of a table; - for standard output
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,

    /// Write a report that people can read in a browser: one file of HTML
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,

    /// What a GPU costs for an hour, for the report [default: what the cluster says]
    #[arg(long, value_name = "PRICE")]
    price: Option<f64>,
}

impl Output {
    /// Refuses what could not be written, before anything runs for an hour.
    pub(super) fn check(&self) -> Result<()> {
        let files = [self.json.as_deref().filter(|path| !is_stdout(path)), self.report.as_deref()];
        files.into_iter().flatten().try_for_each(check)?;
        if self.report.as_deref().is_some_and(is_stdout) {
            bail!("a report is written to a file\nhint: name one that ends with .html");
        }
        if let Some(price) = self.price.filter(|price| !price.is_finite() || *price < 0.0) {
            bail!("a price cannot be {price}\nhint: expected a number such as 2.50");
        }
        if self.price.is_some() && self.report.is_none() {
            bail!("a price is only used in a report\nhint: add --report OUT.html");
        }
        Ok(())
    }

    pub(super) fn wants_report(&self) -> bool {
        self.report.is_some()
    }

    pub(super) fn price(&self) -> Option<f64> {
        self.price
    }

    /// Writes what was asked for; the table is printed unless the figures go elsewhere.
    pub(super) fn write(
        &self,
        figures: &impl Serialize,
        table: impl FnOnce() -> String,
        report: impl FnOnce() -> String,
    ) -> Result<()> {
        if let Some(path) = &self.report {
            write(path, &report())?;
        }
        let Some(path) = &self.json else {
            print!("{}", table());
            return Ok(());
        };
        let text = serde_json::to_string_pretty(figures)? + "\n";
        if is_stdout(path) {
            print!("{text}");
            return Ok(());
        }
        write(path, &text)
    }
}

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file can probably be written there.
pub(super) fn check(path: &Path) -> Result<()> {
    let folder = folder(path);
    if path.is_dir() {
        bail!("cannot write {}: it is a folder\nhint: name a file in it", path.display());
    }
    if !folder.is_dir() {
        let folder = folder.display();
        bail!("cannot write {}: there is no folder {folder}\nhint: make it first", path.display());
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file beside the one that is meant and then puts it in its place, so that whoever
/// looks finds all of it or what was there before.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let message = || {
        let hint = "hint: is there room, and may you write there?";
        format!("cannot write {}\n{hint}", path.display())
    };
    check(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder(path).join(format!(".{name}.{}.part", std::process::id()));
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // Best effort: what failed is told already.
        let _ = fs::remove_file(&beside);
    }
    written.with_context(message)
}
