//! `muster sim compare`: policies side by side, each against the first and against the bound.

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use muster_sim::replay::Options;
use serde::Serialize;

use super::number::{percent, ratio, tenths, whole};
use super::output::Output;
use super::report::{self, Column, Report};
use super::run::Run;
use super::setup::{Setup, replay};

/// Put policies side by side: every figure against that of the first policy, and the bounds
///
/// Any trace or made-up workload, and the options of a replay.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster sim compare --trace jobs.csv --cluster 64x8:H100 \
                        --policy muster,srtf,las,fifo")]
pub(super) struct Compare {
    #[command(flatten)]
    setup: Setup,

    #[command(flatten)]
    output: Output,
}

/// A figure that is compared: its name, its key, and what it is.
type Figure = (&'static str, &'static str, fn(&Run) -> f64);

const FIGURES: [Figure; 12] = [
    ("mean JCT, s", "mean_jct_s", |run| run.figures.mean_jct_s),
    ("median JCT, s", "p50_jct_s", |run| run.figures.p50_jct_s),
    ("p99 JCT, s", "p99_jct_s", |run| run.figures.p99_jct_s),
    ("mean wait, s", "mean_queue_s", |run| run.figures.mean_queue_s),
    ("p99 wait, s", "p99_queue_s", |run| run.figures.p99_queue_s),
    ("p99.9 wait, s", "p999_queue_s", |run| run.figures.p999_queue_s),
    ("longest gap, s", "max_gap_s", |run| run.figures.max_gap_s),
    ("makespan, s", "makespan_s", |run| run.figures.makespan_s),
    ("allocated, %", "allocated_share", |run| run.figures.allocated_share),
    ("useful, %", "useful_share", |run| run.figures.useful_share),
    ("preemptions", "preemptions", |run| run.figures.preemptions as f64),
    ("GPU-hours lost", "gpu_hours_lost", |run| run.figures.gpu_hours_lost),
];

/// A run with how it compares.
#[derive(Debug, Serialize)]
struct Compared<'a> {
    #[serde(flatten)]
    run: &'a Run,
    /// By key, of what the first policy has; without those of which it has none.
    of_first: serde_json::Map<String, serde_json::Value>,
    /// Mean JCT and makespan, of what no schedule can beat.
    mean_jct_of_bound: Option<f64>,
    makespan_of_bound: Option<f64>,
}

impl Compare {
    pub(super) fn run(&self) -> Result<()> {
        self.output.check()?;
        let ground = self.setup.ground()?;
        let series = self.output.wants_report();
        let mut columns = Vec::new();
        for rules in ground.rules {
            let options = Options { series, ..self.setup.options(rules)? };
            let finished = replay(&ground.trace, &ground.cluster, &options)?;
            columns.push(Column::policy(finished, options));
        }
        let runs: Vec<&Run> = columns.iter().map(|column| &column.run).collect();
        let compared: Vec<Compared<'_>> = runs.iter().map(|run| compare(run, runs[0])).collect();
        let page = || {
            let price = self.output.price();
            report::page(&Report::policies(&ground.trace, &ground.cluster, &columns, price))
        };
        self.output.write(&compared, || table(&runs), page)
    }
}

fn part(figure: f64, of: f64) -> Option<f64> {
    (of > 0.0).then(|| figure / of)
}

fn compare<'a>(run: &'a Run, first: &Run) -> Compared<'a> {
    let ratios = FIGURES.iter().filter_map(|(_, key, figure)| {
        Some(((*key).to_owned(), part(figure(run), figure(first))?.into()))
    });
    let figures = &run.figures;
    Compared {
        run,
        of_first: ratios.collect(),
        mean_jct_of_bound: part(figures.mean_jct_s, figures.bound_mean_jct_s),
        makespan_of_bound: part(figures.makespan_s, figures.bound_makespan_s),
    }
}

/// Columns of figures and of ratios.
fn table(runs: &[&Run]) -> String {
    let mut text = String::new();
    let Some((first, others)) = runs.split_first() else { return text };
    let mut line = |name: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>12}")).collect();
        writeln!(text, "{}", format!("{name:<20}{cells}").trim_end()).expect("a string takes all");
    };
    line(&format!("{} on {}, seed {}", first.trace, first.cluster, first.seed), Vec::new());
    let heads = others.iter().flat_map(|run| [run.policy.clone(), format!("of {}", first.policy)]);
    line("policy", [first.policy.clone()].into_iter().chain(heads).collect());
    let known = |ratio: Option<String>| ratio.unwrap_or_else(|| "-".to_owned());
    for (name, _, figure) in FIGURES {
        let shown = |run: &Run| match name {
            "allocated, %" | "useful, %" => percent(figure(run)),
            "GPU-hours lost" => tenths(figure(run)),
            _ => whole(figure(run)),
        };
        let cells =
            others.iter().flat_map(|run| [shown(run), known(ratio(figure(run), figure(first)))]);
        line(name, [shown(first)].into_iter().chain(cells).collect());
        let bound: fn(&Run) -> f64 = match name {
            "mean JCT, s" => |run| run.figures.bound_mean_jct_s,
            "makespan, s" => |run| run.figures.bound_makespan_s,
            _ => continue,
        };
        let of_bound = |run: &Run| known(ratio(figure(run), bound(run)));
        let cells = others.iter().flat_map(|run| [of_bound(run), String::new()]);
        line("  of the bound", [of_bound(first)].into_iter().chain(cells).collect());
    }
    text
}
