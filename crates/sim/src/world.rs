//! A virtual cluster that answers the engine's actions as a real one would, with faults by
//! chance, every step watched by the checker, and all of it repeatable from a seed.
//!
//! The world knows the truth (what runs where, when a job really ends); the engine is told only
//! what nodes and users would tell it, late, twice or not at all.

mod agenda;
mod book;
mod carry;
mod chance;
mod drain;
mod faults;
mod happen;
mod mishap;
mod node;
mod pause;
mod resize;
mod sight;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use muster_engine::action::{Action, Outcome};
use muster_engine::command::{Command, Exit};
use muster_engine::explain::Why;
use muster_engine::{Engine, Tuning};
use muster_model::{ClusterSpec, JobId, JobSpec, Millis, NodeId, NodeSpec, Time};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::error::SimError;
use crate::log::Entry;
use crate::story::START;
use crate::watch::Watch;
use agenda::{Agenda, Event};
pub use faults::Faults;
use node::Node;

/// What a job would do if left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How long an attempt runs.
    pub duration: Millis,
    /// How it then ends.
    pub exit: Exit,
}

/// A virtual cluster in motion.
///
/// ```
/// use muster_model::{ClusterSpec, JobSpec, Millis, NodeSpec};
/// use muster_sim::{Faults, Plan, World};
///
/// let mut world = World::new(ClusterSpec::default(), 7, Faults::NONE)?;
/// world.join(NodeSpec::new("n1", "H100", 8))?;
/// world.submit(JobSpec::gang("train", 1, 8), Plan::success(Millis::hours(2)))?;
/// assert_eq!(world.live().len(), 1);
/// # Ok::<(), muster_sim::SimError>(())
/// ```
#[derive(Debug)]
pub struct World {
    watch: Watch,
    seed: u64,
    rng: ChaCha8Rng,
    faults: Faults,
    /// The true time.
    now: Time,
    /// Set while the clock that the engine is shown stands still.
    standing: Option<Standing>,
    agenda: Agenda,
    nodes: BTreeMap<NodeId, Node>,
    plans: BTreeMap<JobId, Plan>,
    /// What was submitted, by job.
    specs: BTreeMap<JobId, Arc<JobSpec>>,
    live: BTreeSet<JobId>,
    outcomes: BTreeMap<JobId, Outcome>,
    /// The latest reports, to be sent again by mischance.
    reports: Vec<Command>,
    signals: Vec<(JobId, u8)>,
    /// Jobs whose own fault it was that a launch was refused: they will probably be again.
    faulty: BTreeSet<JobId>,
}

/// A clock that stands still.
#[derive(Clone, Copy, Debug)]
struct Standing {
    shown: Time,
    until: Time,
}

impl Plan {
    /// Success after so long.
    pub fn success(duration: Millis) -> Plan {
        Plan { duration, exit: Exit::Code(0) }
    }

    /// An error after so long.
    pub fn failure(duration: Millis, code: i32) -> Plan {
        Plan { duration, exit: Exit::Code(code) }
    }
}

impl World {
    /// An empty cluster; all chance comes from the seed.
    pub fn new(cluster: ClusterSpec, seed: u64, faults: Faults) -> Result<World, SimError> {
        World::with_tuning(cluster, seed, faults, Tuning::default())
    }

    /// The same with the engine's switches set.
    pub fn with_tuning(
        cluster: ClusterSpec,
        seed: u64,
        faults: Faults,
        tuning: Tuning,
    ) -> Result<World, SimError> {
        let mut world = World {
            watch: Watch::with_tuning(cluster, tuning)?,
            seed,
            rng: ChaCha8Rng::seed_from_u64(seed),
            faults,
            now: START,
            standing: None,
            agenda: Agenda::default(),
            nodes: BTreeMap::new(),
            plans: BTreeMap::new(),
            specs: BTreeMap::new(),
            live: BTreeSet::new(),
            outcomes: BTreeMap::new(),
            reports: Vec::new(),
            signals: Vec::new(),
            faulty: BTreeSet::new(),
        };
        if faults != Faults::NONE {
            world.agenda.plan(START + faults.every, Event::Mishap);
        }
        Ok(world)
    }

    /// A node joins now.
    pub fn join(&mut self, spec: NodeSpec) -> Result<(), SimError> {
        self.tell(&Command::NodeJoined { spec, running: Vec::new() }).map(|_| ())
    }

    /// A user submits now. The number of the job or array, if it is accepted.
    pub fn submit(&mut self, spec: JobSpec, plan: Plan) -> Result<Option<JobId>, SimError> {
        let spec = Arc::new(spec);
        let actions = self.tell(&Command::Submit { spec: Arc::clone(&spec) })?;
        let accepted = actions.iter().find_map(|action| match action {
            Action::Accepted { job, elements } => Some((*job, u64::from(*elements))),
            _ => None,
        });
        let Some((job, elements)) = accepted else { return Ok(None) };
        for number in job.0..=job.0 + elements {
            self.plans.insert(JobId(number), plan);
            self.specs.insert(JobId(number), Arc::clone(&spec));
        }
        Ok(Some(job))
    }

    /// A user will submit so long from now.
    pub fn submit_in(&mut self, span: Millis, spec: JobSpec, plan: Plan) {
        self.agenda.plan(self.now + span, Event::Submit(Box::new(spec), plan));
    }

    /// A user asks something of a job, or an operator of a node.
    pub fn ask(&mut self, command: &Command) -> Result<Vec<Action>, SimError> {
        self.tell(command)
    }

    /// Tells the engine something, and carries out what follows.
    fn tell(&mut self, command: &Command) -> Result<Vec<Action>, SimError> {
        let shown = self.shown();
        let actions = self.watch.step(shown, command.clone())?;
        for action in &actions {
            self.carry_out(command, action)?;
        }
        Ok(actions)
    }

    /// Jobs that were accepted and have not ended.
    pub fn live(&self) -> &BTreeSet<JobId> {
        &self.live
    }

    /// How jobs ended.
    pub fn outcomes(&self) -> &BTreeMap<JobId, Outcome> {
        &self.outcomes
    }

    /// Signals that jobs were sent.
    pub fn signals(&self) -> &[(JobId, u8)] {
        &self.signals
    }

    /// The true time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// What the run is repeated from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Every step so far.
    pub fn log(&self) -> &[Entry] {
        self.watch.log()
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        self.watch.engine()
    }

    /// Why a job is where it is, judged like a step.
    pub fn why(&mut self, job: JobId) -> Result<Option<Why>, SimError> {
        self.watch.why(job)
    }
}

#[cfg(test)]
mod tests;
