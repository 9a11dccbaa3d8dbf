//! Microsoft ITP as published with `ElasticFlow`: `job_id, submission_time, num_iteration,
//! model_name, deadline, batch_size, num_gpu, duration`, times in seconds.

use muster_model::Time;

use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job};
use crate::read::cell::seconds;
use crate::read::header::{Column, Header, Misfit};
use crate::read::row::Row;
use crate::read::words::Words;

/// The columns.
pub(super) struct Itp {
    id: Column,
    submit: Column,
    deadline: Column,
    gpus: Column,
    duration: Column,
    model: Option<Column>,
    batch: Option<Column>,
}

impl Itp {
    pub(super) fn new(header: &Header) -> Result<Itp, Misfit> {
        let [id, submit, deadline, gpus, duration] =
            header.all(["job_id", "submission_time", "deadline", "num_gpu", "duration"])?;
        let [model, batch] = ["model_name", "batch_size"].map(|name| header.find(name));
        Ok(Itp { id, submit, deadline, gpus, duration, model, batch })
    }
}

impl Parse for Itp {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        let submit = Time(self.submit.need(row, seconds, "a time in seconds")?.0);
        let duration = self.duration.need(row, seconds, "a duration in seconds")?;
        let gpus = Gpus::Whole(self.gpus.number(row)?);
        let mut job = Job::new(self.id.some(row)?, submit, duration, gpus);
        let deadline = self.deadline.read(row, seconds, "a time in seconds")?;
        job.deadline = deadline.map(|deadline| Time(deadline.0));
        // What is trained, and in which portions, is what runs of the same work have in common.
        let parts = [&self.model, &self.batch].map(|column| column.as_ref()?.text(row));
        let template = parts.into_iter().flatten().collect::<Vec<_>>().join("-");
        job.name = words.some(Some(template.as_str()).filter(|name| !name.is_empty()));
        Ok(Parsed::Job(Box::new(job)))
    }
}
