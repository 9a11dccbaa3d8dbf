//! The figures of a run, with the names that every run of a simulation has.

use serde::Serialize;

use super::{Outcome, Rule, Setting};
use crate::bound::{self, Work};

/// What came out, over all jobs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The rule.
    pub policy: &'static str,
    /// Where gangs are put; the same for all published rules.
    pub placer: &'static str,
    /// How many jobs.
    pub jobs: u64,
    /// Mean time from submission to the end.
    pub mean_jct_s: f64,
    /// The median.
    pub p50_jct_s: u64,
    /// Nine of ten take no longer.
    pub p90_jct_s: u64,
    /// 99 of 100 take no longer.
    pub p99_jct_s: u64,
    /// Mean time without GPUs before the end.
    pub mean_queue_s: f64,
    /// 99 of 100 wait no longer.
    pub p99_queue_s: u64,
    /// 999 of 1000 wait no longer.
    pub p999_queue_s: u64,
    /// The longest time that a job went without service.
    pub max_gap_s: u64,
    /// From the first submission to the last end.
    pub makespan_s: u64,
    /// How often GPUs were taken from a job.
    pub preemptions: u64,
    /// Jobs over by their deadline, of those that have one.
    pub deadlines_met_share: Option<f64>,
    /// No schedule has a mean below this.
    pub bound_mean_jct_s: f64,
    /// No schedule is over before this.
    pub bound_makespan_s: f64,
    /// The same, pool by pool.
    pub pools: Vec<PoolFigures>,
}

/// What came out in one pool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolFigures {
    /// Its name; empty where a cluster is one whole.
    pub pool: String,
    /// How many nodes.
    pub nodes: u32,
    /// How many jobs.
    pub jobs: u64,
    /// Mean time from submission to the end.
    pub mean_jct_s: f64,
    /// Mean time without GPUs before the end.
    pub mean_queue_s: f64,
    /// How often GPUs were taken from a job.
    pub preemptions: u64,
    /// No schedule has a mean below this.
    pub bound_mean_jct_s: f64,
}

impl Figures {
    /// Sums up what became of the jobs, given in the order of the trace.
    pub fn of(setting: &Setting, rule: Rule, outcomes: &[Outcome]) -> Figures {
        let jcts = sorted(outcomes, |outcome| outcome.jct_s);
        let waits = sorted(outcomes, |outcome| outcome.wait_s);
        let first = setting.jobs().map(|job| job.submit_s).min().unwrap_or_default();
        let ends = setting.jobs().zip(outcomes).map(|(job, outcome)| job.submit_s + outcome.jct_s);
        let works = works(setting);
        Figures {
            policy: rule.word(),
            placer: PLACER,
            jobs: outcomes.len() as u64,
            mean_jct_s: mean(&jcts),
            p50_jct_s: rank(&jcts, 500),
            p90_jct_s: rank(&jcts, 900),
            p99_jct_s: rank(&jcts, 990),
            mean_queue_s: mean(&waits),
            p99_queue_s: rank(&waits, 990),
            p999_queue_s: rank(&waits, 999),
            max_gap_s: outcomes.iter().map(|outcome| outcome.gap_s).max().unwrap_or_default(),
            makespan_s: ends.max().map_or(0, |last| last - first),
            preemptions: outcomes.iter().map(|outcome| u64::from(outcome.preemptions)).sum(),
            deadlines_met_share: deadlines_met(setting, outcomes),
            bound_mean_jct_s: bound::mean_jct(&works) / SECOND,
            bound_makespan_s: bound::makespan(&works) / SECOND,
            pools: pools(setting, outcomes, &works),
        }
    }
}

/// The published placement.
const PLACER: &str = "consolidate";

/// Milliseconds of a second.
const SECOND: f64 = 1000.0;

fn sorted(outcomes: &[Outcome], of: impl Fn(&Outcome) -> u64) -> Vec<u64> {
    let mut values: Vec<u64> = outcomes.iter().map(of).collect();
    values.sort_unstable();
    values
}

fn mean(values: &[u64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().sum::<u64>() as f64 / values.len() as f64
}

/// The nearest rank: the least value that so many of a thousand do not exceed.
fn rank(sorted: &[u64], of_thousand: usize) -> u64 {
    let rank = (sorted.len() * of_thousand).div_ceil(1000).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

fn deadlines_met(setting: &Setting, outcomes: &[Outcome]) -> Option<f64> {
    let (mut met, mut all) = (0_u64, 0_u64);
    for (job, outcome) in setting.jobs().zip(outcomes) {
        let Some(deadline_s) = job.deadline_s else { continue };
        all += 1;
        met += u64::from(job.submit_s + outcome.jct_s <= deadline_s);
    }
    (all > 0).then(|| met as f64 / all as f64)
}

fn pools(setting: &Setting, outcomes: &[Outcome], works: &[bound::Pool]) -> Vec<PoolFigures> {
    let figures = |(index, pool): (usize, &super::Pool)| {
        let here = setting.homes().zip(outcomes).filter(|(home, _)| *home == index);
        let here: Vec<Outcome> = here.map(|(_, outcome)| *outcome).collect();
        PoolFigures {
            pool: pool.name.clone(),
            nodes: pool.nodes,
            jobs: here.len() as u64,
            mean_jct_s: mean(&sorted(&here, |outcome| outcome.jct_s)),
            mean_queue_s: mean(&sorted(&here, |outcome| outcome.wait_s)),
            preemptions: here.iter().map(|outcome| u64::from(outcome.preemptions)).sum(),
            bound_mean_jct_s: works[index].mean_jct() / SECOND,
        }
    };
    setting.pools.iter().enumerate().map(figures).collect()
}

/// The pools as the bounds see them.
fn works(setting: &Setting) -> Vec<bound::Pool> {
    let millis = |seconds: u64| seconds * 1000;
    let work = |job: &super::Job| Work {
        release_ms: millis(job.submit_s),
        duration_ms: millis(job.duration_s),
        gpus: job.gpus,
    };
    let pool = |pool: &super::Pool| bound::Pool {
        gpus: pool.gpus(),
        works: pool.jobs.iter().map(work).collect(),
    };
    setting.pools.iter().map(pool).collect()
}
