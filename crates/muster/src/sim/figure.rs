//! The figures of a run that are compared with those of another.

use super::number::{percent, tenths, whole};
use super::run::Run;

/// A figure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figure {
    /// As people read it.
    pub(super) name: &'static str,
    /// As programs do.
    pub(super) key: &'static str,
    pub(super) of: fn(&Run) -> f64,
    pub(super) show: fn(f64) -> String,
}

const fn figure(
    name: &'static str,
    key: &'static str,
    of: fn(&Run) -> f64,
    show: fn(f64) -> String,
) -> Figure {
    Figure { name, key, of, show }
}

/// All of them, in the order in which they are shown.
const ALL: [Figure; 14] = [
    figure("jobs", "jobs", |run| run.figures.jobs as f64, whole),
    figure("mean JCT, s", "mean_jct_s", |run| run.figures.mean_jct_s, whole),
    figure("  lower bound, s", "bound_mean_jct_s", |run| run.figures.bound_mean_jct_s, whole),
    figure("median JCT, s", "p50_jct_s", |run| run.figures.p50_jct_s, whole),
    figure("p99 JCT, s", "p99_jct_s", |run| run.figures.p99_jct_s, whole),
    figure("mean wait, s", "mean_queue_s", |run| run.figures.mean_queue_s, whole),
    figure("p99 wait, s", "p99_queue_s", |run| run.figures.p99_queue_s, whole),
    figure("p99.9 wait, s", "p999_queue_s", |run| run.figures.p999_queue_s, whole),
    figure("longest gap, s", "max_gap_s", |run| run.figures.max_gap_s, whole),
    figure("makespan, s", "makespan_s", |run| run.figures.makespan_s, whole),
    figure("allocated, %", "allocated_share", |run| run.figures.allocated_share, percent),
    figure("useful, %", "useful_share", |run| run.figures.useful_share, percent),
    figure("preemptions", "preemptions", |run| run.figures.preemptions as f64, whole),
    figure("GPU-hours lost", "gpu_hours_lost", |run| run.figures.gpu_hours_lost, tenths),
];

/// All but some, by their keys.
pub(super) fn without(keys: [&'static str; 2]) -> impl Iterator<Item = Figure> {
    ALL.into_iter().filter(move |figure| !keys.contains(&figure.key))
}
