//! Reading a trace: from a file or any source of bytes, in any known format, row by row.
//!
//! Every row is accounted for in the [`Tally`]; nothing is dropped in silence.

mod cell;
mod format;
mod header;
mod lines;
mod moment;
mod row;
mod unpack;
mod words;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

pub use format::Format;
use format::{Parse, Parsed};

use lines::Lines;
use row::{Rows, Splitting};
use unpack::unpacked;
use words::Words;

use crate::error::TraceError;
use crate::job::{Fault, Gpus, Job};
use crate::trace::{BadRow, FIRST_BAD_MAX, LeftOut, Tally, Trace};

pub(crate) use header::{Header, Misfit};
pub(crate) use row::Row;

/// The format is told by the beginning of a file, up to so many bytes.
const BEGIN_BYTES: u64 = 8 * 1024;

/// How a trace is read. The default tells the format by itself and wants every row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; told by the header where it is not named.
    pub format: Option<Format>,
    /// What becomes of bad rows.
    pub on_bad_row: OnBadRow,
    /// What becomes of jobs without GPUs.
    pub without_gpus: WithoutGpus,
}

/// What becomes of a bad row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBadRow {
    /// It is an error.
    #[default]
    Fail,
    /// It is counted and left out.
    Skip,
}

/// What becomes of a job without GPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WithoutGpus {
    /// Kept in lists of pods and in our own format, left out elsewhere.
    #[default]
    ByFormat,
    /// Kept.
    Keep,
    /// Counted and left out.
    LeaveOut,
}

/// The jobs of a source one after the other, in the order of the file.
pub struct Jobs<'r> {
    name: String,
    rows: Rows<'r>,
    parse: Box<dyn Parse>,
    words: Words,
    tally: Tally,
    on_bad_row: OnBadRow,
    keeps_jobs_without_gpus: bool,
    is_over: bool,
}

impl std::fmt::Debug for Jobs<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Jobs")
            .field("name", &self.name)
            .field("tally", &self.tally)
            .finish()
    }
}

impl Trace {
    /// Reads a file; its name is the trace's.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Trace, TraceError> {
        let name = path.display().to_string();
        let source =
            File::open(path).map_err(|source| TraceError::Open { name: name.clone(), source })?;
        Trace::read(&name, source, options)
    }

    /// Reads a source to its end.
    pub fn read(name: &str, source: impl Read, options: &ReadOptions) -> Result<Trace, TraceError> {
        let mut jobs = Jobs::begin(name, source, options)?;
        let list = jobs.by_ref().collect::<Result<Vec<Job>, TraceError>>()?;
        Ok(Trace { tally: jobs.tally, ..Trace::new(name, list) })
    }
}

