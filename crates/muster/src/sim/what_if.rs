//! `muster sim what-if`: the same trace in a changed world, before and after.

mod change;
mod guarantee;
mod parts;

use std::fmt::Write as _;

use anyhow::{Result, bail};
use clap::Args;
use muster_sim::replay::{Cost, Options, Teams};
use muster_trace::Cluster;
use serde::Serialize;

use super::figure::{self, Figure};
use super::output::Output;
use super::report::{self, Column, Report};
use super::run::Run;
use super::setup::{Setup, replay};
use change::Nodes;
use guarantee::Guarantee;
pub(super) use parts::Part;

/// Replay the same trace in a changed world and see what changes
///
/// All changes that are named are made together. Where a guarantee is changed, each team has a
/// queue of its own before and after; else all jobs are in one, unless teams are asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster sim what-if --trace jobs.csv --cluster 16x8:H100 --nodes +2
  muster sim what-if --trace jobs.csv --cluster venus --nodes vcEwI+1 --suspend
  muster sim what-if --trace jobs.csv --cluster 16x8:H100 --guarantee vision=x2")]
pub(super) struct WhatIf {
    #[command(flatten)]
    setup: Setup,

    #[command(flatten)]
    output: Output,

    /// Nodes that are added like the last there is, or taken away: +2, -1; of a pool: NAME+2
    #[arg(long, value_name = "CHANGE", allow_hyphen_values = true)]
    nodes: Vec<Nodes>,

    /// What a team is guaranteed instead, by a factor or in GPUs: TEAM=x2, TEAM=64; all that are
    /// not named: others=x0.9
    #[arg(long, value_name = "TEAM=AMOUNT")]
    guarantee: Vec<Guarantee>,

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
    /// The teams that are guaranteed something else, and the others.
    #[serde(skip_serializing_if = "<[Part]>::is_empty")]
    teams: &'a [Part],
}

/// What is different.
struct Changed {
    cluster: Cluster,
    options: Options,
    /// In words.
    changes: Vec<String>,
    /// The teams that are guaranteed something else, by name.
    named: Vec<String>,
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
        let teams = match self.guarantee.is_empty() {
            true => ground.teams.clone(),
            false => Some(Teams::of(&ground.trace, &ground.cluster)?),
        };
        let before = Options { series, teams, ..self.setup.options(rules.clone())? };
        let Changed { cluster, options: after, changes, named } =
            self.changed(&ground.cluster, &before)?;
        let finished = replay(&ground.trace, &ground.cluster, &before)?;
        let first = Column::called("before", finished, before);
        let finished = replay(&ground.trace, &cluster, &after)?;
        let columns = [first, Column::called("after", finished, after)];
        let [first, second] = &columns;
        let difference = figures().map(|Figure { key, of, .. }| {
            (key.to_owned(), (of(&second.run) - of(&first.run)).into())
        });
        let parts = parts::parts(&named, &first.run, &second.run);
        let worlds = Worlds {
            changes: &changes,
            before: &first.run,
            after: &second.run,
            difference: difference.collect(),
            teams: &parts,
        };
        let page = || {
            let ground = (&ground.trace, &ground.cluster);
            let said = (&changes[..], &parts[..]);
            report::page(&Report::worlds(ground, &columns, said, self.output.price()))
        };
        self.output.write(&worlds, || table(&worlds), page)
    }

    /// The changed world, and what is different in words.
    fn changed(&self, cluster: &Cluster, before: &Options) -> Result<Changed> {
        let (mut cluster, mut options) = (cluster.clone(), before.clone());
        let (mut changes, mut named) = (Vec::new(), Vec::new());
        for nodes in &self.nodes {
            changes.push(nodes.apply(&mut cluster)?);
        }
        if let Some(teams) = &mut options.teams {
            let words;
            (words, named) = guarantee::apply(&self.guarantee, teams, &cluster)?;
            changes.extend(words);
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
            let hint = "name --nodes, --guarantee, --no-preemption or --suspend";
            bail!("nothing is changed\nhint: {hint}");
        }
        Ok(Changed { cluster, options, changes, named })
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
        difference(&mut text, name, (of(before), of(after)), show);
    }
    worlds.teams.iter().for_each(|part| parts::write(&mut text, part));
    text
}

/// Adds a line with a figure before and after.
fn difference(text: &mut String, name: &str, (one, other): (f64, f64), show: fn(f64) -> String) {
    let sign = if other - one > 0.0 { "+" } else { "" };
    let shown = show(other - one);
    let difference = format!("{sign}{}", if shown == "-0" { "0" } else { &shown });
    let part = match one {
        0.0 => "-".to_owned(),
        one => format!("{:+.1}", (other / one - 1.0) * 100.0),
    };
    let cells = format!("{:>14}{:>14}{difference:>14}{part:>10}", show(one), show(other));
    writeln!(text, "{name:<20}{cells}").expect("a string takes all text");
}
