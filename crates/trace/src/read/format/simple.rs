//! The least a trace can have: `job_id, arrival_s, service_sec, gpu_count`.

use muster_model::Time;

use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job};
use crate::read::cell::seconds;
use crate::read::header::{Column, Header, Misfit};
use crate::read::row::Row;
use crate::read::words::Words;

/// The columns.
pub(super) struct Simple {
    id: Column,
    arrival: Column,
    service: Column,
    gpus: Column,
}

impl Simple {
    pub(super) fn new(header: &Header) -> Result<Simple, Misfit> {
        let [id, arrival, service, gpus] =
            header.all(["job_id", "arrival_s", "service_sec", "gpu_count"])?;
        Ok(Simple { id, arrival, service, gpus })
    }
}

impl Parse for Simple {
    fn row(&mut self, row: &Row, _: &mut Words) -> Result<Parsed, Fault> {
        let submit = Time(self.arrival.need(row, seconds, "a time in seconds")?.0);
        let duration = self.service.need(row, seconds, "a duration in seconds")?;
        let gpus = Gpus::Whole(self.gpus.number(row)?);
        Ok(Parsed::Job(Box::new(Job::new(self.id.some(row)?, submit, duration, gpus))))
    }
}
