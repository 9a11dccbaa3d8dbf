//! What a node says of its tasks. Each report is about one attempt and can be told twice.

use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_model::{Attempt, JobId, NodeId, Rung};
use serde::{Deserialize, Serialize};

use crate::step::StepReport;
use crate::usage::UsageSpan;

/// One thing that happened on a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// All tasks of the attempt here are running.
    Started(Running),
    /// The attempt was not launched; nothing of it runs here.
    Refused {
        /// The attempt.
        of: Running,
        /// Whose fault it is.
        refusal: Refusal,
        /// The whole story, for people.
        detail: String,
    },
    /// All tasks of the attempt here have ended, or it was never here.
    Ended {
        /// The attempt.
        of: Running,
        /// How the worst of them ended.
        exit: Exit,
    },
    /// The application has saved its work.
    Saved(Running),
    /// A rung was carried out.
    Paused(RungAnswer),
    /// A rung could not be carried out; all is as before.
    PauseRefused(RungAnswer),
    /// A rung was undone.
    Resumed(RungAnswer),
    /// Exactly the tasks a resize asked for are here.
    Resized {
        /// The attempt.
        of: Running,
        /// The number of the resize.
        resize: u32,
    },
    /// The application says how it gets on.
    Progress {
        /// The attempt.
        of: Running,
        /// Steps per 1000 seconds, 0 if that cannot be said.
        rate: u32,
        /// Parts per million of all the work that are done.
        done_ppm: Option<u32>,
    },
    /// Something about a step, which the engine need not know.
    Step(StepReport),
    /// A GPU reports errors.
    GpuUnhealthy {
        /// Its index.
        gpu: u32,
        /// What it says.
        detail: String,
    },
    /// A GPU is well again.
    GpuHealthy {
        /// Its index.
        gpu: u32,
    },
}

/// The answer to an order of the pause ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RungAnswer {
    /// The attempt.
    pub of: Running,
    /// The number of the order.
    pub order: u32,
    /// The rung.
    pub rung: Rung,
}

/// Reports of one session, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reports {
    /// The session they belong to.
    pub session: u64,
    /// The number of the first of them; the rest follow without gaps.
    pub first: u64,
    /// The reports; none to renew the lease only.
    pub reports: Vec<Report>,
    /// The last version of duties that the agent has acted on, so that the server can see a node
    /// that listens and does nothing.
    pub version: u64,
    /// What attempts used. It is not journaled: what is lost of it costs no one their work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<UsageSpan>,
}

impl Report {
    /// The command that tells the engine, where it is of use to it.
    pub fn command(&self, node: NodeId) -> Option<Command> {
        Some(match self.clone() {
            Report::Step(_) => return None,
            Report::Started(Running { job, attempt }) => Command::Started { node, job, attempt },
            Report::Refused { of: Running { job, attempt }, refusal, .. } => {
                Command::Refused { node, job, attempt, refusal }
            }
            Report::Ended { of: Running { job, attempt }, exit } => {
                Command::Ended { node, job, attempt, exit }
            }
            Report::Saved(Running { job, attempt }) => Command::Saved { job, attempt },
            Report::Paused(RungAnswer { of: Running { job, attempt }, order, rung }) => {
                Command::Paused { node, job, attempt, order, rung }
            }
            Report::PauseRefused(RungAnswer { of: Running { job, attempt }, order, rung }) => {
                Command::PauseRefused { node, job, attempt, order, rung }
            }
            Report::Resumed(RungAnswer { of: Running { job, attempt }, order, rung }) => {
                Command::Resumed { node, job, attempt, order, rung }
            }
            Report::Resized { of: Running { job, attempt }, resize } => {
                Command::Resized { node, job, attempt, resize }
            }
            Report::Progress { of: Running { job, attempt }, rate, done_ppm } => {
                Command::Progress { job, attempt, rate, done_ppm }
            }
            Report::GpuUnhealthy { gpu, .. } => Command::GpuUnhealthy { node, gpu },
            Report::GpuHealthy { gpu } => Command::GpuHealthy { node, gpu },
        })
    }

    /// The attempt it is about, where it is about one.
    pub fn of(&self) -> Option<(JobId, Attempt)> {
        match self {
            Report::Started(of)
            | Report::Saved(of)
            | Report::Refused { of, .. }
            | Report::Ended { of, .. }
            | Report::Resized { of, .. }
            | Report::Progress { of, .. }
            | Report::Paused(RungAnswer { of, .. })
            | Report::PauseRefused(RungAnswer { of, .. })
            | Report::Resumed(RungAnswer { of, .. }) => Some((of.job, of.attempt)),
            Report::Step(report) => Some((report.of().job, report.of().attempt)),
            Report::GpuUnhealthy { .. } | Report::GpuHealthy { .. } => None,
        }
    }
}
