//! The formats that are known, how to tell them apart, and what each makes of a row.

mod alibaba;
mod itp;
mod muster;
mod philly;
mod sacct;
mod simple;
mod state;
mod swf;
mod tres;
mod venus;

use std::fmt;
use std::str::FromStr;

use super::header::{Header, Misfit};
use super::row::{Row, Splitting};
use super::words::Words;
use crate::job::{Fault, Job};
use crate::trace::LeftOut;

/// A format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Helios, as Venus was published.
    Venus,
    /// Microsoft Philly, as redistributed with Pollux.
    Philly,
    /// Microsoft ITP, as published with `ElasticFlow`.
    Itp,
    /// The pods of Alibaba's cluster-trace-gpu-v2023.
    Alibaba2023,
    /// `sacct --parsable2`, with any columns in any order.
    Sacct,
    /// The Standard Workload Format, with processors as GPUs.
    Swf,
    /// Four columns: `job_id`, `arrival_s`, `service_sec`, `gpu_count`.
    Simple,
    /// Our own, as CSV or JSON lines.
    Muster,
}

/// What a row is.
#[derive(Debug)]
pub(crate) enum Parsed {
    Job(Box<Job>),
    LeftOut(LeftOut),
    /// A comment of the format, which is no row.
    Comment,
}

/// What makes jobs of rows.
pub(crate) trait Parse {
    /// One row.
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault>;
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 8] = [
        Format::Venus,
        Format::Philly,
        Format::Itp,
        Format::Alibaba2023,
        Format::Sacct,
        Format::Swf,
        Format::Simple,
        Format::Muster,
    ];

    /// Its word, as it is written on a command line.
    pub const fn word(self) -> &'static str {
        match self {
            Format::Venus => "venus",
            Format::Philly => "philly",
            Format::Itp => "itp",
            Format::Alibaba2023 => "alibaba-2023",
            Format::Sacct => "sacct",
            Format::Swf => "swf",
            Format::Simple => "simple",
            Format::Muster => "muster",
        }
    }

    /// All words, for messages.
    pub fn words() -> String {
        Format::ALL.map(Format::word).join(", ")
    }

    /// The format of a file that begins like this, told by its first line.
    pub(crate) fn detect(begin: &[u8]) -> Option<Format> {
        let text = String::from_utf8_lossy(begin);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let line = text.lines().next()?;
        if line.starts_with('{') {
            return Some(Format::Muster);
        }
        let is_number = |cell: &str| cell.parse::<f64>().is_ok();
        let cells: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_swf = cells.len() == swf::CELLS && cells.iter().all(|cell| is_number(cell));
        if line.starts_with(';') || is_swf {
            return Some(Format::Swf);
        }
        let names = |delimiter| {
            let names = line.split(delimiter).map(|name: &str| name.trim().trim_matches('"'));
            names.collect::<Vec<_>>()
        };
        let (commas, bars) = (names(','), names('|'));
        Format::ALL.into_iter().find(|format| {
            let names = if *format == Format::Sacct { &bars } else { &commas };
            let marks = format.marks();
            let has = |mark: &&str| names.iter().any(|name| name.eq_ignore_ascii_case(mark));
            !marks.is_empty() && marks.iter().all(has)
        })
    }

    /// Columns that no other format has together.
    const fn marks(self) -> &'static [&'static str] {
        match self {
            Format::Venus => &["job_id", "vc", "gpu_num", "submit_time", "duration"],
            Format::Philly => &["timestamp", "duration", "num_gpus", "cluster"],
            Format::Itp => &["job_id", "submission_time", "num_gpu", "deadline"],
            Format::Alibaba2023 => &["name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"],
            // Behind a bar, no other format has any column.
            Format::Sacct => &["Submit"],
            Format::Swf => &[],
            Format::Simple => &["job_id", "arrival_s", "service_sec", "gpu_count"],
            Format::Muster => &["id", "submit_ms", "duration_ms"],
        }
    }

    /// How a file of this format that begins like this is split.
    pub(crate) fn splitting(self, begin: &[u8]) -> Splitting {
        match self {
            Format::Sacct => Splitting::Bars,
            Format::Swf => Splitting::Spaces,
            Format::Muster if begin.trim_ascii_start().starts_with(b"{") => Splitting::Whole,
            Format::Muster => Splitting::SpanningCommas,
            _ => Splitting::Commas,
        }
    }

    /// What reads the rows below this header.
    pub(crate) fn below(self, header: &Header) -> Result<Box<dyn Parse>, Misfit> {
        Ok(match self {
            Format::Venus => Box::new(venus::Venus::new(header)?),
            Format::Philly => Box::new(philly::Philly::new(header)?),
            Format::Itp => Box::new(itp::Itp::new(header)?),
            Format::Alibaba2023 => Box::new(alibaba::Pods::new(header)?),
            Format::Sacct => Box::new(sacct::Sacct::new(header)?),
            Format::Simple => Box::new(simple::Simple::new(header)?),
            Format::Muster => Box::new(muster::Columns::new(header)?),
            Format::Swf => Box::new(swf::Swf::new()),
        })
    }

    /// What reads rows where there is no header.
    pub(crate) fn headless(self) -> Box<dyn Parse> {
        match self {
            Format::Swf => Box::new(swf::Swf::new()),
            _ => Box::new(muster::JsonLines),
        }
    }

    /// What to do when a header lacks columns.
    pub(crate) fn advice(self) -> String {
        match self {
            Format::Sacct => format!("export with: {}", sacct::COMMAND),
            _ => format!("its columns are in docs/traces.md; formats: {}", Format::words()),
        }
    }

    /// Whether jobs without GPUs belong to what was recorded: in lists of pods they take the
    /// CPUs that others then lack.
    pub(crate) const fn keeps_jobs_without_gpus(self) -> bool {
        matches!(self, Format::Alibaba2023 | Format::Muster)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let found = Format::ALL.into_iter().find(|format| format.word() == text);
        found.ok_or_else(|| format!("expected one of {}", Format::words()))
    }
}

#[cfg(test)]
mod tests;
