//! The engine's face: step, ask why, snapshot, restore. It routes; it holds no logic.

use std::sync::Arc;

use muster_model::{ClusterSpec, IdleRule, Invalid, JobId, JobSpec, NodeId, NodeSpec, Time};

use crate::account::{self, QueueAccount};
use crate::action::Action;
use crate::command::Command;
use crate::explain::{self, Decision, Foreseen, Outlook, Scattered, Why, foresee};
use crate::life::{depend, remember, shares};
use crate::on;
use crate::pass;
use crate::pause::defragment;
use crate::plan::estimate;
use crate::reason::Reason;
use crate::restore;
use crate::snapshot::{BookingRecord, FreeCount, JobRecord, NodeRecord, Snapshot};
use crate::state::State;
use crate::state::node::Node;

/// Steps that a pass may need that is foreseen: a start in each, as many as a large array has.
const PASSES_MAX: usize = 4096;

/// Switches for tests and measurements; production uses the default.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Remember which shapes failed, and try them again only where capacity was freed.
    pub memo: bool,
    /// At most so many starts in one step, so that no step is long; the rest follows in the
    /// step that is due next.
    pub starts_per_step: u32,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { memo: true, starts_per_step: 32 }
    }
}

/// The deterministic brain: a function of state, time and command.
///
/// ```
/// use muster_engine::Engine;
/// use muster_engine::action::{Action, JobState};
/// use muster_engine::command::Command;
/// use muster_model::{ClusterSpec, JobId, JobSpec, NodeSpec, Time};
///
/// let mut engine = Engine::new(ClusterSpec::default())?;
/// let node = NodeSpec::new("n1", "H100", 8);
/// engine.step(Time(0), Command::NodeJoined { spec: node, running: vec![] });
/// let job = JobSpec::gang("train", 1, 4);
/// let actions = engine.step(Time(1), Command::Submit { spec: job.into() });
/// assert!(matches!(actions[0], Action::Accepted { job: JobId(1), .. }));
/// assert!(actions.iter().any(|action| matches!(
///     action,
///     Action::Moved { state: JobState::Launching, .. }
/// )));
/// # Ok::<(), Vec<muster_model::Invalid>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    state: State,
}

impl Engine {
    /// An engine for an empty cluster.
    pub fn new(cluster: ClusterSpec) -> Result<Engine, Vec<Invalid>> {
        Engine::with_tuning(cluster, Tuning::default())
    }

    /// The same with switches set.
    pub fn with_tuning(cluster: ClusterSpec, tuning: Tuning) -> Result<Engine, Vec<Invalid>> {
        cluster.validate()?;
        Ok(Engine { state: State::new(cluster, tuning) })
    }

    /// Takes in one command and returns what follows from it. Time never runs backwards: an
    /// earlier `now` than the last is taken as the last.
    pub fn step(&mut self, now: Time, command: Command) -> Vec<Action> {
        let state = &mut self.state;
        state.set_now(now);
        state.elastic.asked_now.clear();
        let was_due = std::mem::take(&mut state.pass_due);
        let was_timed = on::tick::work_off(state);
        on::apply(state, command);
        depend::spread_news(state);
        if was_timed || state.has_changed() {
            shares::refresh_shares(state);
        }
        state.pass_due |= was_due;
        state.pass_due |= !state.seekers.is_empty() || !state.capacity.freed.is_empty();
        if state.pass_due || pass::floor::is_due(state) {
            pass::run(state);
            defragment::note(state);
        }
        if defragment::look(state) {
            pass::run(state);
        }
        assert!(state.capacity.freed.is_empty(), "a pass looks at all room that was made");
        remember::forget_old(state);
        std::mem::take(&mut state.actions)
    }

    /// When the engine wants a [`Command::Tick`] at the latest; not after `now` means at once
    /// (a pass that was cut short goes on).
    pub fn next_wake(&self) -> Option<Time> {
        let state = &self.state;
        if state.pass_due {
            return Some(state.now);
        }
        let look = defragment::next_look(state);
        [state.timers.next(), pass::floor::next_due(state), look].into_iter().flatten().min()
    }

    /// Why a job is where it is. Leaves no trace.
    pub fn why(&mut self, job: JobId) -> Option<Why> {
        explain::why::why(&mut self.state, job)
    }

