//! What happens inside a job that the engine need not know of: it decides where tasks run, and
//! sees only that they are there.

use std::sync::Arc;

use muster_api::step::{StepReport, StepRequest};
use muster_api::{Reach, Report};
use muster_engine::command::{Command, Exit};
use muster_model::{JobId, NodeId};
use serde::{Deserialize, Serialize};

use super::Entry;

/// One thing inside a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inside {
    /// Its processes are sent a signal.
    Signalled {
        /// The job.
        job: JobId,
        /// The signal.
        signal: u8,
        /// Who hears it.
        to: Reach,
    },
    /// A job that only holds its places is ended by its owner.
    Ended {
        /// The job.
        job: JobId,
        /// How it is said to have ended.
        exit: Exit,
    },
    /// A step is to start in it.
    Step {
        /// The job.
        job: JobId,
        /// What the step is.
        request: Arc<StepRequest>,
    },
    /// One of its steps is sent a signal, or is to end.
    StepSignalled {
        /// The job.
        job: JobId,
        /// The step.
        step: u32,
        /// The signal; none to end it.
        signal: Option<u8>,
    },
    /// A node says something of a step.
    Told {
        /// The node.
        node: NodeId,
        /// What it says.
        report: StepReport,
    },
}

impl Inside {
    /// What kind of thing it is, in one word.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Inside::Signalled { .. } => "signalled",
            Inside::Ended { .. } => "let-go",
            Inside::Step { .. } => "step",
            Inside::StepSignalled { .. } => "step-signalled",
            Inside::Told { report: StepReport::Started { .. }, .. } => "step-started",
            Inside::Told { report: StepReport::Ended { .. }, .. } => "step-ended",
            Inside::Told { report: StepReport::Took { .. }, .. } => "took",
        }
    }

    /// The rest of it, in one line.
    pub(super) fn line(&self) -> String {
        match self {
            Inside::Signalled { job, signal, .. } => format!("job {job}, signal {signal}"),
            Inside::Ended { job, exit } => format!("job {job}, {}", super::words::end(*exit)),
            Inside::Step { job, request } => format!("job {job}, `{}`", request.name),
            Inside::StepSignalled { job, step, signal } => match signal {
                Some(signal) => format!("job {job} step {step}, signal {signal}"),
                None => format!("job {job} step {step}"),
            },
            Inside::Told { node, report } => told(*node, report),
        }
    }
}

fn told(node: NodeId, report: &StepReport) -> String {
    let job = report.of().job;
    match report {
        StepReport::Started { step, .. } => format!("job {job} step {step} on node #{}", node.0),
        StepReport::Ended { step, rank, exit, .. } => {
            let end = super::words::end(*exit);
            format!("job {job} step {step} task {rank} on node #{}, {end}", node.0)
        }
        StepReport::Took { rank, took, .. } => {
            let peak = took.memory_peak_kib;
            format!("job {job} task {rank} on node #{}, {peak} KiB", node.0)
        }
    }
}

impl Entry {
    /// A report of a node as it is journaled.
    pub fn told(node: NodeId, report: &Report) -> Entry {
        match (report, report.command(node)) {
            (Report::Step(report), _) => {
                Entry::Inside(Inside::Told { node, report: report.clone() })
            }
            (
                Report::Refused { detail, .. } | Report::GpuUnhealthy { detail, .. },
                Some(command),
            ) => Entry::Explained { command, detail: detail.clone() },
            (_, Some(command)) => Entry::Told(command),
            (_, None) => Entry::Told(Command::Tick),
        }
    }
}
