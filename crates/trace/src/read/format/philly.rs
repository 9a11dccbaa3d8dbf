//! Philly as redistributed with Pollux: `timestamp, duration, num_gpus, gpu_time, cluster`. Jobs
//! have no id there: the number of their row is it. Rows are not in order of time.

use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job};
use crate::read::cell::seconds;
use crate::read::header::{Column, Header, Misfit};
use crate::read::moment::moment;
use crate::read::row::Row;
use crate::read::words::Words;

/// The columns, and how many rows were seen.
pub(super) struct Philly {
    submit: Column,
    duration: Column,
    gpus: Column,
    pool: Column,
    rows: u64,
}

impl Philly {
    pub(super) fn new(header: &Header) -> Result<Philly, Misfit> {
        let [submit, duration, gpus, pool] =
            header.all(["timestamp", "duration", "num_gpus", "cluster"])?;
        Ok(Philly { submit, duration, gpus, pool, rows: 0 })
    }
}

impl Parse for Philly {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        self.rows += 1;
        let submit = self.submit.need(row, moment, "a moment such as 2017-10-09 07:01:55")?;
        let duration = self.duration.need(row, seconds, "a duration in seconds")?;
        let gpus = Gpus::Whole(self.gpus.number(row)?);
        let mut job = Job::new(self.rows.to_string(), submit, duration, gpus);
        job.pool = words.some(self.pool.text(row));
        Ok(Parsed::Job(Box::new(job)))
    }
}
