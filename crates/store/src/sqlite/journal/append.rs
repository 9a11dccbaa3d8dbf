//! All that writes to the journal goes through here, in its turn, and is durable or not done.

use rusqlite::{ErrorCode, Transaction, TransactionBehavior, params};
use std::sync::Arc;

use super::super::failed;
use super::super::values::{bound, stored};
use super::{SqliteJournal, read, snapshots};
use crate::error::{Result, StoreError};
use crate::journal::{
    Journal, NewEntry, Sequence, Snapshot, check_entries, check_snapshot, checksum,
};

/// How many entries one call to prune forgets, so that an append never waits long behind it. More
/// than are appended between two snapshots, so that one call after each keeps up.
const PRUNED_AT_ONCE: u64 = 50_000;

impl SqliteJournal {
    pub(super) fn append_entries(&mut self, entries: &[NewEntry]) -> Result<Sequence> {
        check_entries(entries)?;
        if entries.is_empty() {
            return self.last();
        }
        let after = self.last;
        let last = self.write("append", |transaction| insert(transaction, after, entries))?;
        self.last = last;
        Ok(last)
    }

    pub(super) fn save_snapshot(&mut self, snapshot: &Snapshot) -> Result<()> {
        check_snapshot(snapshot, self.last()?)?;
        let is_suspect = self.is_suspect;
        self.write("save a snapshot", |transaction| {
            if is_suspect {
                snapshots::drop_damaged(transaction)?;
            }
            snapshots::insert(transaction, snapshot)?;
            // One that entries no longer lead on from would look like damage.
            snapshots::drop_before(transaction, read::pruned(transaction)?)?;
            snapshots::thin_out(transaction)
        })?;
        self.is_suspect = false;
        Ok(())
    }

    pub(super) fn prune_entries(&mut self, up_to: Sequence) -> Result<Sequence> {
        let pruned = self.write("prune", |transaction| {
            let before = read::pruned(transaction)?;
            let Some(older) = snapshots::older(transaction)? else { return Ok(before) };
            let until = up_to.min(older).min(before.saturating_add(PRUNED_AT_ONCE));
            if until <= before {
                return Ok(before);
            }
            transaction
                .execute("DELETE FROM entries WHERE sequence <= ?1", [bound(until)])
                .map_err(failed("prune"))?;
            snapshots::drop_before(transaction, until)?;
            Ok(until)
        });
        self.is_suspect |= matches!(pruned, Err(StoreError::DamagedSnapshot { .. }));
        pruned
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
            // A log that could not grow has no commit in it; one that could not be synced may.
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
            "INSERT INTO entries (sequence, time_ms, version, crc, body)
             VALUES (?1, ?2, ?3, ?4, ?5)",
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

#[cfg(test)]
mod tests {
    use crate::{Journal, NewEntry, SqliteJournal, StoreError};

    fn entry(bytes: usize) -> NewEntry {
        NewEntry { time_ms: 1, version: 1, body: vec![b'x'; bytes] }
    }

    /// Runs a test on a journal with one entry, and looks at what is left after opening it anew.
    fn with_journal(name: &str, test: impl FnOnce(&mut SqliteJournal), left: u64) {
        let name = format!("muster-store-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let mut journal = SqliteJournal::open(&folder).unwrap().journal;
        journal.append(&[entry(1)]).unwrap();
        test(&mut journal);
        drop(journal);
        let opened = SqliteJournal::open(&folder).unwrap();
        assert_eq!((opened.warnings.as_slice(), opened.journal.last().unwrap()), (&[][..], left));
        drop(opened);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_full_disk_is_told_and_passes() {
        with_journal(
            "full",
            |journal| {
                journal.connection.pragma_update(None, "max_page_count", 50).unwrap();
                let refused = journal.append(&[entry(10), entry(1 << 20)]).unwrap_err();
                assert!(matches!(refused, StoreError::Full { act: "append" }), "{refused}");
                journal.connection.pragma_update(None, "max_page_count", 10_000).unwrap();
                assert_eq!(journal.append(&[entry(1 << 20)]).unwrap(), 2);
            },
            2,
        );
    }

    #[test]
    fn nothing_is_written_after_a_commit_that_failed() {
        // A constraint that is looked at when all is written makes the commit itself fail.
        let sql = "PRAGMA foreign_keys = ON;
            CREATE TEMP TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TEMP TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            CREATE TEMP TRIGGER spoil AFTER INSERT ON entries BEGIN
                INSERT INTO child VALUES (1);
            END;";
        with_journal(
            "doubt",
            |journal| {
                journal.connection.execute_batch(sql).unwrap();
                let failed = journal.append(&[entry(1)]).unwrap_err();
                assert!(matches!(failed, StoreError::Database { act: "append", .. }), "{failed}");
                journal.connection.execute_batch("DROP TRIGGER temp.spoil").unwrap();
                let refused = journal.append(&[entry(1)]).unwrap_err();
                assert!(matches!(refused, StoreError::InDoubt), "{refused}");
                assert_eq!(journal.last().unwrap(), 1);
            },
            1,
        );
    }
}