    /// Only the reasons of [`Engine::why`], at a fraction of its cost: for lists of many jobs.
    pub fn reasons(&mut self, job: JobId) -> Vec<Reason> {
        explain::why::reasons(&mut self.state, job)
    }

    /// What comes next: the ends of what runs and the next `most` starts. Leaves no trace.
    pub fn outlook(&mut self, most: usize) -> Outlook {
        estimate::outlook::outlook(&mut self.state, most)
    }

    /// What would become of a job that is submitted now, or what is wrong with it. For a copy: it
    /// takes the very steps that would follow.
    pub fn foresee(mut self, now: Time, spec: Arc<JobSpec>) -> Result<Foreseen, Vec<Invalid>> {
        let job = foresee::submitted(self.step(now, Command::Submit { spec }))?;
        // A pass that was cut short goes on.
        for _ in 0..PASSES_MAX {
            if !self.state.pass_due {
                break;
            }
            self.step(now, Command::Tick);
        }
        Ok(foresee::foreseen(&mut self.state, job))
    }

    /// Who waits while as many GPUs are free as it needs, and lie apart: the first few. Leaves no
    /// trace.
    pub fn scattered(&mut self) -> Vec<Scattered> {
        explain::scattered::scattered(&mut self.state)
    }

    /// What becomes of a job that computes nothing, by its queue or the nearest above it that has
    /// a rule.
    pub fn idle_rule(&self, job: JobId) -> Option<IdleRule> {
        on::idle::rule(&self.state, self.state.jobs.get(job)?)
    }

    /// Whether any node that is known, were it there, well and empty, would hold a task of each
    /// group of a job that is valid in this cluster. Where no node is known nothing is ruled out.
    pub fn has_nodes_for(&self, spec: &JobSpec) -> bool {
        explain::known::has_nodes_for(&self.state, spec)
    }

    /// Why a job got the place it got.
    pub fn decision(&self, job: JobId) -> Option<Decision> {
        explain::decision::decision(&self.state, job)
    }

    /// The whole state as plain data.
    pub fn snapshot(&self) -> Snapshot {
        restore::snapshot(&self.state)
    }

    /// An engine that goes on where a snapshot was taken.
    pub fn restore(snapshot: Snapshot, tuning: Tuning) -> Result<Engine, Vec<Invalid>> {
        Ok(Engine { state: restore::restore(snapshot, tuning)? })
    }

    /// What the index says is free, per domain and model, for comparison with a recount.
    pub fn free_counts(&self) -> Vec<FreeCount> {
        restore::free_counts(&self.state)
    }

    /// The books of all queues: used, borrowed, lent, owed.
    pub fn accounts(&self) -> Vec<QueueAccount> {
        account::accounts(&self.state)
    }

    /// The latest time the engine was told.
    pub fn now(&self) -> Time {
        self.state.now
    }

    /// The configuration, with queues as they are now.
    pub fn cluster(&self) -> &ClusterSpec {
        &self.state.catalog.spec
    }

    /// One job as a snapshot would hold it.
    pub fn job(&self, job: JobId) -> Option<&JobRecord> {
        self.state.jobs.get(job).map(|job| &job.record)
    }

    /// One node as a snapshot would hold it.
    pub fn node(&self, node: NodeId) -> Option<NodeRecord> {
        self.state.capacity.nodes.get(node).map(|known| restore::node_record(node, known))
    }

    /// What a node has, without a copy.
    pub fn node_spec(&self, node: NodeId) -> Option<&NodeSpec> {
        self.state.capacity.nodes.get(node).map(|known| &known.spec)
    }

    /// Who has something on a node, by number.
    pub fn jobs_on(&self, node: NodeId) -> Vec<JobId> {
        self.state.capacity.nodes.get(node).map(Node::jobs).unwrap_or_default()
    }

    /// Bookings that are not over, by number.
    pub fn bookings(&self) -> Vec<BookingRecord> {
        self.state.capacity.bookings.iter().map(|(_, booked)| booked.record.clone()).collect()
    }

    /// How many jobs wait for room.
    pub fn queued(&self) -> usize {
        self.state.waiting.len()
    }
}
