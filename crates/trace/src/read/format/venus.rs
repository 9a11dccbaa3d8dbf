//! Helios: `job_id, user, vc, gpu_num, cpu_num, state, submit_time, duration`, times in seconds.

use muster_model::Time;

use super::state::{EXPECTED, outcome};
use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job};
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
