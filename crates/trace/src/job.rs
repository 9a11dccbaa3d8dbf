//! A job of a trace in the normal form that every format is read into: what was asked for, what
//! happened, and what is known besides. Times are milliseconds, as in the engine.

mod check;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use muster_model::{Mib, MilliCpu, MilliGpu, Millis, Name, Time};

pub(crate) use check::Fault;

/// Text of a trace, shared between the jobs that repeat it. Never empty where it is optional:
/// what says nothing is `None`.
pub type Text = Arc<str>;

/// One job as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its id where it was recorded; not always unique there.
    pub id: Text,
    /// When it was submitted. Formats without a calendar count from a moment of their own.
    pub submit: Time,
    /// How long it ran on the GPUs it asked for. Zero where the trace has no times.
    pub duration: Millis,
    /// How long it waited where it was recorded, for comparison.
    pub waited: Option<Millis>,
    /// The GPUs it asked for, in all.
    pub gpus: Gpus,
    /// The CPUs it asked for, in all.
    pub cpus: Option<MilliCpu>,
    /// The memory it asked for, in all.
    pub memory: Option<Mib>,
    /// The nodes it asked for.
    pub nodes: Option<u32>,
    /// Acceptable GPU models; empty means any.
    pub models: Vec<Text>,
    /// Who submitted it.
    pub user: Option<Text>,
    /// The team or account it belongs to.
    pub team: Option<Text>,
    /// The part of the cluster it ran in: virtual cluster, partition.
    pub pool: Option<Text>,
    /// Its name or template: what its next run has in common with it.
    pub name: Option<Text>,
    /// How it ended.
    pub outcome: Outcome,
    /// The run-time limit its user gave.
    pub limit: Option<Millis>,
    /// The run time its user expected.
    pub estimate: Option<Millis>,
    /// When it should have been over.
    pub deadline: Option<Time>,
    /// Its class or quality of service.
    pub class: Option<Text>,
    /// How it saves its state.
    pub saving: Option<Box<Saving>>,
    /// The GPUs it could also have run with.
    pub elastic: Option<GpuRange>,
}

/// How many GPUs: whole ones, or part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gpus {
    /// So many whole GPUs; 0 for a job without.
    Whole(u32),
    /// Part of one GPU, less than the whole.
    Share(MilliGpu),
}

impl Gpus {
    /// No GPU.
    pub const NONE: Gpus = Gpus::Whole(0);

    /// Thousandths of a GPU, in all.
    pub fn milli(self) -> MilliGpu {
        match self {
            Gpus::Whole(gpus) => MilliGpu::whole(u64::from(gpus)),
            Gpus::Share(share) => share,
        }
    }
}

/// How a recorded job ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// With success.
    Completed,
    /// By its own failure.
    Failed,
    /// By request.
    Cancelled,
    /// By its limit.
    TimedOut,
    /// With a node it ran on.
    NodeLost,
    /// Its GPUs were taken for other work.
    Preempted,
    /// It still ran, or waited, when the record ends.
    Unfinished,
    /// The record does not say.
    #[default]
    Unknown,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 8] = [
        Outcome::Completed,
        Outcome::Failed,
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::NodeLost,
        Outcome::Preempted,
        Outcome::Unfinished,
        Outcome::Unknown,
    ];

    /// Its word, as it is written and read.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Completed => "completed",
            Outcome::Failed => "failed",
            Outcome::Cancelled => "cancelled",
            Outcome::TimedOut => "timed-out",
            Outcome::NodeLost => "node-lost",
            Outcome::Preempted => "preempted",
            Outcome::Unfinished => "unfinished",
            Outcome::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Outcome {
    type Err = String;

    fn from_str(text: &str) -> Result<Outcome, String> {
        Outcome::ALL.into_iter().find(|outcome| outcome.word() == text).ok_or_else(|| {
            format!("expected one of {}", Outcome::ALL.map(Outcome::word).join(", "))
        })
    }
}

/// How a job saves its state and what that costs, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saving {
    /// How often it saves by itself.
    pub every: Option<Millis>,
    /// How long a save takes.
    pub save: Option<Millis>,
    /// How long it takes to go on from one.
    pub restore: Option<Millis>,
    /// State of one GPU.
    pub state: Option<Mib>,
}

/// A range of whole GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuRange {
    /// The fewest it runs with.
    pub min: u32,
    /// The most it can use.
    pub max: u32,
}

impl Job {
    /// The models it accepts, each once, as the engine takes them: recorded lists repeat some.
    pub fn model_names(&self) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        for model in &self.models {
            let name = Name::from(&**model);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// A job of which nothing else is known.
    pub fn new(id: impl Into<Text>, submit: Time, duration: Millis, gpus: Gpus) -> Job {
        Job {
            id: id.into(),
            submit,
            duration,
            waited: None,
            gpus,
            cpus: None,
            memory: None,
            nodes: None,
            models: Vec::new(),
            user: None,
            team: None,
            pool: None,
            name: None,
            outcome: Outcome::Unknown,
            limit: None,
            estimate: None,
            deadline: None,
            class: None,
            saving: None,
            elastic: None,
        }
    }

    /// GPU time it needs, in thousandths of a GPU times milliseconds. Two bounded numbers: the
    /// product of the largest fits, and sums of many jobs do too.
    pub fn milli_gpu_millis(&self) -> u128 {
        u128::from(self.gpus.milli().0) * u128::from(self.duration.0)
    }
}
