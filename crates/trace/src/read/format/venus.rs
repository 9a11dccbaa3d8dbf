//! Helios: `job_id, user, vc, gpu_num, cpu_num, state, submit_time, duration`, times in seconds.

use muster_model::Time;

use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job, Outcome};
use crate::read::cell::{cpus, seconds};
use crate::read::header::{Column, Header, Misfit};
use crate::read::row::Row;
use crate::read::words::Words;

/// The columns.
pub(super) struct Venus {
    id: Column,
    pool: Column,
    gpus: Column,
    submit: Column,
    duration: Column,
    user: Option<Column>,
    cpus: Option<Column>,
    state: Option<Column>,
}

impl Venus {
    pub(super) fn new(header: &Header) -> Result<Venus, Misfit> {
        let [id, pool, gpus, submit, duration] =
            header.all(["job_id", "vc", "gpu_num", "submit_time", "duration"])?;
        let [user, cpus, state] = ["user", "cpu_num", "state"].map(|name| header.find(name));
        Ok(Venus { id, pool, gpus, submit, duration, user, cpus, state })
    }
}

impl Parse for Venus {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        let submit = Time(self.submit.need(row, seconds, "a time in seconds")?.0);
        let duration = self.duration.need(row, seconds, "a duration in seconds")?;
        let gpus = Gpus::Whole(self.gpus.number(row)?);
        let mut job = Job::new(self.id.some(row)?, submit, duration, gpus);
        job.pool = words.some(self.pool.text(row));
        job.user = words.some(self.user.as_ref().and_then(|user| user.text(row)));
        if let Some(column) = &self.cpus {
            job.cpus = column.read(row, cpus, "a number of CPUs")?;
        }
        if let Some(state) = &self.state {
            job.outcome = state.read(row, outcome, EXPECTED)?.unwrap_or_default();
        }
        Ok(Parsed::Job(Box::new(job)))
    }
}

/// What is said of another state.
pub(super) const EXPECTED: &str = "a state of Slurm, such as COMPLETED or FAILED";

/// States as Slurm writes them: of jobs that ended well, badly, or not yet.
const STATES: [(&str, Outcome); 23] = [
    ("COMPLETED", Outcome::Completed),
    ("FAILED", Outcome::Failed),
    ("OUT_OF_MEMORY", Outcome::Failed),
    ("CANCELLED", Outcome::Cancelled),
    ("REVOKED", Outcome::Cancelled),
    ("TIMEOUT", Outcome::TimedOut),
    ("DEADLINE", Outcome::TimedOut),
    ("NODE_FAIL", Outcome::NodeLost),
    ("BOOT_FAIL", Outcome::NodeLost),
    ("PREEMPTED", Outcome::Preempted),
    ("REQUEUED", Outcome::Preempted),
    ("REQUEUE_HOLD", Outcome::Preempted),
    ("SPECIAL_EXIT", Outcome::Preempted),
    ("RUNNING", Outcome::Unfinished),
    ("PENDING", Outcome::Unfinished),
    ("SUSPENDED", Outcome::Unfinished),
    ("COMPLETING", Outcome::Unfinished),
    ("CONFIGURING", Outcome::Unfinished),
    ("RESIZING", Outcome::Unfinished),
    ("REQUEUE_FED", Outcome::Unfinished),
    ("SIGNALING", Outcome::Unfinished),
    ("STAGE_OUT", Outcome::Unfinished),
    ("STOPPED", Outcome::Unfinished),
];

/// What a state says of the end of a job.
pub(super) fn outcome(state: &str) -> Option<Outcome> {
    // `CANCELLED by 1000` names the user behind the state; a `+` says that the word was cut.
    let word = state.split(' ').next().unwrap_or_default();
    let is_meant = |known: &str| match word.strip_suffix('+') {
        Some(begin) => !begin.is_empty() && known.starts_with(begin),
        None => known == word,
    };
    STATES.into_iter().find(|(known, _)| is_meant(known)).map(|(_, outcome)| outcome)
}
