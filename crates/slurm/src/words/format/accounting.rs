//! The columns of `sacct`: `JobID%20,State`, in columns or with bars.

use muster_model::Invalid;
use muster_model::name::quoted;

use super::{Field, by_name, unknown};

/// Wider columns than this are a mistake.
const WIDTH_MAX: u16 = 4096;

/// What stands between values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Separators {
    /// Spaces, in columns.
    #[default]
    Columns,
    /// A bar after each value (`--parsable`).
    After,
    /// A bar between values (`--parsable2`).
    Between,
}

/// The columns of `sacct`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accounting {
    /// Fields with their width, and whether they stand to the left.
    columns: Vec<(&'static Field, usize, bool)>,
}

/// Reads a list of names, each with a width where it is not the usual one; less than zero is to
/// the left.
///
/// ```
/// use muster_slurm::words::format::{Separators, accounting, sacct};
///
/// let format = accounting("JobID%8,State", sacct::FIELDS)?;
/// let row = |field: &muster_slurm::words::format::Field| match field.name {
///     "JobID" => "12.batch".to_owned(),
///     _ => "CANCELLED by 1000".to_owned(),
/// };
/// assert_eq!(
///     format.table(true, Separators::Columns, &[row]),
///     ["   JobID      State ", "-------- ---------- ", "12.batch CANCELLED+ "]
/// );
/// assert_eq!(format.table(false, Separators::Between, &[row]), ["12.batch|CANCELLED by 1000"]);
/// # Ok::<(), muster_model::Invalid>(())
/// ```
pub fn accounting(text: &str, fields: &'static [Field]) -> Result<Accounting, Invalid> {
    let mut columns = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        if part.eq_ignore_ascii_case("all") {
            columns.extend(fields.iter().map(usual));
            continue;
        }
        let (name, width) = match part.split_once('%') {
            Some((name, width)) => (name, Some(width)),
            None => (part, None),
        };
        let field = by_name(fields, name).ok_or_else(|| unknown("--format", name, fields))?;
        columns.push(match width {
            None => usual(field),
            Some(width) => {
                let number = width.parse().ok().filter(|it: &i16| it.unsigned_abs() <= WIDTH_MAX);
                let allowed = "expected a width from -4096 to 4096, as in `JobID%20`";
                let refused = || Invalid::new("--format", quoted(part), allowed);
                sized(field, number.ok_or_else(refused)?)
            }
        });
    }
    if columns.is_empty() {
        return Err(Invalid::new("--format", quoted(text), "expected names of fields"));
    }
    Ok(Accounting { columns })
}

fn usual(field: &'static Field) -> (&'static Field, usize, bool) {
    sized(field, field.width)
}

fn sized(field: &'static Field, width: i16) -> (&'static Field, usize, bool) {
    (field, usize::from(width.unsigned_abs()), width < 0)
}

impl Accounting {
    /// The fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.columns.iter().map(|&(field, ..)| field)
    }

    /// The lines of a table, with a header where one is wanted.
    pub fn table<R: Fn(&Field) -> String>(
        &self,
        has_header: bool,
        separators: Separators,
        rows: &[R],
    ) -> Vec<String> {
        let mut lines = Vec::new();
        if has_header {
            lines.push(self.line(separators, |field, _| field.header.to_owned()));
            if separators == Separators::Columns {
                lines.push(self.line(separators, |_, width| "-".repeat(width)));
            }
        }
        lines.extend(rows.iter().map(|row| self.line(separators, |field, _| row(field))));
        lines
    }

    fn line(&self, separators: Separators, cell: impl Fn(&Field, usize) -> String) -> String {
        let cells = self.columns.iter().map(|&(field, width, is_left)| {
            let text = cell(field, width);
            match separators {
                Separators::Columns => format!("{} ", fitted(&text, width, is_left)),
                Separators::After => format!("{text}|"),
                Separators::Between => text,
            }
        });
        let between = if separators == Separators::Between { "|" } else { "" };
        cells.collect::<Vec<_>>().join(between)
    }
}

/// What is too long loses its end to a plus.
fn fitted(text: &str, width: usize, is_left: bool) -> String {
    let text = if text.chars().count() > width && width > 0 {
        text.chars().take(width - 1).chain(['+']).collect()
    } else {
        text.to_owned()
    };
    if is_left { format!("{text:<width$}") } else { format!("{text:>width$}") }
}
