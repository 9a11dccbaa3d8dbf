//! What one task needs in one list: `cpu=4,gres/gpu:h100=2`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::{Gpus, Gres, count, refuse};

const FORMS: &str = "expected `cpu=N` and `gres/gpu=N` or `gres/gpu:TYPE=N`, with commas between";

/// What `--tres-per-task` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TresPerTask {
    /// CPUs of a task.
    pub cpus: Option<u32>,
    /// GPUs of a task.
    pub gpus: Gpus,
}

impl FromStr for TresPerTask {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<TresPerTask, Invalid> {
        let mut tres = TresPerTask::default();
        let mut gres = Vec::new();
        for item in text.split(',') {
            match item.strip_prefix("cpu").and_then(|rest| rest.strip_prefix(['=', ':'])) {
                Some(cpus) => tres.cpus = Some(count("tres-per-task", cpus)?),
                None if item.starts_with("gres") => gres.push(item),
                None => return Err(refuse("tres-per-task", text, FORMS)),
            }
        }
        if !gres.is_empty() {
            let Gres { gpus, others } =
                gres.join(",").parse().map_err(|_| refuse("tres-per-task", text, FORMS))?;
            if !others.is_empty() {
                return Err(refuse("tres-per-task", text, FORMS));
            }
            tres.gpus = gpus;
        }
        Ok(tres)
    }
}

impl fmt::Display for TresPerTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cpus = self.cpus.map(|cpus| format!("cpu={cpus}"));
        let gpus = self.gpus.0.iter().map(|gpus| match &gpus.model {
            Some(model) => format!("gres/gpu:{model}={}", gpus.count),
            None => format!("gres/gpu={}", gpus.count),
        });
        let parts: Vec<String> = cpus.into_iter().chain(gpus).collect();
        formatter.write_str(&parts.join(","))
    }
}
