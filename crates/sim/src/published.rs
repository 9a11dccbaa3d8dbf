//! Published baselines by their published rules, in a simulator of their own that shares nothing
//! with the engine: what is to be beaten must first come out again.
//!
//! Time is in whole seconds, as where the figures come from. Seconds in which nothing can change
//! are skipped; what happens in the others happens in the published order: jobs end, jobs come,
//! the rule decides.

mod blocking;
mod figures;
mod nodes;
mod setting;
mod srtf;
mod tiresias;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use figures::{Figures, PoolFigures};
pub use setting::Setting;

/// A published rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// First in, first out; nobody passes the first in line.
    Fifo,
    /// Shortest job first by true durations; nobody passes the first in line.
    Sjf,
    /// Shortest remaining time first by true durations, with preemption, every second.
    Srtf,
    /// Tiresias with two levels and without durations, with preemption, every minute.
    Tiresias,
    /// Earliest deadline first; nobody passes the first in line, and jobs without a deadline
    /// come last.
    Edf,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 5] = [Rule::Fifo, Rule::Sjf, Rule::Srtf, Rule::Tiresias, Rule::Edf];

    /// Its word, as it is written and read.
    pub const fn word(self) -> &'static str {
        match self {
            Rule::Fifo => "fifo",
            Rule::Sjf => "sjf",
            Rule::Srtf => "srtf",
            Rule::Tiresias => "tiresias",
            Rule::Edf => "edf",
        }
    }

    fn run(self, pool: &Pool) -> Vec<Outcome> {
        match self {
            Rule::Fifo => blocking::run(pool, |job| job.submit_s),
            Rule::Sjf => blocking::run(pool, |job| job.duration_s),
            Rule::Edf => blocking::run(pool, |job| job.deadline_s.unwrap_or(u64::MAX)),
            Rule::Srtf => srtf::run(pool),
            Rule::Tiresias => tiresias::run(pool),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        let found = Rule::ALL.into_iter().find(|rule| rule.word() == text);
        found.ok_or_else(|| format!("expected one of {}", Rule::ALL.map(Rule::word).join(", ")))
    }
}

/// A job as these rules see it: whole GPUs, whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// When it comes.
    pub submit_s: u64,
    /// How long it runs; at least a second, for less never ends there.
    pub duration_s: u64,
    /// Its gang.
    pub gpus: u32,
    /// When it should be over.
    pub deadline_s: Option<u64>,
}

/// Equal nodes and the jobs that run there and nowhere else, in order of submission; jobs of the
/// same second keep the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Its name; empty where a cluster is one whole.
    pub name: String,
    /// How many nodes.
    pub nodes: u32,
    /// GPUs of each.
    pub gpus_per_node: u32,
    /// The jobs.
    pub jobs: Vec<Job>,
}

impl Pool {
    /// All its GPUs.
    pub fn gpus(&self) -> u64 {
        u64::from(self.nodes) * u64::from(self.gpus_per_node)
    }

    /// What becomes of each job under a rule.
    pub fn run(&self, rule: Rule) -> Vec<Outcome> {
        rule.run(self)
    }
}

/// What became of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How long it waited, in all.
    pub wait_s: u64,
    /// The longest of its waits: the longest time without service.
    pub gap_s: u64,
    /// From submission to its end.
    pub jct_s: u64,
    /// How often its GPUs were taken.
    pub preemptions: u32,
}

impl Outcome {
    /// It starts after waiting so long.
    fn starts(&mut self, waited_s: u64) {
        self.wait_s += waited_s;
        self.gap_s = self.gap_s.max(waited_s);
    }
}

/// Seconds of work that a preemption adds: saving and starting anew, as Lucid assumes it.
fn preemption_cost_s(gpus: u32) -> u64 {
    const LARGEST_SMALL_GANG: u32 = 8;
    if gpus <= LARGEST_SMALL_GANG { 40 } else { 60 }
}

/// Why a trace cannot be run by these rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PublishedError {
    /// The rules know whole GPUs only.
    #[error(
        "job {job} asks for {gpus} thousandths of a GPU: the published rules know whole GPUs\n\
         hint: `muster sim packing` is for shares"
    )]
    Share {
        /// The job.
        job: String,
        /// What it asks for.
        gpus: u64,
    },
    /// A job would wait for ever.
    #[error(
        "job {job} asks for {gpus} GPUs, and {pool} has {most}: it would wait for ever\n\
         hint: name a larger cluster"
    )]
    TooLarge {
        /// The job.
        job: String,
        /// What it asks for.
        gpus: u32,
        /// Where it would run.
        pool: String,
        /// What is there.
        most: u64,
    },
    /// A job names a pool that the cluster has not.
    #[error(
        "job {job} is of the pool {pool:?}, which the cluster has not\n\
         hint: name a cluster with the pools of the trace, or one without pools"
    )]
    NoPool {
        /// The job.
        job: String,
        /// Its pool.
        pool: String,
    },
    /// The nodes of a pool are not alike.
    #[error(
        "nodes of {pool} have {one} and {other} GPUs: the published rules know nodes of one size\n\
         hint: name a cluster whose pools have equal nodes"
    )]
    Unequal {
        /// The pool.
        pool: String,
        /// GPUs of the first node.
        one: u32,
        /// GPUs of another.
        other: u32,
    },
}

#[cfg(test)]
mod tests;
