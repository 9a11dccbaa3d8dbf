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

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::path::Path;

use crate::error::{Result, StoreError};

/// What to do about a file of which not even the structure can be read.
const RESTORE: &str = "restore it from a backup";

/// Makes a change as a whole or not at all. It takes the right to write before it reads anything,
/// so that what it read cannot have changed by the time it writes.
fn write<T>(
    connection: &mut Connection,
    act: &'static str,
    change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
) -> Result<T> {
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed(act))?;
    let result = change(&transaction).map_err(failed(act))?;
    transaction.commit().map_err(failed(act))?;
    Ok(result)
}

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
