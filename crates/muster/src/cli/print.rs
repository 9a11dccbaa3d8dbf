//! The way to standard output: data only, and no complaint when the reader has left.

use std::io::{self, ErrorKind, Write};

use anyhow::{Context, Result};
use serde::Serialize;

use super::show::table::{self, Table};

/// Prints text as it is.
pub(crate) fn text(text: &str) -> Result<()> {
    bytes(text.as_bytes())
}

/// Prints bytes as they are, at once.
pub(crate) fn bytes(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    written(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Prints bytes to standard error, at once: for what tasks write there.
pub(crate) fn error_bytes(bytes: &[u8]) -> Result<()> {
    written(io::stderr().lock().write_all(bytes))
}

/// Prints one value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(value).context("cannot write this as JSON")?;
    text(&format!("{line}\n"))
}

/// Prints a list: as one line of JSON, or as the table that is made of it.
pub(crate) fn list<T: Serialize>(
    is_json: bool,
    list: &[T],
    of: impl Fn(&[T]) -> Table,
) -> Result<()> {
    match is_json {
        true => json(&list),
        false => text(&of(list).text(table::width())),
    }
}

fn written(result: io::Result<()>) -> Result<()> {
    match result {
        // `muster jobs | head` is no mistake: whoever read has had enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.context("cannot write the output"),
    }
}
