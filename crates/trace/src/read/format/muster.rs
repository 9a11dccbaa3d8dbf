//! Our own format, as CSV and as JSON lines: the columns of [`crate::flat`] in any order, those
//! that say nothing left away.

use std::collections::BTreeMap;

use super::{Parse, Parsed};
use crate::flat::{COLUMNS, Flat, REQUIRED};
use crate::job::{Fault, Job, Text};
use crate::read::cell::natural;
use crate::read::header::{Column, Header, Misfit};
use crate::read::row::Row;
use crate::read::words::Words;

/// The columns that are there, by name.
pub(super) struct Columns {
    found: BTreeMap<&'static str, Column>,
}

impl Columns {
    pub(super) fn new(header: &Header) -> Result<Columns, Misfit> {
        header.all(REQUIRED)?;
        // A column that nobody reads is a misspelt one.
        let is_known =
            |name: &&String| COLUMNS.iter().any(|known| known.eq_ignore_ascii_case(name));
        if let Some(unknown) = header.names().iter().find(|name| !is_known(name)) {
            return Err(format!("the column `{unknown}` is not one of {}", COLUMNS.join(", ")));
        }
        let found = COLUMNS.into_iter().filter_map(|name| Some((name, header.find(name)?)));
        Ok(Columns { found: found.collect() })
    }

    fn number(&self, name: &str, row: &Row) -> Result<Option<u64>, Fault> {
        match self.found.get(name) {
            Some(column) => column.read(row, natural, "a whole number"),
            None => Ok(None),
        }
    }

    fn count(&self, name: &str, row: &Row) -> Result<Option<u32>, Fault> {
        let small = |text: &str| u32::try_from(natural(text)?).ok();
        match self.found.get(name) {
            Some(column) => column.read(row, small, "a whole number below 2^32"),
            None => Ok(None),
        }
    }

    fn text<'r>(&self, name: &str, row: &'r Row) -> Option<&'r str> {
        self.found.get(name)?.exact(row)
    }
}

impl Parse for Columns {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        let mut word = |name| words.some(self.text(name, row));
        let (user, team, pool) = (word("user"), word("team"), word("pool"));
        let (name, outcome, class) = (word("name"), word("outcome"), word("class"));
        let flat = Flat {
            id: self.text("id", row).map(Text::from),
            submit_ms: self.number("submit_ms", row)?,
            duration_ms: self.number("duration_ms", row)?,
            waited_ms: self.number("waited_ms", row)?,
            gpus: self.count("gpus", row)?,
            gpu_milli: self.number("gpu_milli", row)?,
            cpu_milli: self.number("cpu_milli", row)?,
            memory_mib: self.number("memory_mib", row)?,
            nodes: self.count("nodes", row)?,
            models: words.barred(self.text("models", row)),
            user,
            team,
            pool,
            name,
            outcome,
            limit_ms: self.number("limit_ms", row)?,
            estimate_ms: self.number("estimate_ms", row)?,
            deadline_ms: self.number("deadline_ms", row)?,
            class,
            save_every_ms: self.number("save_every_ms", row)?,
            save_ms: self.number("save_ms", row)?,
            restore_ms: self.number("restore_ms", row)?,
            state_mib: self.number("state_mib", row)?,
            gpus_min: self.count("gpus_min", row)?,
            gpus_max: self.count("gpus_max", row)?,
        };
        Ok(Parsed::Job(Box::new(Job::try_from(flat)?)))
    }
}

/// One JSON object a line.
pub(super) struct JsonLines;

impl Parse for JsonLines {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        let flat: Flat = serde_json::from_str(row.cell(0)).map_err(|error| said(&error))?;
        let mut job = Job::try_from(flat)?;
        let texts = [&mut job.user, &mut job.team, &mut job.pool, &mut job.name, &mut job.class];
        for text in texts.into_iter().flatten().chain(&mut job.models) {
            *text = words.word(text);
        }
        Ok(Parsed::Job(Box::new(job)))
    }
}

/// What the JSON reader says, without the place: it knows one line only.
fn said(error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let text = text.split(" at line 1 column").next().unwrap_or(&text);
    Fault::of_row(format!("{text} (column {})", error.column()))
}
