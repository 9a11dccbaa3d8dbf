//! `muster policy`: what a cluster is configured with, shown, compared and changed as TOML.

mod difference;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand};
use muster_api::settings::{self, Mistake};
use muster_model::ClusterSpec;
use serde_json::json;

use super::connect::Connect;
use super::print;
use difference::{Difference, differences};

/// Show, compare and change what the cluster is configured with: levels, classes, queues, policy
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster policy show > cluster.toml
  muster policy diff cluster.toml
  muster policy apply cluster.toml")]
pub(crate) struct Policy {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print it as TOML
    Show(Show),
    /// Say what a file would change
    Diff(Diff),
    /// Change it to what a file says; what the file leaves out takes its default
    Apply(Diff),
}

#[derive(Debug, Args)]
struct Show {
    /// Print JSON instead
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

#[derive(Debug, Args)]
struct Diff {
    /// The file, as TOML; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print the changes as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Policy {
    pub(crate) async fn run(&self) -> Result<()> {
        match &self.what {
            What::Show(show) => show.run().await,
            What::Diff(diff) => diff.run(false).await,
            What::Apply(diff) => diff.run(true).await,
        }
    }
}

impl Show {
    async fn run(&self) -> Result<()> {
        let spec = self.connect.client()?.policy().await?;
        if self.json {
            return print::json(&spec);
        }
        print::text(&settings::write(&spec).context("cannot write the policy as TOML")?)
    }
}

impl Diff {
    async fn run(&self, apply: bool) -> Result<()> {
        let wanted = read(&self.file)?;
        let client = self.connect.client()?;
        let changes = differences(&client.policy().await?, &wanted, !self.json)?;
        if apply && !changes.is_empty() {
            client.set_policy(&wanted).await?;
        }
        if self.json {
            return print::json(&changes.iter().map(as_json).collect::<Vec<_>>());
        }
        changes.iter().try_for_each(|change| print::text(&change.to_string()))?;
        match (changes.is_empty(), apply) {
            (true, _) => eprintln!("nothing differs"),
            (false, true) => eprintln!("applied"),
            (false, false) => {}
        }
        Ok(())
    }
}

/// Reads a file and finds everything that is wrong with it before the server has to.
fn read(path: &Path) -> Result<ClusterSpec> {
    let text = if path == Path::new("-") {
        io::read_to_string(io::stdin()).context("cannot read the policy on standard input")?
    } else {
        fs::read_to_string(path)
            .with_context(|| format!("cannot read the policy {}", path.display()))?
    };
    let check = |spec: &ClusterSpec| spec.validate().err().unwrap_or_default();
    settings::read(&text, check).map_err(|mistakes| {
        let lines: Vec<String> = mistakes.iter().map(Mistake::to_string).collect();
        anyhow!("{} cannot be used:\n{}", path.display(), lines.join("\n"))
    })
}

fn as_json(change: &Difference) -> serde_json::Value {
    json!({ "path": change.path, "from": change.from, "to": change.to })
}
