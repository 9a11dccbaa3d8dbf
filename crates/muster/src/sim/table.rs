//! The figures of runs side by side, for people: one column for each policy.

use std::fmt::Write as _;

use super::number::{percent, whole};
use super::run::Run;
use super::team;

/// A line of the table: what it says, and the figure.
type Line = (&'static str, fn(&Run) -> String);

const LINES: [Line; 19] = [
    ("jobs", |run| run.figures.jobs.to_string()),
    ("unfinished", |run| run.figures.unfinished.to_string()),
    ("refused", |run| run.figures.refused.to_string()),
    ("mean JCT, s", |run| whole(run.figures.mean_jct_s)),
    ("  lower bound, s", |run| whole(run.figures.bound_mean_jct_s)),
    ("median JCT, s", |run| whole(run.figures.p50_jct_s)),
    ("p99 JCT, s", |run| whole(run.figures.p99_jct_s)),
    ("mean wait, s", |run| whole(run.figures.mean_queue_s)),
    ("p99 wait, s", |run| whole(run.figures.p99_queue_s)),
    ("p99.9 wait, s", |run| whole(run.figures.p999_queue_s)),
    ("longest gap, s", |run| whole(run.figures.max_gap_s)),
    ("makespan, s", |run| whole(run.figures.makespan_s)),
    ("allocated, %", |run| percent(run.figures.allocated_share)),
    ("useful, %", |run| percent(run.figures.useful_share)),
    ("preemptions", |run| run.figures.preemptions.to_string()),
    ("GPU-hours lost", |run| whole(run.figures.gpu_hours_lost)),
    ("deadlines met, %", |run| known(run.figures.deadlines_met_share.map(percent))),
    ("p90 covers, %", |run| known(run.figures.coverage_p90.map(percent))),
    ("CPU, s", |run| format!("{:.2}", run.cpu_s)),
];

/// The width of a column.
const WIDTH: usize = 12;

/// The table, with a heading.
pub(super) fn table(runs: &[&Run]) -> String {
    let mut text = String::new();
    let Some(first) = runs.first() else { return text };
    let mut write = |line: std::fmt::Arguments<'_>| {
        text.write_fmt(line).expect("a string takes all text");
    };
    write(format_args!("{} on {}, seed {}\n", first.trace, first.cluster, first.seed));
    write(format_args!("{:<20}", "policy"));
    runs.iter().for_each(|run| write(format_args!("{:>WIDTH$}", run.policy)));
    write(format_args!("\n{:<20}", "placer"));
    runs.iter().for_each(|run| write(format_args!("{:>WIDTH$}", run.placer)));
    for (name, figure) in LINES {
        write(format_args!("\n{name:<20}"));
        runs.iter().for_each(|run| write(format_args!("{:>WIDTH$}", figure(run))));
    }
    write(format_args!("\n"));
    text + &team::table(runs)
}

fn known(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "-".to_owned())
}
