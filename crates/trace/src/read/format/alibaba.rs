//! The pods of Alibaba's cluster-trace-gpu-v2023: `name, cpu_milli, memory_mib, num_gpu, gpu_milli`
//! and, in most lists, `gpu_spec, qos, pod_phase` and three times in seconds.
//!
//! Lists without times keep their order, with all pods submitted at zero and lasting nothing.

use muster_model::{Mib, MilliCpu, MilliGpu, Millis, Time};

use super::{Parse, Parsed};
use crate::job::{Fault, Gpus, Job, Outcome};
use crate::read::cell::seconds;
use crate::read::header::{Column, Header, Misfit};
use crate::read::row::Row;
use crate::read::words::Words;

/// The columns.
pub(super) struct Pods {
    name: Column,
    cpus: Column,
    memory: Column,
    count: Column,
    milli: Column,
    models: Option<Column>,
    class: Option<Column>,
    phase: Option<Column>,
    times: Option<Times>,
}

struct Times {
    created: Column,
    deleted: Column,
    scheduled: Option<Column>,
}

impl Pods {
    pub(super) fn new(header: &Header) -> Result<Pods, Misfit> {
        let [name, cpus, memory, count, milli] =
            header.all(["name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"])?;
        let [models, class, phase, scheduled] =
            ["gpu_spec", "qos", "pod_phase", "scheduled_time"].map(|name| header.find(name));
        let times = header.all(["creation_time", "deletion_time"]).ok();
        let times = times.map(|[created, deleted]| Times { created, deleted, scheduled });
        Ok(Pods { name, cpus, memory, count, milli, models, class, phase, times })
    }

    fn gpus(&self, row: &Row) -> Result<Gpus, Fault> {
        let count: u32 = self.count.number(row)?;
        let milli: u64 = self.milli.number(row)?;
        match (count, milli) {
            (0, _) => Ok(Gpus::NONE),
            (_, 1000) => Ok(Gpus::Whole(count)),
            (1, 1..=999) => Ok(Gpus::Share(MilliGpu(milli))),
            _ => Err(self.milli.refused(&milli.to_string(), "1000, or 1 to 999 of a single GPU")),
        }
    }
}

impl Times {
    /// Submission, wait if it ended, and the time on the GPUs. A pod that was never scheduled
    /// counts as if it had been at once: lists of pods to pack have such, and they matter there.
    fn read(&self, row: &Row) -> Result<(Time, Option<Millis>, Millis), Fault> {
        let created = self.created.need(row, seconds, "a time in seconds")?;
        let deleted = self.deleted.need(row, seconds, "a time in seconds")?;
        let scheduled = match &self.scheduled {
            Some(column) => column.read(row, seconds, "a time in seconds")?,
            None => None,
        };
        let begun = scheduled.unwrap_or(created);
        if begun < created || deleted < begun {
            let reason = "expected creation, scheduling and deletion in this order";
            return Err(Fault::new("deletion_time", reason));
        }
        let waited = scheduled.map(|scheduled| scheduled - created);
        Ok((Time(created.0), waited, deleted - begun))
    }
}

impl Parse for Pods {
    fn row(&mut self, row: &Row, words: &mut Words) -> Result<Parsed, Fault> {
        let (submit, waited, duration) = match &self.times {
            Some(times) => times.read(row)?,
            None => (Time(0), None, Millis::ZERO),
        };
        let mut job = Job::new(self.name.some(row)?, submit, duration, self.gpus(row)?);
        job.waited = waited;
        job.cpus = Some(MilliCpu(self.cpus.number(row)?));
        job.memory = Some(Mib(self.memory.number(row)?));
        job.models = words.barred(self.models.as_ref().and_then(|models| models.text(row)));
        job.class = words.some(self.class.as_ref().and_then(|class| class.text(row)));
        if let Some(phase) = &self.phase {
            let expected = "a phase of a pod, such as Running or Succeeded";
            job.outcome = phase.read(row, outcome, expected)?.unwrap_or_default();
        }
        Ok(Parsed::Job(Box::new(job)))
    }
}

fn outcome(phase: &str) -> Option<Outcome> {
    Some(match phase {
        "Succeeded" => Outcome::Completed,
        "Failed" => Outcome::Failed,
        "Running" | "Pending" => Outcome::Unfinished,
        "Unknown" => Outcome::Unknown,
        _ => return None,
    })
}
