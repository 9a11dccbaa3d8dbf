//! A replay in numbers.

use muster_model::{Millis, Time};
use serde::Serialize;

use super::{Record, Replayed};
use crate::bound::{self, Pool};

/// What a replay came to. Times are seconds; jobs that did not end are counted and not in the
/// means.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Jobs that ran to their end.
    pub jobs: usize,
    /// Jobs that had not ended when the replay did.
    pub unfinished: usize,
    /// Jobs that the cluster cannot run.
    pub refused: usize,
    /// From submission to end.
    pub mean_jct_s: f64,
    /// Half of all are not longer.
    pub p50_jct_s: f64,
    /// 99 of 100 are not longer.
    pub p99_jct_s: f64,
    /// Time without GPUs.
    pub mean_queue_s: f64,
    /// 99 of 100 are not longer.
    pub p99_queue_s: f64,
    /// 999 of 1000 are not longer.
    pub p999_queue_s: f64,
    /// The longest time that a job was without GPUs at a stretch, ended or not.
    pub max_gap_s: f64,
    /// From the first submission to the last end.
    pub makespan_s: f64,
    /// GPU time that jobs held, of all there was.
    pub allocated_share: f64,
    /// GPU time that jobs needed, of all there was.
    pub useful_share: f64,
    /// How often a job gave its GPUs to another.
    pub preemptions: u64,
    /// GPU time that was held and not needed.
    pub gpu_hours_lost: f64,
    /// Of the jobs with a deadline, those that ended in time.
    pub deadlines_met_share: Option<f64>,
    /// No schedule of the jobs that ended has a lower mean.
    pub bound_mean_jct_s: f64,
    /// The three that it is the largest of, pool by pool: mean duration, ...
    pub bound_duration_s: f64,
    /// ... one fast machine, ...
    pub bound_fast_machine_s: f64,
    /// ... and mean busy time.
    pub bound_busy_time_s: f64,
    /// No schedule of the jobs that ended is over sooner.
    pub bound_makespan_s: f64,
    /// Of the predicted jobs, those not longer than their median.
    pub coverage_p50: Option<f64>,
    /// Of the predicted jobs, those not longer than their ninth decile.
    pub coverage_p90: Option<f64>,
}

impl Replayed {
    /// The replay in numbers.
    pub fn figures(&self) -> Figures {
        let over: Vec<(&Record, Time)> =
            self.records.iter().filter_map(|record| Some((record, record.end?))).collect();
        let jct = Spans::new(over.iter().map(|(record, end)| end.since(record.submit)));
        let queue = Spans::new(over.iter().map(|(record, _)| record.waited));
        let makespan = self.ended.since(self.first);
        let gap = self.records.iter().map(|record| record.gap).max().unwrap_or(Millis::ZERO);
        let capacity = self.gpus.iter().sum::<u64>() as f64 * seconds(makespan);
        let held: f64 = self.records.iter().map(|record| gpus(record) * seconds(record.held)).sum();
        let needed = |record: &Record| gpus(record) * seconds(record.needed());
        let useful: f64 = self.records.iter().map(needed).sum();
        let share = |part: f64| if capacity > 0.0 { part / capacity } else { 0.0 };
        let coverage = self.coverage.shares();
        let limits = self.limits();
        Figures {
            jobs: over.len(),
            unfinished: self.records.len() - over.len(),
            refused: self.refused.len(),
            mean_jct_s: jct.mean(),
            p50_jct_s: jct.part(500),
            p99_jct_s: jct.part(990),
            mean_queue_s: queue.mean(),
            p99_queue_s: queue.part(990),
            p999_queue_s: queue.part(999),
            max_gap_s: seconds(gap),
            makespan_s: seconds(makespan),
            allocated_share: share(held),
            useful_share: share(useful),
            preemptions: self.records.iter().map(|record| u64::from(record.pauses)).sum(),
            gpu_hours_lost: (held - useful) / 3_600.0,
            deadlines_met_share: self.deadlines_met(),
            bound_mean_jct_s: bound::mean_jct(&limits) / 1_000.0,
            bound_duration_s: bound::mean_of(&limits, Pool::by_duration) / 1_000.0,
            bound_fast_machine_s: bound::mean_of(&limits, Pool::by_fast_machine) / 1_000.0,
            bound_busy_time_s: bound::mean_of(&limits, Pool::by_busy_time) / 1_000.0,
            bound_makespan_s: bound::makespan(&limits) / 1_000.0,
            coverage_p50: coverage.map(|(median, _)| median),
            coverage_p90: coverage.map(|(_, p90)| p90),
        }
    }

    fn deadlines_met(&self) -> Option<f64> {
        let due = || self.records.iter().filter_map(|record| Some((record, record.deadline?)));
        let met = due().filter(|(record, due)| record.end.is_some_and(|end| end <= *due)).count();
        let all = due().count();
        (all > 0).then(|| met as f64 / all as f64)
    }
}

impl Record {
    /// Of the time that it held GPUs, what it would have needed alone on one node. A job that did
    /// not end has not needed what it was slowed down by either.
    pub(super) fn needed(&self) -> Millis {
        self.duration.min(self.held.saturating_sub(self.slowed))
    }
}

fn gpus(record: &Record) -> f64 {
    record.milli as f64 / 1_000.0
}

fn seconds(span: Millis) -> f64 {
    span.0 as f64 / 1_000.0
}

/// Spans in order.
struct Spans(Vec<Millis>);

impl Spans {
    fn new(spans: impl Iterator<Item = Millis>) -> Spans {
        let mut spans: Vec<Millis> = spans.collect();
        spans.sort_unstable();
        Spans(spans)
    }

    fn mean(&self) -> f64 {
        let sum: u128 = self.0.iter().map(|span| u128::from(span.0)).sum();
        if self.0.is_empty() { 0.0 } else { sum as f64 / 1_000.0 / self.0.len() as f64 }
    }

    /// The span that so many thousandths do not exceed: the nearest rank.
    fn part(&self, milli: usize) -> f64 {
        let rank = (self.0.len() * milli).div_ceil(1_000);
        self.0.get(rank.saturating_sub(1)).map_or(0.0, |span| seconds(*span))
    }
}
