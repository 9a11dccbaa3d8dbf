//! Replays a trace through the engine: the jobs of the trace at their times, virtual nodes that
//! take time, and a clock that jumps from event to event. The engine is the one of production; it
//! is told what a cluster would tell it and nothing of the truth, unless a baseline is defined by
//! knowing it.
//!
//! ```
//! use muster_model::{Millis, Time};
//! use muster_sim::replay::{self, Options, Rules};
//! use muster_trace::{Cluster, Gpus, Job, Trace};
//!
//! let job = |id: &str, gpus| Job::new(id, Time(1_000), Millis::hours(1), Gpus::Whole(gpus));
//! let trace = Trace::new("two", vec![job("1", 8), job("2", 8)]);
//! let cluster = Cluster::find("1x8:H100", std::path::Path::new("."))?;
//! let fifo = Rules::named("fifo").expect("a policy of this name");
//! let replayed = replay::run(&trace, &cluster, &Options::new(fifo), |_| {})?;
//! assert_eq!(replayed.figures().mean_jct_s, 1.5 * 3_600.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agenda;
mod breaks;
mod carry;
mod cost;
mod demand;
mod figures;
mod happen;
mod limits;
mod live;
mod pool;
mod promise;
mod rough;
mod rules;
mod series;
mod sharing;
mod slow;
mod teams;
#[cfg(test)]
mod tests;
mod world;

use muster_model::{Millis, Time};
use muster_predict::Coverage;
use muster_trace::{Cluster, Trace};

use crate::error::SimError;
pub use cost::Cost;
pub use figures::Figures;
pub use promise::Promises;
pub use rules::{Knowledge, Rules};
pub use series::{Series, Signal};
pub use slow::Slowdown;
pub use teams::{Guarantees, Team, Teams};
use world::World;

/// How a trace is replayed.
#[derive(Clone, Debug)]
pub struct Options {
    /// The policy, and what it knows.
    pub rules: Rules,
    /// What a pause costs.
    pub cost: Cost,
    /// How long nodes take to launch a job.
    pub launch: Millis,
    /// How much longer gangs take that are not near each other.
    pub slowdown: Slowdown,
    /// How much longer jobs with part of a GPU take while one other computes on it, two others, and
    /// so on.
    pub slowdown_shared: Slowdown,
    /// The teams, each with a queue of its own; without any, all jobs are in one queue.
    pub teams: Option<Teams>,
    /// How often a node fails: mean failures in a day, in millionths. 0 is never.
    pub failures_ppm: u32,
    /// The seed of all chance.
    pub seed: u64,
    /// How long the replay lasts at most, from the first submission.
    pub until: Option<Millis>,
    /// How much faster jobs arrive than they were recorded, in thousandths.
    pub scale_milli: u64,
    /// Whether every step is judged by the checker.
    pub check: bool,
    /// Whether the engine is told of deadlines.
    pub deadlines: bool,
    /// Whether every job that begins to wait asks when it will have started at the latest.
    pub promises: bool,
    /// Whether it is followed over time how full the cluster is and who waits.
    pub series: bool,
}

impl Options {
    /// A replay as published ones are: nodes launch at once and never fail.
    pub fn new(rules: Rules) -> Options {
        Options {
            rules,
            cost: Cost::Table,
            launch: Millis::ZERO,
            slowdown: Slowdown::default(),
            slowdown_shared: Slowdown::default(),
            teams: None,
            failures_ppm: 0,
            seed: 1,
            until: None,
            scale_milli: 1_000,
            check: true,
            deadlines: false,
            promises: false,
            series: false,
        }
    }
}

/// How far a replay has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Jobs that have ended.
    pub ended: usize,
    /// Jobs in all.
    pub jobs: usize,
}

/// What became of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of its pool.
    pub pool: usize,
    /// When it was submitted.
    pub submit: Time,
    /// How long it computes.
    pub duration: Millis,
    /// Milli-GPUs it asked for.
    pub milli: u64,
    /// When it should have been over.
    pub deadline: Option<Time>,
    /// When it first had its GPUs.
    pub start: Option<Time>,
    /// When it was over.
    pub end: Option<Time>,
    /// How long it was without GPUs, in all.
    pub waited: Millis,
    /// The longest time it was without GPUs.
    pub gap: Millis,
    /// How long it had GPUs.
    pub held: Millis,
    /// What its place and its neighbours cost it of that.
    pub slowed: Millis,
    /// How often it gave its GPUs to another job.
    pub pauses: u32,
}

/// A replay that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// What became of each job, in the order of the trace; jobs that were refused are left out.
    pub records: Vec<Record>,
    /// Jobs that the cluster cannot run, and what was said of the first.
    pub refused: Vec<(usize, String)>,
    /// GPUs of each pool; one where the cluster is one whole.
    pub gpus: Vec<u64>,
    /// The first submission.
    pub first: Time,
    /// When the replay ended.
    pub ended: Time,
    /// Steps of the engine.
    pub steps: u64,
    /// How often predictions held.
    pub coverage: Coverage,
    /// What jobs were told and whether it held, where they asked.
    pub promises: Option<Promises>,
    /// How it went over time, where that was asked for.
    pub series: Option<Series>,
}

/// Replays a trace; `progress` is told now and then how far it is.
///
/// # Errors
/// Where the cluster or the policy is not accepted, a promise is broken, or the engine never rests.
pub fn run(
    trace: &Trace,
    cluster: &Cluster,
    options: &Options,
    progress: impl FnMut(Progress),
) -> Result<Replayed, SimError> {
    World::new(trace, cluster, options)?.run(progress)
}
