//! The normal form in columns, as it is written and read: one name for each value, with its unit
//! last. Both of our formats use it, so that neither can say more than the other.

use muster_model::{Mib, MilliCpu, MilliGpu, Millis, Time};
use serde::{Deserialize, Serialize};

use crate::job::{Fault, GpuRange, Gpus, Job, Saving, Text};

/// The columns in the order in which they are written.
pub(crate) const COLUMNS: [&str; 25] = [
    "id",
    "submit_ms",
    "duration_ms",
    "waited_ms",
    "gpus",
    "gpu_milli",
    "cpu_milli",
    "memory_mib",
    "nodes",
    "models",
    "user",
    "team",
    "pool",
    "name",
    "outcome",
    "limit_ms",
    "estimate_ms",
    "deadline_ms",
    "class",
    "save_every_ms",
    "save_ms",
    "restore_ms",
    "state_mib",
    "gpus_min",
    "gpus_max",
];

/// The columns that every trace has.
pub(crate) const REQUIRED: [&str; 3] = ["id", "submit_ms", "duration_ms"];

/// One job in columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Flat {
    pub(crate) id: Option<Text>,
    pub(crate) submit_ms: Option<u64>,
    pub(crate) duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) waited_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gpus: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gpu_milli: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cpu_milli: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory_mib: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) models: Vec<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) team: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pool: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimate_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deadline_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) class: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) save_every_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) save_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) restore_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) state_mib: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gpus_min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gpus_max: Option<u32>,
}

impl From<&Job> for Flat {
    fn from(job: &Job) -> Flat {
        let (gpus, gpu_milli) = match job.gpus {
            Gpus::Whole(gpus) => (Some(gpus), None),
            Gpus::Share(share) => (None, Some(share.0)),
        };
        let saving = job.saving.as_deref().copied().unwrap_or_default();
        Flat {
            id: Some(job.id.clone()),
            submit_ms: Some(job.submit.0),
            duration_ms: Some(job.duration.0),
            waited_ms: job.waited.map(|span| span.0),
            gpus,
            gpu_milli,
            cpu_milli: job.cpus.map(|cpus| cpus.0),
            memory_mib: job.memory.map(|memory| memory.0),
            nodes: job.nodes,
            models: job.models.clone(),
            user: job.user.clone(),
            team: job.team.clone(),
            pool: job.pool.clone(),
            name: job.name.clone(),
            outcome: Some(Text::from(job.outcome.word())),
            limit_ms: job.limit.map(|span| span.0),
            estimate_ms: job.estimate.map(|span| span.0),
            deadline_ms: job.deadline.map(|time| time.0),
            class: job.class.clone(),
            save_every_ms: saving.every.map(|span| span.0),
            save_ms: saving.save.map(|span| span.0),
            restore_ms: saving.restore.map(|span| span.0),
            state_mib: saving.state.map(|memory| memory.0),
            gpus_min: job.elastic.map(|range| range.min),
            gpus_max: job.elastic.map(|range| range.max),
        }
    }
}

impl TryFrom<Flat> for Job {
    type Error = Fault;

    fn try_from(flat: Flat) -> Result<Job, Fault> {
        let missing = |column| move || Fault::new(column, "empty, expected a value");
        let id = flat.id.clone().ok_or_else(missing("id"))?;
        let submit = Time(flat.submit_ms.ok_or_else(missing("submit_ms"))?);
        let duration = Millis(flat.duration_ms.ok_or_else(missing("duration_ms"))?);
        let mut job = Job::new(id, submit, duration, flat.gpus()?);
        job.elastic = flat.elastic()?;
        job.saving = flat.saving().map(Box::new);
        if let Some(outcome) = &flat.outcome {
            let refused = |expected| Fault::new("outcome", format!("`{outcome}`: {expected}"));
            job.outcome = outcome.parse().map_err(refused)?;
        }
        Ok(Job {
            waited: flat.waited_ms.map(Millis),
            cpus: flat.cpu_milli.map(MilliCpu),
            memory: flat.memory_mib.map(Mib),
            nodes: flat.nodes,
            models: flat.models,
            user: flat.user,
            team: flat.team,
            pool: flat.pool,
            name: flat.name,
            limit: flat.limit_ms.map(Millis),
            estimate: flat.estimate_ms.map(Millis),
            deadline: flat.deadline_ms.map(Time),
            class: flat.class,
            ..job
        })
    }
}

impl Flat {
    fn gpus(&self) -> Result<Gpus, Fault> {
        match (self.gpus, self.gpu_milli) {
            (Some(gpus), None) => Ok(Gpus::Whole(gpus)),
            (None, Some(milli)) => Ok(Gpus::Share(MilliGpu(milli))),
            (None, None) => Err(Fault::new("gpus", "empty, expected it or gpu_milli")),
            (Some(_), Some(_)) => Err(Fault::new("gpu_milli", "expected either it or gpus")),
        }
    }

    fn elastic(&self) -> Result<Option<GpuRange>, Fault> {
        match (self.gpus_min, self.gpus_max) {
            (None, None) => Ok(None),
            (Some(min), Some(max)) => Ok(Some(GpuRange { min, max })),
            (Some(_), None) => Err(Fault::new("gpus_max", "empty, expected it beside gpus_min")),
            (None, Some(_)) => Err(Fault::new("gpus_min", "empty, expected it beside gpus_max")),
        }
    }

    fn saving(&self) -> Option<Saving> {
        let saving = Saving {
            every: self.save_every_ms.map(Millis),
            save: self.save_ms.map(Millis),
            restore: self.restore_ms.map(Millis),
            state: self.state_mib.map(Mib),
        };
        Some(saving).filter(|saving| *saving != Saving::default())
    }
}
