//! The stores on SQLite: one file each in a data directory, with write-ahead logging, so that they
//! are read while they are written. Nothing of SQLite is visible through the traits.

mod access;
mod file;
mod history;
mod journal;
mod ownership;
mod schema;
mod values;

pub use access::SqliteAccess;
pub use history::{SqliteHistory, SqliteHistoryReader};
pub use journal::{Checkpointer, OpenedJournal, SqliteJournal};

use rusqlite::ErrorCode;
use std::path::Path;

use crate::error::StoreError;

/// What to do about a file of which not even the structure can be read.
const RESTORE: &str = "restore it from a backup";

/// Names the act in which a database failed. Errors that call for a step of the operator get their
/// own words.
fn failed(act: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
    move |source| match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full { act },
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { act },
        _ => StoreError::Database { act, source: Box::new(source) },
    }
}

/// As [`failed`], and says of a broken file which one it is and what to do.
fn failed_on<'a>(
    act: &'static str,
    path: &'a Path,
    remedy: &'static str,
) -> impl Fn(rusqlite::Error) -> StoreError + 'a {
    move |source| match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => {
            StoreError::Malformed { path: path.to_owned(), detail: source.to_string(), remedy }
        }
        _ => failed(act)(source),
    }
}
