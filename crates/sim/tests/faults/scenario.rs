//! A whole case: a cluster, its nodes, a stream of jobs, and what may go wrong.

use std::sync::Arc;

use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_engine::{Engine, Tuning};
use muster_model::{ClusterSpec, JobId, JobSpec, Millis, NodeSpec, Timing};
use muster_sim::story::START;
use muster_sim::{Faults, Plan, World};
use proptest::prelude::*;

use crate::{cluster, crowd, fleet, jobs};

/// After the last submission faults go on for so long.
const AFTERWARDS: Millis = Millis::hours(2);

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) cluster: ClusterSpec,
    pub(crate) nodes: Vec<NodeSpec>,
    pub(crate) jobs: Vec<Submission>,
    pub(crate) faults: Faults,
    /// Of the world's own chance.
    pub(crate) seed: u64,
}

/// A job that is submitted at some time.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    pub(crate) after: Millis,
    pub(crate) spec: JobSpec,
    pub(crate) plan: Plan,
}

/// Scenarios of a few nodes and some dozens of jobs: of all kinds, gangs on nodes that break, or
/// crowds in which everyone wants the GPUs of everyone else.
pub(crate) fn scenarios(seed: u64) -> impl Strategy<Value = Scenario> {
    prop_oneof![2 => mixed(seed), 1 => fleet::scenarios(seed), 2 => crowd::scenarios(seed)]
}

fn mixed(seed: u64) -> impl Strategy<Value = Scenario> {
    cluster::clusters().prop_flat_map(move |cluster| {
        let queues = cluster::leaves(&cluster);
        let levels = cluster.levels.clone();
        (
            cluster::nodes(levels.len()),
            prop::collection::vec(jobs::submissions(queues, levels), 1..30),
            prop_oneof![1 => Just(0u32), 2 => Just(300u32), 3 => Just(1000u32)],
        )
            .prop_map(move |(nodes, jobs, harshness)| Scenario {
                cluster: cluster.clone(),
                nodes,
                jobs,
                faults: Faults::HARSH.scaled(harshness),
                seed,
            })
    })
}

impl Scenario {
    /// The world before anything has happened.
    pub(crate) fn world(&self, tuning: Tuning) -> World {
        World::with_tuning(self.cluster.clone(), self.seed, self.faults, tuning)
            .unwrap_or_else(|error| panic!("a generated cluster is valid: {error}"))
    }

    /// Nodes join, jobs are submitted, and things go wrong for a while.
    pub(crate) fn play(&self, world: &mut World) -> Result<(), String> {
        for node in &self.nodes {
            world.join(node.clone()).map_err(|error| error.to_string())?;
        }
        let mut last = Millis::ZERO;
        for Submission { after, spec, plan } in &self.jobs {
            world.submit_in(*after, spec.clone(), *plan);
            last = last.max(*after);
        }
        world.run_for(last + AFTERWARDS).map_err(|error| error.to_string())
    }

    /// Whether a job starts at once on the whole cluster when it is alone there.
    pub(crate) fn starts_alone(&self, spec: &JobSpec) -> bool {
        let alone = JobSpec {
            array: None,
            after: Vec::new(),
            timing: Timing::default(),
            hold: false,
            ..spec.clone()
        };
        let mut engine = Engine::new(self.cluster.clone()).expect("it was accepted before");
        for node in &self.nodes {
            let joined = Command::NodeJoined { spec: node.clone(), running: Vec::new() };
            engine.step(START, joined);
        }
        let actions = engine.step(START, Command::Submit { spec: Arc::new(alone) });
        actions.iter().any(|action| matches!(action, Action::Launch { .. }))
    }

    /// Cancels what is left and lets it end.
    pub(crate) fn give_up(&self, world: &mut World, left: &[JobId]) -> Result<(), String> {
        for &job in left {
            if world.live().contains(&job) {
                world.ask(&Command::Cancel { job }).map_err(|error| error.to_string())?;
            }
        }
        world.run_until_idle().map_err(|error| error.to_string())
    }
}
