//! The bounds of a job: those of the model, so that whatever was read can be submitted.

use muster_model::bound::{
    CPUS_MAX, JOB_GPUS_MAX, MEMORY_MAX, SPAN_MAX, TASK_MODELS_MAX, TIME_MAX,
};
use muster_model::{Mib, Millis, Time};

use super::{GpuRange, Gpus, Job};

/// The most nodes a job may name: as many as the GPUs it may have.
const NODES_MAX: u32 = 1 << 20;

/// The longest text of a field: a name longer than this is not a name but a broken row.
const TEXT_BYTES_MAX: usize = 4096;

/// What is wrong with one value: the column, as its format names it, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) column: Option<String>,
    pub(crate) reason: String,
}

impl Fault {
    /// A fault of one column.
    pub(crate) fn new(column: &str, reason: impl Into<String>) -> Fault {
        Fault { column: Some(column.to_owned()), reason: reason.into() }
    }

    /// A fault of the whole row.
    pub(crate) fn of_row(reason: impl Into<String>) -> Fault {
        Fault { column: None, reason: reason.into() }
    }
}

impl Job {
    /// The first bound the job does not keep, by the columns of the normal form.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        self.check_times()?;
        self.check_sizes()?;
        self.check_texts()
    }

    fn check_times(&self) -> Result<(), Fault> {
        let times = [("submit_ms", Some(self.submit)), ("deadline_ms", self.deadline)];
        for (column, time) in times {
            within(column, time.unwrap_or_default(), Time(0), TIME_MAX, |time| time.0)?;
        }
        let saving = self.saving.as_deref().copied().unwrap_or_default();
        let spans = [
            ("duration_ms", Some(self.duration)),
            ("waited_ms", self.waited),
            ("limit_ms", self.limit),
            ("estimate_ms", self.estimate),
            ("save_every_ms", saving.every),
            ("save_ms", saving.save),
            ("restore_ms", saving.restore),
        ];
        for (column, span) in spans {
            within(column, span.unwrap_or_default(), Millis(0), SPAN_MAX, |span| span.0)?;
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<(), Fault> {
        match self.gpus {
            Gpus::Whole(gpus) => within("gpus", u64::from(gpus), 0, JOB_GPUS_MAX, |&gpus| gpus)?,
            Gpus::Share(share) => within("gpu_milli", share.0, 1, 999, |&milli| milli)?,
        }
        let cpus = self.cpus.unwrap_or_default();
        within("cpu_milli", cpus.0, 0, CPUS_MAX.0, |&cpus| cpus)?;
        let state = self.saving.as_deref().and_then(|saving| saving.state);
        for (column, memory) in [("memory_mib", self.memory), ("state_mib", state)] {
            within(column, memory.unwrap_or_default(), Mib(0), MEMORY_MAX, |memory| memory.0)?;
        }
        if let Some(nodes) = self.nodes {
            within("nodes", nodes, 1, NODES_MAX, |&nodes| u64::from(nodes))?;
        }
        if let Some(GpuRange { min, max }) = self.elastic {
            within("gpus_max", u64::from(max), 1, JOB_GPUS_MAX, |&gpus| gpus)?;
            within("gpus_min", min, 1, max, |&gpus| u64::from(gpus))?;
        }
        Ok(())
    }

    fn check_texts(&self) -> Result<(), Fault> {
        let texts = [
            ("id", Some(&self.id)),
            ("user", self.user.as_ref()),
            ("team", self.team.as_ref()),
            ("pool", self.pool.as_ref()),
            ("name", self.name.as_ref()),
            ("class", self.class.as_ref()),
        ];
        let models = self.models.iter().map(|model| ("models", Some(model)));
        for (column, text) in texts.into_iter().chain(models) {
            let Some(text) = text else { continue };
            if text.is_empty() {
                return Err(Fault::new(column, "empty, which says nothing"));
            }
            if text.len() > TEXT_BYTES_MAX {
                let reason = format!("{} bytes, expected at most {TEXT_BYTES_MAX}", text.len());
                return Err(Fault::new(column, reason));
            }
        }
        if self.models.len() > TASK_MODELS_MAX {
            let reason =
                format!("{} models, expected at most {TASK_MODELS_MAX}", self.models.len());
            return Err(Fault::new("models", reason));
        }
        if self.models.iter().any(|model| model.contains('|') || model.trim() != &**model) {
            let reason = "expected no `|` in the name of a model, and no spaces around it";
            return Err(Fault::new("models", reason));
        }
        Ok(())
    }
}

fn within<T: PartialOrd>(
    column: &str,
    value: T,
    least: T,
    most: T,
    number: impl Fn(&T) -> u64,
) -> Result<(), Fault> {
    if least <= value && value <= most {
        return Ok(());
    }
    let [value, least, most] = [value, least, most].map(|value| number(&value));
    Err(Fault::new(column, format!("{value} is not allowed, expected {least} to {most}")))
}
