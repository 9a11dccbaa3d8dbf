//! Numbers between Rust and SQLite, which knows signed ones only. Reading is strict: a value of
//! another kind than was written is damage, not something to be converted.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use crate::error::Result;
use crate::journal::check_range;

/// A number to be stored.
pub(super) fn stored(what: &'static str, value: u64) -> Result<i64> {
    check_range(what, value)
}

/// A number that may be absent.
pub(super) fn stored_option(what: &'static str, value: Option<u64>) -> Result<Option<i64>> {
    value.map(|value| check_range(what, value)).transpose()
}

/// A bound for a query; one beyond what fits stands for no bound.
pub(super) fn bound(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The column as a number, if it is one and not negative.
pub(super) fn number(row: &Row<'_>, column: usize) -> Option<u64> {
    match row.get_ref(column) {
        Ok(ValueRef::Integer(value)) => u64::try_from(value).ok(),
        _ => None,
    }
}

/// The column as bytes, if they were stored as such.
pub(super) fn bytes<'a>(row: &'a Row<'_>, column: usize) -> Option<&'a [u8]> {
    match row.get_ref(column) {
        Ok(ValueRef::Blob(bytes)) => Some(bytes),
        _ => None,
    }
}
