//! `muster sim what-if`: the same trace in a changed world, before and after.

mod change;

use std::fmt::Write as _;

use anyhow::{Result, bail};
use clap::Args;
use muster_sim::replay::{Cost, Options};
use serde::Serialize;

use super::number::{percent, tenths, whole};
use super::output::Output;
use super::report::{self, Column, Report};
use super::run::Run;
use super::setup::{Setup, replay};
use change::Nodes;

/// Replay the same trace in a changed world and see what changes
///
/// All changes that are named are made together. The replay has one queue for all, so a guarantee
/// of a team cannot be changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster sim what-if --trace jobs.csv --cluster 16x8:H100 --nodes +2
  muster sim what-if --trace jobs.csv --cluster venus --nodes vcEwI+1 --suspend")]
pub(super) struct WhatIf {
    #[command(flatten)]
    setup: Setup,

    #[command(flatten)]
    output: Output,

    /// Nodes that are added like the last there is, or taken away: +2, -1; of a pool: NAME+2
    #[arg(long, value_name = "CHANGE", allow_hyphen_values = true)]
    nodes: Vec<Nodes>,

    /// Nobody is preempted
    #[arg(long, conflicts_with = "suspend")]
    no_preemption: bool,

    /// Preempted jobs are suspended to host memory, at the cost that was measured
    #[arg(long)]
    suspend: bool,
}

/// A figure: its name, its key, what it is, and how it is shown.
type Figure = (&'static str, &'static str, fn(&Run) -> f64, fn(f64) -> String);

const FIGURES: [Figure; 12] = [
    ("jobs", "jobs", |run| run.figures.jobs as f64, whole),
    ("mean JCT, s", "mean_jct_s", |run| run.figures.mean_jct_s, whole),
    ("  lower bound, s", "bound_mean_jct_s", |run| run.figures.bound_mean_jct_s, whole),
    ("p99 JCT, s", "p99_jct_s", |run| run.figures.p99_jct_s, whole),
    ("mean wait, s", "mean_queue_s", |run| run.figures.mean_queue_s, whole),
    ("p99 wait, s", "p99_queue_s", |run| run.figures.p99_queue_s, whole),
    ("longest gap, s", "max_gap_s", |run| run.figures.max_gap_s, whole),
    ("makespan, s", "makespan_s", |run| run.figures.makespan_s, whole),
    ("allocated, %", "allocated_share", |run| run.figures.allocated_share, percent),
    ("useful, %", "useful_share", |run| run.figures.useful_share, percent),
    ("preemptions", "preemptions", |run| run.figures.preemptions as f64, whole),
    ("GPU-hours lost", "gpu_hours_lost", |run| run.figures.gpu_hours_lost, tenths),
];

/// Both worlds, for programs.
#[derive(Debug, Serialize)]
struct Worlds<'a> {
    changes: &'a [String],
    before: &'a Run,
    after: &'a Run,
    /// By key: after less before.
    difference: serde_json::Map<String, serde_json::Value>,
}

impl WhatIf {
    pub(super) fn run(&self) -> Result<()> {
        self.output.check()?;
        let ground = self.setup.ground()?;
        let [rules] = &ground.rules[..] else {
            let hint = "to see several side by side, use `muster sim compare`";
            bail!("one policy is replayed before and after\nhint: {hint}");
        };
        let series = self.output.wants_report();
        let before = Options { series, ..self.setup.options(rules.clone())? };
        let (cluster, after, changes) = self.changed(&ground.cluster, &before)?;
        let finished = replay(&ground.trace, &ground.cluster, &before)?;
        let first = Column::called("before", finished, before);
        let finished = replay(&ground.trace, &cluster, &after)?;
        let columns = [first, Column::called("after", finished, after)];
        let [first, second] = &columns;
        let difference = FIGURES.iter().map(|(_, key, figure, _)| {
            ((*key).to_owned(), (figure(&second.run) - figure(&first.run)).into())
        });
        let worlds = Worlds {
            changes: &changes,
            before: &first.run,
            after: &second.run,
            difference: difference.collect(),
        };
        let page = || {
            let ground = (&ground.trace, &ground.cluster);
            report::page(&Report::worlds(ground, &columns, &changes, self.output.price()))
        };
        self.output.write(&worlds, || table(&worlds), page)
    }

    /// The changed world, and what is different in words.
    fn changed(
        &self,
        cluster: &muster_trace::Cluster,
        before: &Options,
    ) -> Result<(muster_trace::Cluster, Options, Vec<String>)> {
        let (mut cluster, mut options) = (cluster.clone(), before.clone());
        let mut changes = Vec::new();
        for nodes in &self.nodes {
            changes.push(nodes.apply(&mut cluster)?);
        }
        if self.no_preemption {
            options.cost = Cost::Never;
            changes.push("no preemption".to_owned());
        }
        if self.suspend {
            options.cost = Cost::Measured;
            changes.push("suspends at their measured cost".to_owned());
        }
        if changes.is_empty() {
            bail!("nothing is changed\nhint: name --nodes, --no-preemption or --suspend");
        }
        Ok((cluster, options, changes))
    }
}

fn table(worlds: &Worlds<'_>) -> String {
    let (before, after) = (worlds.before, worlds.after);
    let mut text = String::new();
    let taken = "a string takes all text";
    let head =
        format!("{} on {}, {}, seed {}", before.trace, before.cluster, before.policy, before.seed);
    writeln!(text, "{head}").expect(taken);
    writeln!(text, "with {}", worlds.changes.join(" and ")).expect(taken);
    let heads = format!("{:>14}{:>14}{:>14}{:>10}", "before", "after", "difference", "%");
    writeln!(text, "{:<20}{heads}", "").expect(taken);
    for (name, _, figure, show) in FIGURES {
        let (one, other) = (figure(before), figure(after));
        let sign = if other - one > 0.0 { "+" } else { "" };
        let difference = format!("{sign}{}", show(other - one));
        let part = match one {
            0.0 => "-".to_owned(),
            one => format!("{:+.1}", (other / one - 1.0) * 100.0),
        };
        let cells = format!("{:>14}{:>14}{difference:>14}{part:>10}", show(one), show(other));
        writeln!(text, "{name:<20}{cells}").expect(taken);
    }
    text
}
