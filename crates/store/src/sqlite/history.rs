//! The history in a file. Commits do not wait for the disk: what a power failure takes is made
//! again from the journal, which keeps its entries until [`History::make_durable`] has returned.

mod filter;
mod ledger;
mod read;
mod retention;
mod rows;
mod write;

use rusqlite::{Connection, Transaction};
use std::fs;
use std::path::{Path, PathBuf};

use super::failed;
use super::file::{self, Sync, file_failed};
use super::ownership::Ownership;
use super::schema::{HISTORY, pragma};
use crate::error::{Result, StoreError};
use crate::history::{
    Before, CapacityRow, Change, Forgotten, History, HistoryReader, HoldingRow, ScatteredRow,
};
use crate::journal::{Sequence, check_range};

pub use read::SqliteHistoryReader;

/// The name of the file in the data directory.
const FILE: &str = "history.db";

/// A history in an SQLite file.
#[derive(Debug)]
pub struct SqliteHistory {
    path: PathBuf,
    connection: Connection,
    _ownership: Ownership,
}

impl SqliteHistory {
    /// Opens the history of a data directory for its one writer, and makes both if need be.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process writes to it, and whatever is wrong with the file.
    pub fn open(directory: &Path) -> Result<Self> {
        fs::create_dir_all(directory).map_err(file_failed("make", directory))?;
        let path = directory.join(FILE);
        let ownership = Ownership::take(&path)?;
        let connection = file::open(&path, &HISTORY, Sync::Normal)?;
        Ok(Self { path, connection, _ownership: ownership })
    }

    /// Opens the history of a data directory for reading, also while a server writes to it.
    ///
    /// # Errors
    /// [`StoreError::NotThere`], and whatever is wrong with the file.
    pub fn open_read_only(directory: &Path) -> Result<SqliteHistoryReader> {
        let connection = file::open_read_only(&directory.join(FILE), &HISTORY)?;
        Ok(SqliteHistoryReader::new(connection))
    }

    fn write<T>(
        &mut self,
        act: &'static str,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        super::write(&mut self.connection, act, change)
    }

    /// Waits for the disk in the commits that follow, or no longer.
    fn set_sync(&self, mode: &str) -> Result<()> {
        self.connection
            .pragma_update(None, "synchronous", mode)
            .map_err(failed("set up the history"))
    }
}

impl History for SqliteHistory {
    fn watermark(&self) -> Result<Sequence> {
        write::watermark(&self.connection).map_err(unread())
    }

    fn record(&mut self, up_to: Sequence, changes: &[Change]) -> Result<()> {
        check_range("sequence", up_to)?;
        self.write("record history", |transaction| {
            if up_to < write::watermark(transaction)? {
                return Ok(());
            }
            for change in changes {
                write::change(transaction, change)?;
            }
            write::set_watermark(transaction, up_to)
        })
    }

    fn rewind(&mut self, to: Sequence) -> Result<()> {
        self.write("rewind history", |transaction| write::rewind(transaction, to))
    }

    fn make_durable(&mut self) -> Result<Sequence> {
        // One commit that waits for the disk makes all earlier ones durable: they are before it in
        // the same log. It does not wait for readers, as emptying the log would.
        self.set_sync("FULL")?;
        let watermark = self.write("make history durable", |transaction| {
            let watermark = write::watermark(transaction)?;
            write::set_watermark(transaction, watermark)?;
            Ok(watermark)
        });
        self.set_sync("NORMAL")?;
        let watermark = watermark?;
        self.connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
            .map_err(failed("checkpoint the history"))?;
        Ok(watermark)
    }

    fn settle(
        &mut self,
        at_ms: u64,
        holdings: &[HoldingRow],
        capacity: &[CapacityRow],
        apart: &[ScatteredRow],
    ) -> Result<()> {
        self.write("settle the accounts", |transaction| {
            ledger::settle(transaction, at_ms, holdings, capacity, apart)
        })
    }

    fn forget_before(&mut self, before: Before, keep: u64) -> Result<Forgotten> {
        self.write("forget old history", |transaction| retention::forget(transaction, before, keep))
    }

    fn compact(&mut self, pages: u32) -> Result<u64> {
        let failed = failed("compact the history");
        let sql = format!("PRAGMA incremental_vacuum({pages})");
        let mut statement = self.connection.prepare(&sql).map_err(&failed)?;
        let mut rows = statement.query([]).map_err(&failed)?;
        // It frees a page for every row it is asked for.
        while rows.next().map_err(&failed)?.is_some() {}
        let left = pragma(&self.connection, "freelist_count").map_err(&failed)?;
        Ok(u64::try_from(left).unwrap_or(0))
    }

    fn reader(&self) -> Result<Box<dyn HistoryReader>> {
        let connection = file::open_read_only(&self.path, &HISTORY)?;
        Ok(Box::new(SqliteHistoryReader::new(connection)))
    }
}

fn unread() -> impl Fn(rusqlite::Error) -> StoreError {
    failed("read the history")
}
