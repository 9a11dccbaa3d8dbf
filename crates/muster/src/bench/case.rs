//! `muster bench case`: three small fixed cases whose instructions are counted. Each is a
//! recorded list of commands, so that nothing but the engine's steps is in the count.

use anyhow::Result;
use clap::{Args, ValueEnum};
use muster_engine::Engine;
use muster_engine::command::Command;
use muster_model::{Millis, Time};

use super::churn::{Backlog, Churn};
use super::gang::{self, Holes};
use super::jobs::Jobs;
use super::layout::{Layout, START};
use super::world::World;

/// The seed of all cases; a case must never change by chance.
const SEED: u64 = 1;

/// Run one fixed case; `cargo xtask instructions` counts what it costs
#[derive(Debug, Args)]
pub(crate) struct BenchCase {
    /// The case
    case: Case,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Case {
    /// Single-GPU jobs into an empty cluster
    Fill,
    /// Ends, submissions and starts in a full cluster with a queue
    Churn,
    /// The largest gang with a required level, placed and refused
    Gang,
}

/// A prepared engine and what will be told to it.
#[derive(Debug)]
struct Prepared {
    engine: Engine,
    script: Vec<(Time, Command)>,
}

impl BenchCase {
    pub(crate) fn run(&self) -> Result<()> {
        let mut prepared = match self.case {
            Case::Fill => fill(),
            Case::Churn => churn()?,
            Case::Gang => gang()?,
        };
        let actions = bench_case_body(&mut prepared);
        println!("{actions} actions");
        Ok(())
    }
}

/// What is counted: a function of its own, never merged into another, that only calls. Callgrind
/// finds it by this name and must not find a second function with the name inside it.
#[inline(never)]
fn bench_case_body(prepared: &mut Prepared) -> usize {
    replay(prepared)
}

fn replay(prepared: &mut Prepared) -> usize {
    let mut actions = 0;
    for (now, command) in prepared.script.drain(..) {
        actions += prepared.engine.step(now, command).len();
    }
    actions
}

fn fill() -> Prepared {
    /// GPUs, and so jobs.
    const GPUS: u32 = 2_048;
    let layout = Layout::new(GPUS);
    let mut jobs = Jobs::new(layout, SEED);
    let script = (0..GPUS).map(|index| {
        let now = START + Millis(u64::from(index));
        (now, Command::Submit { spec: jobs.plain(1, now).0.into() })
    });
    Prepared { script: script.collect(), engine: layout.engine() }
}

/// The same world twice: once to learn what it is told, once to be told it again.
fn churn() -> Result<Prepared> {
    const GPUS: u32 = 2_048;
    const PENDING: Backlog = Backlog { jobs: 1_000, gpus: 0 };
    const PLACEMENTS: u64 = 400;
    let layout = Layout::new(GPUS);
    let mut first = Churn::begin(World::untimed(layout, SEED), layout, SEED, PENDING)?;
    first.world.keep_script();
    first.run(PLACEMENTS, "recording")?;
    let script = first.world.take_script();
    let second = Churn::begin(World::untimed(layout, SEED), layout, SEED, PENDING)?;
    Ok(Prepared { engine: second.world.into_engine(), script })
}

/// The first gangs take the blocks that have room, one each; the others are refused.
fn gang() -> Result<Prepared> {
    const GPUS: u32 = 8_192;
    const GANGS: u64 = 16;
    let layout = Layout::new(GPUS);
    let mut holes = Holes::new(World::untimed(layout, SEED), layout, SEED)?;
    holes.end(gang::ENDED_WITH_ROOM)?;
    let now = holes.world.now();
    let script = (0..GANGS).map(|round| {
        let (spec, _) = gang::gang(round);
        (now + Millis(round), Command::Submit { spec: spec.into() })
    });
    Ok(Prepared { script: script.collect(), engine: holes.world.into_engine() })
}
