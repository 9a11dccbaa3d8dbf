//! Columns: which fields, how wide, and how a row of them is printed.
//!
//! Three languages make the same columns: `%.18i %.9P` of `squeue` and `sinfo`, `JobID:18,Name` of
//! their `-O`, and `JobID%20,State` of `sacct`. What a field holds is for whoever calls to say.
//!
//! ```
//! use muster_slurm::words::format::{self, squeue};
//!
//! let format = format::percent("%.6i %.4j|%t", squeue::FIELDS)?;
//! let row = |field: &format::Field| match field.name {
//!     "JobArrayID" => "12".to_owned(),
//!     "Name" => "training".to_owned(),
//!     _ => "PD".to_owned(),
//! };
//! assert_eq!(format.table(true, &[row]), [" JOBID NAME|ST", "    12 trai|PD"]);
//! # Ok::<(), muster_model::Invalid>(())
//! ```

mod accounting;
mod field_list;
pub mod manage;
mod percent;
pub mod sacct;
pub mod sinfo;
pub mod squeue;

pub use accounting::{Accounting, Separators, accounting};
pub use field_list::field_list;
pub use percent::percent;

/// Slurm makes a column that grows with its values no narrower than the word PARTITION.
const WIDEST_LEAST: usize = 9;

/// Something that a row may show.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in `-O` and `--format`.
    pub name: &'static str,
    /// Its letter in `-o`; a blank where it has none.
    pub letter: char,
    /// What stands above its column.
    pub header: &'static str,
    /// How wide `sacct` makes it; less than zero is to the left.
    pub width: i16,
}

/// How wide a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As wide as each value.
    Natural,
    /// So wide: shorter values are filled up, longer ones are cut.
    Exact(usize),
    /// As wide as the widest value and its header.
    Widest,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it shows.
    pub field: &'static Field,
    /// How wide it is.
    pub width: Width,
    /// Whether values stand to the right.
    pub is_right: bool,
    /// What follows it.
    pub suffix: String,
}

/// Columns in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// What stands before the first.
    pub prefix: String,
    /// The columns.
    pub columns: Vec<Column>,
}

impl Format {
    /// The lines of a table: a header where one is wanted, and one line for each row, which says
    /// what a field holds.
    pub fn table<R: Fn(&Field) -> String>(&self, has_header: bool, rows: &[R]) -> Vec<String> {
        let values = |row: &R| self.columns.iter().map(|it| row(it.field)).collect();
        let cells: Vec<Vec<String>> = rows.iter().map(values).collect();
        let widths: Vec<Width> = self
            .columns
            .iter()
            .enumerate()
            .map(|(index, column)| column.measured(cells.iter().map(|row| row[index].as_str())))
            .collect();
        let header = self.columns.iter().map(|it| it.field.header.to_owned()).collect::<Vec<_>>();
        let lines = has_header.then_some(&header).into_iter().chain(&cells);
        lines.map(|cells| self.line(cells, &widths)).collect()
    }

    fn line(&self, cells: &[String], widths: &[Width]) -> String {
        let mut line = self.prefix.clone();
        for ((column, cell), width) in self.columns.iter().zip(cells).zip(widths) {
            line.push_str(&fitted(cell, *width, column.is_right));
            line.push_str(&column.suffix);
        }
        line
    }
}

impl Column {
    fn measured<'a>(&self, cells: impl Iterator<Item = &'a str>) -> Width {
        if self.width != Width::Widest {
            return self.width;
        }
        let lengths = cells.map(length).chain([length(self.field.header), WIDEST_LEAST]);
        Width::Exact(lengths.max().unwrap_or(0))
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn fitted(text: &str, width: Width, is_right: bool) -> String {
    let Width::Exact(width) = width else { return text.to_owned() };
    let cut: String = text.chars().take(width).collect();
    if is_right { format!("{cut:>width$}") } else { format!("{cut:<width$}") }
}

/// The field of this name, in any case.
fn by_name(fields: &'static [Field], name: &str) -> Option<&'static Field> {
    fields.iter().find(|field| field.name.eq_ignore_ascii_case(name))
}

/// A field that there is not.
fn unknown(option: &str, name: &str, fields: &'static [Field]) -> muster_model::Invalid {
    let refused = muster_model::Invalid::new(
        option,
        muster_model::name::quoted(name),
        "expected the name of a field",
    );
    match muster_model::nearest::nearest(name, fields.iter().map(|field| field.name)) {
        Some(meant) => refused.meant(meant),
        None => refused,
    }
}

#[cfg(test)]
mod tests;
