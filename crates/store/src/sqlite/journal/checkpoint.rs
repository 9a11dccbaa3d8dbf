//! Moving commits from the log into the file, beside the writer and not in its way.

use rusqlite::Connection;
use std::sync::Arc;

use super::super::failed;
use super::super::ownership::Ownership;
use crate::error::Result;

/// A connection that checkpoints. Call it from a thread of its own every second or so: a commit
/// that finds the log long would otherwise do the work itself, and its caller would wait.
#[derive(Debug)]
pub struct Checkpointer {
    connection: Connection,
    /// Nobody else may take the store while this one can still write to it.
    _ownership: Arc<Ownership>,
}

impl Checkpointer {
    pub(super) fn new(connection: Connection, ownership: Arc<Ownership>) -> Self {
        Self { connection, _ownership: ownership }
    }

    /// Moves what no reader needs in the log any more. Returns how many pages are left to move.
    ///
    /// # Errors
    /// Only those of the database; commits stay durable in the log.
    pub fn run(&self) -> Result<u64> {
        let (in_log, moved): (i64, i64) = self
            .connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| Ok((row.get(1)?, row.get(2)?)))
            .map_err(failed("checkpoint"))?;
        Ok(u64::try_from(in_log - moved).unwrap_or(0))
    }
}
