//! Rows: lines split into cells, by a delimiter with quotes or by spaces, or not at all.

use std::borrow::Cow;
use std::io;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::lines::{Line, Lines};
use crate::job::Fault;

/// The most cells of a row: `sacct --format=ALL` has half as many.
const CELLS_MAX: usize = 256;

/// The most lines that one row may span, by line ends within quotes.
const ROW_LINES_MAX: usize = 100;

/// How lines become cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// At commas; cells may be quoted. A row is one line: what a stray quote would swallow is
    /// worth more than a name with a line end in it.
    Commas,
    /// At commas, and quoted cells may span lines, as we write them ourselves.
    SpanningCommas,
    /// At a bar, with quotes as part of the text.
    Bars,
    /// At any number of spaces and tabs.
    Spaces,
    /// The line is one cell.
    Whole,
}

impl Splitting {
    /// Whether the first row names the columns.
    pub(super) const fn has_header(self) -> bool {
        matches!(self, Splitting::Commas | Splitting::SpanningCommas | Splitting::Bars)
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line it begins on.
    pub(crate) line: u64,
    text: String,
    ends: Vec<usize>,
}

impl Row {
    /// How many cells it has.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// One of its cells; empty where there are not so many.
    pub(crate) fn cell(&self, index: usize) -> &str {
        let begin = if index == 0 { 0 } else { self.ends.get(index - 1).copied().unwrap_or(0) };
        self.ends.get(index).map_or("", |&end| &self.text[begin..end])
    }
}

/// Reads row by row.
pub(crate) struct Rows<'r> {
    lines: Lines<'r>,
    splitting: Splitting,
    reader: Reader,
    /// Cells that every row must have, once the header is known.
    width: Option<usize>,
}

/// A row, or the line that is none and why.
pub(crate) type RowRead = Result<Row, (u64, Fault)>;

impl<'r> Rows<'r> {
    pub(super) fn new(lines: Lines<'r>, splitting: Splitting) -> Rows<'r> {
        let is_barred = splitting == Splitting::Bars;
        let delimiter = if is_barred { b'|' } else { b',' };
        let reader = ReaderBuilder::new().delimiter(delimiter).quoting(!is_barred).build();
        Rows { lines, splitting, reader, width: None }
    }

    /// From now on every row has so many cells.
    pub(super) fn expect_width(&mut self, width: usize) {
        self.width = Some(width);
    }

    /// The next row, or what stands in its place.
    pub(super) fn next(&mut self) -> io::Result<Option<RowRead>> {
        let (line, bytes) = match self.lines.next()? {
            None => return Ok(None),
            Some(Line::TooLong(line)) => {
                return Ok(Some(Err((line, Fault::of_row("the line is longer than 1 MiB")))));
            }
            Some(Line::Text(line, bytes)) => (line, bytes),
        };
        let row = match self.splitting {
            Splitting::Commas | Splitting::SpanningCommas | Splitting::Bars => {
                self.delimited(line, &bytes)?
            }
            Splitting::Spaces => utf8(bytes).map(|text| spaced(line, &text)),
            Splitting::Whole => utf8(bytes).map(|text| {
                let ends = vec![text.len()];
                Row { line, text, ends }
            }),
        };
        Ok(Some(row.and_then(|row| self.of_width(row)).map_err(|fault| (line, fault))))
    }

    fn of_width(&self, row: Row) -> Result<Row, Fault> {
        match self.width {
            Some(width) if row.len() != width => Err(Fault::of_row(format!(
                "{} columns, expected {width} as in the header",
                row.len()
            ))),
            _ => Ok(row),
        }
    }

    /// A row that may span lines. If it turns out to be none, only its first line is lost: the
    /// others are read again as rows of their own.
    fn delimited(&mut self, line: u64, first: &[u8]) -> io::Result<Result<Row, Fault>> {
        let mut cells = Cells::default();
        let mut more: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut fed = cells.feed(&mut self.reader, first);
        let may_span = self.splitting == Splitting::SpanningCommas;
        while fed == Fed::Open && may_span && more.len() < ROW_LINES_MAX {
            match self.lines.next_any()? {
                Some(Line::Text(number, bytes)) => {
                    fed = cells.feed(&mut self.reader, &bytes);
                    more.push((number, bytes));
                }
                Some(Line::TooLong(_)) | None => break,
            }
        }
        let row = match fed {
            Fed::Row => cells.row(line).and_then(|row| self.of_width(row)),
            Fed::Open => Err(Fault::of_row("a quote is opened and not closed")),
            Fed::Full => Err(Fault::of_row(format!("more than {CELLS_MAX} columns"))),
            Fed::Rest => Err(Fault::of_row("a carriage return in the middle of the line")),
        };
        if fed != Fed::Row {
            self.reader.reset();
        }
        if row.is_err() {
            self.lines.read_again(more);
        }
        Ok(row)
    }
}

/// Cells as they are read.
struct Cells {
    output: Vec<u8>,
    written: usize,
    ends: [usize; CELLS_MAX],
    count: usize,
}

impl Default for Cells {
    fn default() -> Self {
        Cells { output: Vec::new(), written: 0, ends: [0; CELLS_MAX], count: 0 }
    }
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fed {
    /// It completes the row.
    Row,
    /// A quote is open at its end.
    Open,
    /// The row has too many cells.
    Full,
    /// Something follows the end of the row.
    Rest,
}

impl Cells {
    fn feed(&mut self, reader: &mut Reader, bytes: &[u8]) -> Fed {
        // The last line may have no end. With one, a line is complete or a quote is open.
        let ended: Cow<'_, [u8]> = match bytes.ends_with(b"\n") {
            true => bytes.into(),
            false => [bytes, b"\n"].concat().into(),
        };
        self.output.resize(self.written + ended.len(), 0);
        let (output, ends) = (&mut self.output[self.written..], &mut self.ends[self.count..]);
        let (result, read, written, count) = reader.read_record(&ended, output, ends);
        self.written += written;
        self.count += count;
        match result {
            ReadRecordResult::Record if ended[read..].trim_ascii().is_empty() => Fed::Row,
            ReadRecordResult::Record => Fed::Rest,
            ReadRecordResult::InputEmpty | ReadRecordResult::End => Fed::Open,
            ReadRecordResult::OutputEndsFull | ReadRecordResult::OutputFull => Fed::Full,
        }
    }

    fn row(mut self, line: u64) -> Result<Row, Fault> {
        self.output.truncate(self.written);
        let ends = self.ends[..self.count].to_vec();
        let text = utf8(self.output)?;
        // A delimiter is never part of a longer character, so cells end where characters do;
        // invalid bytes were refused above.
        if ends.iter().all(|&end| text.is_char_boundary(end)) {
            Ok(Row { line, text, ends })
        } else {
            Err(Fault::of_row("not UTF-8"))
        }
    }
}

fn spaced(line: u64, text: &str) -> Row {
    let mut row = Row { line, text: String::with_capacity(text.len()), ends: Vec::new() };
    for cell in text.split_ascii_whitespace().take(CELLS_MAX) {
        row.text.push_str(cell);
        row.ends.push(row.text.len());
    }
    row
}

fn utf8(bytes: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|_| Fault::of_row("not UTF-8"))
}

#[cfg(test)]
mod tests;
