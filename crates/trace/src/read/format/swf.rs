//! The Standard Workload Format: 18 numbers a line, `-1` for unknown, comments behind `;`. It
//! knows processors only; they are read as GPUs.

use muster_model::{Mib, Millis, Time};

use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job, Outcome};
use crate::read::cell::{natural, seconds};
use crate::read::header::Column;
use crate::read::row::Row;
use crate::read::words::Words;
use crate::trace::LeftOut;

/// Numbers in a line.
pub(super) const CELLS: usize = 18;

/// The fields by their names in the standard.
const NAMES: [&str; CELLS] = [
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
];

/// The fields, and the moment their times count from.
pub(super) struct Swf {
    fields: [Column; CELLS],
    start: Millis,
}

impl Swf {
    pub(super) fn new() -> Swf {
        let mut index = 0;
        let fields = NAMES.map(|name| {
            index += 1;
            Column::at(index - 1, name)
        });
        Swf { fields, start: Millis::ZERO }
    }

    /// A field that may be unknown.
    fn known<T>(
        &self,
        row: &Row,
        field: usize,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let column = &self.fields[field];
        match column.text(row) {
            None => Ok(None),
            Some(text) if text.starts_with("-1") => Ok(None),
            Some(_) => column.read(row, read, "a number that is not negative, or -1"),
        }
    }

    /// A label made of a number.
    fn label(&self, row: &Row, field: usize) -> Result<Option<String>, Fault> {
        let number = self.known(row, field, natural)?;
        Ok(number.map(|number| format!("{}-{number}", NAMES[field])))
    }

    /// `; UnixStartTime: 1000` says when the record begins.
    fn comment(&mut self, row: &Row) {
        let cells: Vec<&str> = (0..row.len()).map(|index| row.cell(index)).collect();
        let text = cells.join(" ");
        let value = text.trim_start_matches([';', ' ']).strip_prefix("UnixStartTime:");
        if let Some(start) = value.and_then(|value| seconds(value.trim())) {
            self.start = start;
        }
    }
}

impl Parse for Swf {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        if row.cell(0).starts_with(';') {
            self.comment(row);
            return Ok(Parsed::Comment);
        }
        if row.len() != CELLS {
            return Err(Fault::of_row(format!("{} numbers, expected {CELLS}", row.len())));
        }
        let submit = self.fields[1].need(row, seconds, "a time in seconds")?;
        let whole = |text: &str| u32::try_from(natural(text)?).ok();
        let asked = self.known(row, 7, whole)?.filter(|&processors| processors > 0);
        let processors = match asked {
            Some(asked) => Some(asked),
            None => self.known(row, 4, whole)?,
        };
        let Some(duration) = self.known(row, 3, seconds)? else {
            return Ok(Parsed::LeftOut(LeftOut::NeverStarted));
        };
        let processors = processors.ok_or_else(|| Fault::new(NAMES[7], "unknown"))?;
        let submit = Time(submit.0.saturating_add(self.start.0));
        let mut job =
            Job::new(self.fields[0].some(row)?, submit, duration, Gpus::Whole(processors));
        job.waited = self.known(row, 2, seconds)?;
        job.limit = self.known(row, 8, seconds)?;
        let kib_each = self.known(row, 9, natural)?.filter(|&kib| kib > 0);
        job.memory = kib_each
            .and_then(|kib| kib.checked_mul(u64::from(processors)))
            .map(|kib| Mib(kib.div_ceil(1024)));
        job.outcome = match self.fields[10].text(row) {
            Some("0") => Outcome::Failed,
            Some("1") => Outcome::Completed,
            Some("5") => Outcome::Cancelled,
            _ => Outcome::Unknown,
        };
        let labels = [(11, &mut job.user), (12, &mut job.team), (13, &mut job.name)];
        let more = [(14, &mut job.class), (15, &mut job.pool)];
        for (field, text) in labels.into_iter().chain(more) {
            *text = words.some(self.label(row, field)?.as_deref());
        }
        Ok(Parsed::Job(Box::new(job)))
    }
}
