//! What became of some of the jobs of a run: those of a team, or those of a size.

use muster_sim::replay::{Record, Replayed};
use muster_trace::{Job, Trace};

/// Sums over the jobs that ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    pub(super) jobs: usize,
    /// That they needed.
    pub(super) gpu_hours: f64,
    waited_s: f64,
    jct_s: f64,
}

impl Sum {
    pub(super) fn add(&mut self, record: &Record) {
        let Some(end) = record.end else { return };
        self.jobs += 1;
        self.gpu_hours += record.milli as f64 * record.duration.0 as f64 / 3.6e9;
        self.waited_s += record.waited.0 as f64 / 1_000.0;
        self.jct_s += end.since(record.submit).0 as f64 / 1_000.0;
    }

    pub(super) fn join(&mut self, other: &Sum) {
        self.jobs += other.jobs;
        self.gpu_hours += other.gpu_hours;
        self.waited_s += other.waited_s;
        self.jct_s += other.jct_s;
    }

    /// Time without GPUs.
    pub(super) fn mean_queue_s(&self) -> f64 {
        self.mean(self.waited_s)
    }

    /// From submission to end.
    pub(super) fn mean_jct_s(&self) -> f64 {
        self.mean(self.jct_s)
    }

    fn mean(&self, sum: f64) -> f64 {
        if self.jobs == 0 { 0.0 } else { sum / self.jobs as f64 }
    }
}

/// The jobs of a trace with their records: those that were refused have none.
pub(super) fn jobs<'a>(
    trace: &'a Trace,
    replayed: &'a Replayed,
) -> impl Iterator<Item = (&'a Job, &'a Record)> {
    let mut refused = replayed.refused.iter().map(|(index, _)| *index).peekable();
    let accepted = trace.jobs.iter().enumerate().filter(move |(index, _)| {
        let is_refused = refused.peek() == Some(index);
        if is_refused {
            refused.next();
        }
        !is_refused
    });
    accepted.map(|(_, job)| job).zip(&replayed.records)
}
