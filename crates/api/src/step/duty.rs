//! What a node is asked to have of a step, and what it says of it.

use std::sync::Arc;

use muster_engine::command::{Exit, Running};
use muster_model::{GpuSet, Name};
use serde::{Deserialize, Serialize};

use super::{StepRequest, Took};

/// A step's part on a node. Like a duty it says all there is to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepDuty {
    /// Its number within the attempt.
    pub step: u32,
    /// What it runs.
    pub request: Arc<StepRequest>,
    /// Its tasks here.
    pub tasks: Vec<StepTask>,
    /// Where all its tasks are.
    pub layout: StepLayout,
    /// The newest signal to send, numbered so that it is sent once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<(u32, u8)>,
    /// Set once it is to end: milliseconds between asking and forcing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_grace_ms: Option<u64>,
}

/// One task of a step on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepTask {
    /// Its rank among all tasks of the step.
    pub rank: u32,
    /// Its rank among those on this node.
    pub local_rank: u32,
    /// The GPUs it sees.
    pub gpus: GpuSet,
    /// Thousandths of CPUs it may use; any number if 0.
    pub cpus_milli: u64,
    /// Memory it may use, in MiB; any amount if 0.
    pub memory_mib: u64,
}

/// Where all tasks of a step are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepLayout {
    /// Its nodes, in order.
    pub nodes: Vec<Name>,
    /// How many tasks each of them has.
    pub tasks: Vec<u32>,
    /// This node's place among them.
    pub node_rank: u32,
    /// All GPUs it has on this node.
    pub gpus: GpuSet,
}

/// What a node says of a step. The engine never hears of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepReport {
    /// All its tasks here were started.
    Started {
        /// The attempt.
        of: Running,
        /// The step.
        step: u32,
    },
    /// One of its tasks has ended.
    Ended {
        /// The attempt.
        of: Running,
        /// The step.
        step: u32,
        /// The task, by rank.
        rank: u32,
        /// How.
        exit: Exit,
        /// Why it could not be started, where it could not.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        detail: String,
        /// What it took, where that was measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took: Option<Took>,
    },
    /// What a task of the job itself took that came by Slurm's commands.
    Took {
        /// The attempt.
        of: Running,
        /// The task, by rank.
        rank: u32,
        /// How much.
        took: Took,
    },
}

impl StepReport {
    /// The attempt it is about.
    pub fn of(&self) -> Running {
        match self {
            StepReport::Started { of, .. }
            | StepReport::Ended { of, .. }
            | StepReport::Took { of, .. } => *of,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StepReport;

    #[test]
    fn an_end_that_was_noted_before_anything_was_measured_is_read() {
        let text = r#"{"ended":{"of":{"job":7,"attempt":1},"step":0,"rank":2,"exit":{"code":3}}}"#;
        let report: StepReport = serde_json::from_str(text).expect("it is an end");
        assert!(matches!(report, StepReport::Ended { rank: 2, took: None, .. }), "{report:?}");
        assert_eq!(serde_json::to_string(&report).expect("plain data"), text);
    }
}
