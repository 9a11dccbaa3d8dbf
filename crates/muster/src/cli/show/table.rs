//! Tables: columns as wide as their widest cell, numbers to the right, nothing at line ends.

use std::fmt::Write as _;
use std::io::IsTerminal;

/// The space between columns.
const GAP: &str = "  ";

/// What the last column should have at least, as long as others can be left out for it.
const LAST_MIN: usize = 32;

/// Which way a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A table with a heading.
#[derive(Debug)]
pub(crate) struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
    spare: Vec<usize>,
}

impl Table {
    /// A table with these columns; a heading that starts with `>` has numbers below it.
    pub(crate) fn new(headings: &[&str]) -> Table {
        let right = |heading: &&str| heading.starts_with('>');
        let side = |heading: &&str| if right(heading) { Side::Right } else { Side::Left };
        let heading = |heading: &&str| heading.trim_start_matches('>').to_uppercase();
        Table {
            sides: headings.iter().map(side).collect(),
            rows: vec![headings.iter().map(heading).collect()],
            spare: Vec::new(),
        }
    }

    /// The same, with columns that are left out first where a terminal is too narrow for all.
    pub(crate) fn spare(mut self, headings: &[&str]) -> Table {
        let place = |heading: &&str| {
            let wanted = heading.to_uppercase();
            self.rows[0].iter().position(|known| *known == wanted).expect("a column of this table")
        };
        self.spare = headings.iter().map(place).collect();
        self
    }

    /// Adds a row.
    pub(crate) fn row<const COLUMNS: usize>(&mut self, cells: [String; COLUMNS]) {
        assert_eq!(COLUMNS, self.sides.len(), "a row has a cell for each column");
        self.rows.push(cells.into());
    }

    /// The table as text. Where it is wider than `width`, spare columns are left out and the
    /// last is cut.
    pub(crate) fn text(&self, width: Option<usize>) -> String {
        let mut widths = vec![0; self.sides.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        let kept = self.kept(&widths, width);
        let mut text = String::new();
        for row in &self.rows {
            let line = self.line(row, &widths, &kept);
            let line = line.trim_end();
            let cut = width.filter(|width| line.chars().count() > *width);
            match cut {
                Some(width) => {
                    let kept = width.saturating_sub(1);
                    text.extend(line.chars().take(kept));
                    text.push('…');
                }
                None => text.push_str(line),
            }
            text.push('\n');
        }
        text
    }

    /// The columns that are shown.
    fn kept(&self, widths: &[usize], width: Option<usize>) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..widths.len()).collect();
        let (Some(width), Some(last)) = (width, widths.last()) else { return kept };
        for spare in &self.spare {
            let taken = |kept: &[usize]| {
                let columns: usize = kept.iter().map(|&index| widths[index] + GAP.len()).sum();
                columns - last + (*last).min(LAST_MIN) - GAP.len()
            };
            if taken(&kept) <= width {
                break;
            }
            kept.retain(|index| index != spare);
        }
        kept
    }

    fn line(&self, row: &[String], widths: &[usize], kept: &[usize]) -> String {
        let mut line = String::new();
        for &index in kept {
            let (cell, width) = (&row[index], widths[index]);
            let gap = if line.is_empty() && index == kept[0] { "" } else { GAP };
            let written = match self.sides[index] {
                Side::Left => write!(line, "{gap}{cell:width$}"),
                Side::Right => write!(line, "{gap}{cell:>width$}"),
            };
            written.expect("a string takes all text");
        }
        line
    }
}

/// How wide the terminal is that the output goes to; nothing where it goes elsewhere, so that
/// scripts see the same everywhere.
pub(crate) fn width() -> Option<usize> {
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(&stdout).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn table() -> Table {
        let mut table = Table::new(&["job", ">gpus", "reason"]);
        table.row(["1", "8", "no room for the whole gang"].map(str::to_owned));
        table.row(["12345", "128", ""].map(str::to_owned));
        table
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let text = "JOB    GPUS  REASON\n\
                    1         8  no room for the whole gang\n\
                    12345   128\n";
        assert_eq!(table().text(None), text);
    }

    #[test]
    fn spare_columns_make_room_for_the_last() {
        let table = table().spare(&["gpus"]);
        assert_eq!(table.text(Some(36)).lines().nth(1), Some("1      no room for the whole gang"));
        assert_eq!(table.text(Some(40)), table.text(None));
    }

    #[test]
    fn lines_end_with_the_terminal() {
        let text = table().text(Some(20));
        assert_eq!(text.lines().nth(1), Some("1         8  no roo…"));
        assert!(text.lines().all(|line| line.chars().count() <= 20));
    }
}
