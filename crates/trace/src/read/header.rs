//! The columns of a table by their names, and the values of a row by its columns.

use std::str::FromStr;

use super::row::Row;
use crate::job::Fault;

/// The names of the columns, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    names: Vec<String>,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    index: usize,
    name: String,
}

/// Why a header is not one of a format: the columns it lacks, or has too many.
pub(crate) type Misfit = String;

/// What is said of columns that are not there.
pub(crate) fn lacking(names: &[&str]) -> Misfit {
    format!("no column {}", names.join(", "))
}

impl Header {
    pub(crate) fn new(row: &Row) -> Header {
        let names = (0..row.len()).map(|index| row.cell(index).trim().to_owned());
        Header { names: names.collect() }
    }

    pub(crate) fn width(&self) -> usize {
        self.names.len()
    }

    /// The column of this name; capitals make no difference.
    pub(crate) fn find(&self, name: &str) -> Option<Column> {
        let index = self.names.iter().position(|found| found.eq_ignore_ascii_case(name))?;
        Some(Column { index, name: self.names[index].clone() })
    }

    /// The first of these columns that is there.
    pub(crate) fn first(&self, names: &[&str]) -> Option<Column> {
        names.iter().find_map(|name| self.find(name))
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// All of these columns, or the names of those that are not there.
    pub(crate) fn all<const N: usize>(&self, names: [&str; N]) -> Result<[Column; N], Misfit> {
        let missing: Vec<&str> =
            names.into_iter().filter(|name| self.find(name).is_none()).collect();
        if !missing.is_empty() {
            return Err(lacking(&missing));
        }
        Ok(names.map(|name| self.find(name).expect("every name was found a moment ago")))
    }
}

impl Column {
    /// A column of a format without header.
    pub(crate) fn at(index: usize, name: &str) -> Column {
        Column { index, name: name.to_owned() }
    }

    /// The cell without spaces around it; nothing where it is empty.
    pub(crate) fn text<'r>(&self, row: &'r Row) -> Option<&'r str> {
        Some(row.cell(self.index).trim()).filter(|text| !text.is_empty())
    }

    /// The cell as it is, with its spaces; nothing where it is empty.
    pub(crate) fn exact<'r>(&self, row: &'r Row) -> Option<&'r str> {
        Some(row.cell(self.index)).filter(|text| !text.is_empty())
    }

    /// The cell, which must not be empty.
    pub(crate) fn some<'r>(&self, row: &'r Row) -> Result<&'r str, Fault> {
        self.text(row).ok_or_else(|| Fault::new(&self.name, "empty, expected a value"))
    }

    /// The cell read in this way; nothing where it is empty.
    pub(crate) fn read<T>(
        &self,
        row: &Row,
        read: impl Fn(&str) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, Fault> {
        let Some(text) = self.text(row) else { return Ok(None) };
        read(text).map(Some).ok_or_else(|| self.refused(text, expected))
    }

    /// The cell read in this way; it must not be empty.
    pub(crate) fn need<T>(
        &self,
        row: &Row,
        read: impl Fn(&str) -> Option<T>,
        expected: &str,
    ) -> Result<T, Fault> {
        let text = self.some(row)?;
        read(text).ok_or_else(|| self.refused(text, expected))
    }

    /// A whole number that must be there.
    pub(crate) fn number<T: FromStr>(&self, row: &Row) -> Result<T, Fault> {
        let read = |text: &str| super::cell::natural(text).and_then(|_| text.parse().ok());
        self.need(row, read, "a whole number")
    }

    /// What is said of a value that cannot be read.
    pub(crate) fn refused(&self, text: &str, expected: &str) -> Fault {
        const SHOWN: usize = 60;
        let shown: String = text.chars().take(SHOWN).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        Fault::new(&self.name, format!("`{shown}{more}` is not {expected}"))
    }
}