impl<'r> Jobs<'r> {
    /// Reads as far as the header.
    pub fn begin(
        name: &str,
        source: impl Read + 'r,
        options: &ReadOptions,
    ) -> Result<Jobs<'r>, TraceError> {
        let read = |source| TraceError::Read { name: name.to_owned(), source };
        let mut source = unpacked(source).map_err(read)?;
        let mut begin = Vec::new();
        source.by_ref().take(BEGIN_BYTES).read_to_end(&mut begin).map_err(read)?;
        let format = match options.format.or_else(|| Format::detect(&begin)) {
            Some(format) => format,
            None => return Err(unknown(name, &begin)),
        };
        let splitting = format.splitting(&begin);
        let lines = Lines::new(Box::new(Cursor::new(begin).chain(source)));
        let mut rows = Rows::new(lines, splitting);
        let parse = if splitting.has_header() {
            header(name, &mut rows, format)?
        } else {
            format.headless()
        };
        let keeps_jobs_without_gpus = match options.without_gpus {
            WithoutGpus::ByFormat => format.keeps_jobs_without_gpus(),
            WithoutGpus::Keep => true,
            WithoutGpus::LeaveOut => false,
        };
        Ok(Jobs {
            name: name.to_owned(),
            rows,
            parse,
            words: Words::default(),
            tally: Tally::default(),
            on_bad_row: options.on_bad_row,
            keeps_jobs_without_gpus,
            is_over: false,
        })
    }

    /// What became of the rows so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The next job, if this row is one.
    fn take(&mut self, row: Result<Row, (u64, Fault)>) -> Result<Option<Job>, TraceError> {
        let (line, parsed) = match row {
            Ok(row) => (row.line, self.parse.row(&row, &mut self.words)),
            Err((line, fault)) => (line, Err(fault)),
        };
        let checked = parsed.and_then(|parsed| match parsed {
            Parsed::Job(job) => job.check().map(|()| Parsed::Job(job)),
            other => Ok(other),
        });
        match checked {
            Ok(Parsed::Comment) => return Ok(None),
            Ok(Parsed::Job(job)) if job.gpus != Gpus::NONE || self.keeps_jobs_without_gpus => {
                self.tally.rows += 1;
                self.tally.jobs += 1;
                return Ok(Some(*job));
            }
            Ok(Parsed::Job(_)) => self.tally.leave_out(LeftOut::WithoutGpus),
            Ok(Parsed::LeftOut(why)) => self.tally.leave_out(why),
            Err(Fault { column, reason }) => {
                let row = BadRow { line, column, reason };
                if self.on_bad_row == OnBadRow::Fail {
                    return Err(TraceError::BadRow { name: self.name.clone(), row });
                }
                self.tally.rows += 1;
                self.tally.bad += 1;
                if self.tally.first_bad.len() < FIRST_BAD_MAX {
                    self.tally.first_bad.push(row);
                }
            }
        }
        Ok(None)
    }
}

impl Iterator for Jobs<'_> {
    type Item = Result<Job, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Each round reads at least a line, so the loop ends with the file.
        while !self.is_over {
            let taken = match self.rows.next() {
                Ok(Some(row)) => self.take(row),
                Ok(None) => {
                    self.is_over = true;
                    Ok(None)
                }
                Err(source) => Err(TraceError::Read { name: self.name.clone(), source }),
            };
            match taken {
                Ok(None) => {}
                Ok(Some(job)) => return Some(Ok(job)),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

fn header(name: &str, rows: &mut Rows<'_>, format: Format) -> Result<Box<dyn Parse>, TraceError> {
    let misfit = |reason: String| TraceError::Header {
        name: name.to_owned(),
        format: format.to_string(),
        reason,
        hint: format.advice(),
    };
    let found = rows
        .next()
        .map_err(|source: io::Error| TraceError::Read { name: name.to_owned(), source })?;
    let row = match found {
        Some(Ok(row)) => row,
        Some(Err((line, fault))) => return Err(misfit(format!("line {line}: {}", fault.reason))),
        None => return Err(misfit("it is empty".to_owned())),
    };
    let header = Header::new(&row);
    let parse = format.below(&header).map_err(misfit)?;
    rows.expect_width(header.width());
    Ok(parse)
}

/// A small table, whole: its header and its rows, every one of them.
pub(crate) fn table_rows(name: &str, source: impl Read) -> Result<(Header, Vec<Row>), TraceError> {
    let failed = |source| TraceError::Read { name: name.to_owned(), source };
    let lines = Lines::new(unpacked(source).map_err(failed)?);
    let mut rows = Rows::new(lines, Splitting::Commas);
    let mut header: Option<Header> = None;
    let mut list = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let row = row.map_err(|(line, Fault { column, reason })| TraceError::BadRow {
            name: name.to_owned(),
            row: BadRow { line, column, reason },
        })?;
        if header.is_some() {
            list.push(row);
        } else {
            rows.expect_width(row.len());
            header = Some(Header::new(&row));
        }
    }
    let empty = || failed(io::ErrorKind::UnexpectedEof.into());
    Ok((header.ok_or_else(empty)?, list))
}

fn unknown(name: &str, begin: &[u8]) -> TraceError {
    const SHOWN: usize = 60;
    let text = String::from_utf8_lossy(begin);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    TraceError::UnknownFormat {
        name: name.to_owned(),
        begin: line.chars().filter(|c| !c.is_control()).take(SHOWN).collect(),
        formats: Format::words(),
    }
}

#[cfg(test)]
mod tests;
