//! `muster sim compare`: policies side by side, each against the first and against the bound.

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::figure::{self, Figure};
use super::number::ratio;
use super::output::Output;
use super::report::{self, Report};
use super::run::Run;
use super::setup::Setup;
use super::team;

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

/// The figures that are compared: the bound is that of all policies, and so are the jobs.
fn figures() -> impl Iterator<Item = Figure> {
    figure::without(["jobs", "bound_mean_jct_s"])
}

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
        let columns = self.setup.columns(&ground, self.output.wants_report())?;
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
    let ratios = figures().filter_map(|figure| {
        Some((figure.key.to_owned(), part((figure.of)(run), (figure.of)(first))?.into()))
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
    for Figure { name, key, of, show } in figures() {
        let shown = |run: &Run| show(of(run));
        let cells = others.iter().flat_map(|run| [shown(run), known(ratio(of(run), of(first)))]);
        line(name, [shown(first)].into_iter().chain(cells).collect());
        let bound: fn(&Run) -> f64 = match key {
            "mean_jct_s" => |run| run.figures.bound_mean_jct_s,
            "makespan_s" => |run| run.figures.bound_makespan_s,
            _ => continue,
        };
        let of_bound = |run: &Run| known(ratio(of(run), bound(run)));
        let cells = others.iter().flat_map(|run| [of_bound(run), String::new()]);
        line("  of the bound", [of_bound(first)].into_iter().chain(cells).collect());
    }
    text + &team::table(runs)
}
