//! What tells our files from others, and the numbered steps from an old layout to the present one.

use rusqlite::Connection;
use std::path::Path;

use super::{RESTORE, failed, failed_on};
use crate::error::{Result, StoreError};

/// One kind of file: its mark, its name for people, and its layout as a list of steps. A step that
/// was released is never changed; a new layout is a new step.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) kind: &'static str,
    pub(super) application_id: i64,
    pub(super) steps: &'static [&'static str],
    /// What to do about a file that is broken as a whole.
    pub(super) remedy: &'static str,
}

/// `journal.db`. The mark reads "MusJ".
pub(super) const JOURNAL: Schema = Schema {
    kind: "journal",
    application_id: 0x4D75_734A,
    steps: &[
        include_str!("sql/journal-1-entries.sql"),
        include_str!("sql/journal-2-access.sql"),
        include_str!("sql/journal-3-uses.sql"),
    ],
    remedy: RESTORE,
};

/// `history.db`. The mark reads "MusH".
pub(super) const HISTORY: Schema = Schema {
    kind: "history",
    application_id: 0x4D75_7348,
    steps: &[
        include_str!("sql/history-1-tables.sql"),
        include_str!("sql/history-2-views.sql"),
        include_str!("sql/history-3-steps.sql"),
        include_str!("sql/history-4-ends.sql"),
        include_str!("sql/history-5-ledger.sql"),
        include_str!("sql/history-6-scattered.sql"),
        include_str!("sql/history-7-gpus.sql"),
    ],
    remedy: "restore it from a backup, or move it away: it is made again from the journal, \
             as far as that reaches",
};

impl Schema {
    /// The layout this release writes.
    pub(super) fn version(&self) -> i64 {
        i64::try_from(self.steps.len()).expect("a schema has a handful of steps")
    }

    /// Refuses a file that is something else or of a later release. Returns its version.
    pub(super) fn identify(&self, connection: &Connection, path: &Path) -> Result<i64> {
        let not_ours =
            |found: String| StoreError::NotOurs { path: path.to_owned(), kind: self.kind, found };
        let mark = pragma(connection, "application_id").map_err(|error| {
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
                return not_ours("not an SQLite database".to_owned());
            }
            failed_on("read the header", path, self.remedy)(error)
        })?;
        if mark != self.application_id {
            return Err(not_ours(format!("an SQLite database with application id {mark}")));
        }
        let found = pragma(connection, "user_version").map_err(failed_on(
            "read the schema version",
            path,
            self.remedy,
        ))?;
        if found > self.version() {
            let path = path.to_owned();
            return Err(StoreError::Newer { path, found, known: self.version() });
        }
        Ok(found)
    }

    /// Brings a file from layout `from` to the present one, a step or nothing at a time.
    pub(super) fn migrate(&self, connection: &mut Connection, from: i64) -> Result<()> {
        let failed = failed("change the schema");
        for version in from + 1..=self.version() {
            let index = usize::try_from(version - 1).expect("versions count from 1");
            let transaction = connection.transaction().map_err(&failed)?;
            transaction.execute_batch(self.steps[index]).map_err(&failed)?;
            transaction.pragma_update(None, "user_version", version).map_err(&failed)?;
            transaction.commit().map_err(&failed)?;
        }
        Ok(())
    }
}

/// A number from the header of the file.
pub(super) fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}
