//! `muster journal why`: why a job was where it was at a past moment.

use anyhow::Result;
use clap::Args;
use muster_api::{At, Moment};
use muster_model::JobId;
use muster_server::replay::{ReplayError, state_at};
use muster_store::{Journal, SqliteJournal};

use crate::cli::print;
use crate::cli::reference::Reference;

/// Say why a job waited, ran where it ran, or had ended, at a past moment
#[derive(Debug, Args)]
pub(super) struct Why {
    /// The job, or 12_3 for element 3 of array 12
    #[arg(value_name = "ID")]
    id: Reference,

    /// After this entry, or at a moment such as 2026-01-31T08:00:00Z [default: the last entry]
    #[arg(long, value_name = "ENTRY|MOMENT")]
    at: Option<At>,

    /// Print JSON: the reasons as data
    #[arg(long)]
    json: bool,
}

impl Why {
    pub(super) fn run(&self, journal: &SqliteJournal) -> Result<()> {
        let at = self.at.unwrap_or(At::Entry(journal.last()?));
        let mut past = state_at(journal, at)?;
        let job = match self.id.parts() {
            (array, Some(index)) => past.control.element(JobId(array), index),
            (id, None) => Some(JobId(id)),
        };
        let why = job.and_then(|job| past.control.why(job)).ok_or_else(|| ReplayError::NoJob {
            job: self.id.to_string(),
            sequence: past.sequence,
        })?;
        if self.json {
            return print::json(&why);
        }
        eprintln!("after entry {}, {}", past.sequence, Moment(past.control.now()));
        print::text(&format!("{}\n", why.text.trim_end()))
    }
}
