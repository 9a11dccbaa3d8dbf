//! Tokens, audit and settings, in the file of the journal, on a connection of their own.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use std::sync::Arc;

use super::failed;
use super::ownership::Ownership;
use super::values::{bound, stored, stored_option};
use crate::access::{Access, AuditEntry, AuditRow, Token, TokenHash};
use crate::error::{Result, StoreError};

const TOKEN_COLUMNS: &str =
    "id, hash, user, role, queue, created_ms, expires_ms, revoked_ms, note, uses_left";

/// Tokens, audit and settings in an SQLite file; from [`super::SqliteJournal::access`].
#[derive(Debug)]
pub struct SqliteAccess {
    connection: Connection,
    ownership: Arc<Ownership>,
}

impl SqliteAccess {
    pub(super) fn new(connection: Connection, ownership: Arc<Ownership>) -> Self {
        Self { connection, ownership }
    }

    fn write<T>(
        &mut self,
        act: &'static str,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let _turn = self.ownership.turn();
        super::write(&mut self.connection, act, change)
    }
}

impl Access for SqliteAccess {
    fn token_add(&mut self, token: &Token) -> Result<bool> {
        let created = stored("time", token.created_ms)?;
        let expires = stored_option("time", token.expires_ms)?;
        let revoked = stored_option("time", token.revoked_ms)?;
        let uses = stored_option("count", token.uses_left)?;
        let sql = format!(
            "INSERT INTO tokens ({TOKEN_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (id) DO NOTHING"
        );
        let Token { id, hash, user, role, queue, note, .. } = token;
        self.write("add a token", |transaction| {
            let values =
                params![id, hash.0, user, role, queue, created, expires, revoked, note, uses];
            Ok(transaction.prepare_cached(&sql)?.execute(values)? == 1)
        })
    }

    fn token(&self, id: &str) -> Result<Option<Token>> {
        let sql = format!("SELECT {TOKEN_COLUMNS} FROM tokens WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql).map_err(unread())?;
        statement.query_row([id], read_token).optional().map_err(unread())
    }

    fn tokens(&self) -> Result<Vec<Token>> {
        let sql = format!("SELECT {TOKEN_COLUMNS} FROM tokens ORDER BY id");
        let mut statement = self.connection.prepare_cached(&sql).map_err(unread())?;
        let rows = statement.query_map([], read_token).map_err(unread())?;
        rows.collect::<rusqlite::Result<_>>().map_err(unread())
    }

    fn token_revoke(&mut self, id: &str, time_ms: u64) -> Result<bool> {
        let time = stored("time", time_ms)?;
        let sql = "UPDATE tokens SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL";
        self.write("revoke a token", |transaction| {
            Ok(transaction.execute(sql, params![id, time])? == 1)
        })
    }

    fn token_use(&mut self, id: &str) -> Result<Option<u64>> {
        let sql = "UPDATE tokens SET uses_left = uses_left - 1 WHERE id = ?1 AND uses_left > 0
                   RETURNING uses_left";
        self.write("use a token", |transaction| {
            transaction.query_row(sql, [id], |row| row.get(0)).optional()
        })
    }

    fn tokens_forget(&mut self, time_ms: u64) -> Result<u64> {
        let sql = "DELETE FROM tokens WHERE expires_ms < ?1 OR revoked_ms < ?1";
        self.write("forget tokens", |transaction| transaction.execute(sql, [bound(time_ms)]))
            .map(count)
    }

    fn audit_append(&mut self, entries: &[AuditEntry]) -> Result<u64> {
        let mut times = Vec::with_capacity(entries.len());
        for entry in entries {
            times.push(stored("time", entry.time_ms)?);
        }
        let sql = "INSERT INTO audit (time_ms, who, verb, object, outcome, source)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        self.write("append to the audit", |transaction| {
            let mut statement = transaction.prepare_cached(sql)?;
            for (entry, time) in entries.iter().zip(times) {
                let AuditEntry { who, verb, object, outcome, source, .. } = entry;
                statement.execute(params![time, who, verb, object, outcome, source])?;
            }
            let last = "SELECT seq FROM sqlite_sequence WHERE name = 'audit'";
            let last: Option<u64> = transaction.query_row(last, [], |row| row.get(0)).optional()?;
            Ok(last.unwrap_or(0))
        })
    }

    fn audit_page(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditRow>> {
        let sql = "SELECT number, time_ms, who, verb, object, outcome, source FROM audit
                   WHERE number < ?1 ORDER BY number DESC LIMIT ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(unread())?;
        let limit = bound(u64::try_from(limit).unwrap_or(u64::MAX));
        let rows = statement
            .query_map([before.map_or(i64::MAX, bound), limit], read_audit)
            .map_err(unread())?;
        rows.collect::<rusqlite::Result<_>>().map_err(unread())
    }

    fn audit_retain(&mut self, time_ms: u64, count_max: u64) -> Result<u64> {
        let old = "DELETE FROM audit WHERE time_ms < ?1";
        let beyond = "DELETE FROM audit WHERE number <=
                      (SELECT number FROM audit ORDER BY number DESC LIMIT 1 OFFSET ?1)";
        self.write("forget old audit entries", |transaction| {
            let mut gone = transaction.execute(old, [bound(time_ms)])?;
            gone += transaction.execute(beyond, [bound(count_max)])?;
            Ok(gone)
        })
        .map(count)
    }

    fn setting(&self, key: &str) -> Result<Option<String>> {
        let sql = "SELECT value FROM settings WHERE key = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(unread())?;
        statement.query_row([key], |row| row.get(0)).optional().map_err(unread())
    }

    fn setting_set(&mut self, key: &str, value: Option<&str>) -> Result<()> {
        self.write("change a setting", |transaction| {
            match value {
                Some(value) => transaction.execute(
                    "INSERT OR REPLACE INTO settings (key, value) VALUES (?1, ?2)",
                    [key, value],
                ),
                None => transaction.execute("DELETE FROM settings WHERE key = ?1", [key]),
            }
            .map(drop)
        })
    }
}

fn read_token(row: &Row<'_>) -> rusqlite::Result<Token> {
    Ok(Token {
        id: row.get(0)?,
        hash: TokenHash(row.get(1)?),
        user: row.get(2)?,
        role: row.get(3)?,
        queue: row.get(4)?,
        created_ms: row.get(5)?,
        expires_ms: row.get(6)?,
        revoked_ms: row.get(7)?,
        note: row.get(8)?,
        uses_left: row.get(9)?,
    })
}

fn read_audit(row: &Row<'_>) -> rusqlite::Result<AuditRow> {
    let entry = AuditEntry {
        time_ms: row.get(1)?,
        who: row.get(2)?,
        verb: row.get(3)?,
        object: row.get(4)?,
        outcome: row.get(5)?,
        source: row.get(6)?,
    };
    Ok(AuditRow { number: row.get(0)?, entry })
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).expect("a count of rows fits")
}

fn unread() -> impl Fn(rusqlite::Error) -> StoreError {
    failed("read tokens, audit or settings")
}
