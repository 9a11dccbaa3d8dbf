//! All that writes to the journal goes through here, in its turn, and is durable or not done.

use rusqlite::{ErrorCode, Transaction, TransactionBehavior, params};
use std::sync::Arc;

use super::super::failed;
use super::super::values::{bound, stored};
use super::{SqliteJournal, read, snapshots};
use crate::error::{Result, StoreError};
use crate::journal::{
    NewEntry, SNAPSHOTS_KEPT, Sequence, Snapshot, check_entries, check_snapshot, checksum,
};

/// How many entries one call to prune forgets, so that an append never waits long behind it.
const PRUNED_AT_ONCE: u64 = 10_000;

impl SqliteJournal {
    pub(super) fn append_entries(&mut self, entries: &[NewEntry]) -> Result<Sequence> {
        check_entries(entries)?;
        if entries.is_empty() {
            return Ok(self.last);
        }
        let after = self.last;
        let last = self.write("append", |transaction| insert(transaction, after, entries))?;
        self.last = last;
        Ok(last)
    }

    pub(super) fn save_snapshot(&mut self, snapshot: &Snapshot) -> Result<()> {
        check_snapshot(snapshot, self.last)?;
        self.write("save a snapshot", |transaction| {
            snapshots::drop_damaged(transaction)?;
            snapshots::insert(transaction, snapshot)?;
            snapshots::keep(transaction, SNAPSHOTS_KEPT)
        })
    }

    pub(super) fn prune_entries(&mut self, up_to: Sequence) -> Result<Sequence> {
        self.write("prune", |transaction| {
            let before = read::pruned(transaction)?;
            let Some(older) = snapshots::older(transaction)? else { return Ok(before) };
            let until = up_to.min(older).min(before.saturating_add(PRUNED_AT_ONCE));
            if until <= before {
                return Ok(before);
            }
            transaction
                .execute("DELETE FROM entries WHERE sequence <= ?1", [bound(until)])
                .map_err(failed("prune"))?;
            Ok(until)
        })
    }

    /// Runs `change` in a transaction that is durable when this returns.
    fn write<T>(
        &mut self,
        act: &'static str,
        change: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        let ownership = Arc::clone(self.owner(act)?);
        if self.is_in_doubt {
            return Err(StoreError::InDoubt);
        }
        let _turn = ownership.turn();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed(act))?;
        let result = change(&transaction)?;
        transaction.commit().map_err(|error| {
            // A log that could not be written has no commit in it; one that could not be synced may.
            self.is_in_doubt = error.sqlite_error_code() != Some(ErrorCode::DiskFull);
            failed(act)(error)
        })?;
        Ok(result)
    }
}

fn insert(
    transaction: &Transaction<'_>,
    after: Sequence,
    entries: &[NewEntry],
) -> Result<Sequence> {
    let failed = failed("append");
    let mut sequence = after;
    let mut statement = transaction
        .prepare_cached(
            "INSERT INTO entries (sequence, time_ms, version, crc, body) VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .map_err(&failed)?;
    for NewEntry { time_ms, version, body } in entries {
        sequence += 1;
        let crc = checksum(sequence, *time_ms, *version, body);
        let (key, time) = (stored("sequence", sequence)?, stored("time", *time_ms)?);
        statement.execute(params![key, time, version, crc, body]).map_err(&failed)?;
    }
    Ok(sequence)
}
