//! `muster sim what-if`: the same trace in a changed world, before and after.

mod change;

use std::fmt::Write as _;

use anyhow::{Result, bail};
use clap::Args;
use muster_sim::replay::{Cost, Options};
use serde::Serialize;

use super::figure::{self, Figure};
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

/// The figures that are told of both worlds.
fn figures() -> impl Iterator<Item = Figure> {
    figure::without(["p50_jct_s", "p999_queue_s"])
}

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
        let difference = figures().map(|Figure { key, of, .. }| {
            (key.to_owned(), (of(&second.run) - of(&first.run)).into())
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
    for Figure { name, of, show, .. } in figures() {
        let (one, other) = (of(before), of(after));
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
