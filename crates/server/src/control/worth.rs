//! What jobs hold and what nodes are worth, for the accounting. The engine tells what it decides;
//! what follows for the books without a decision, such as an elastic job that lost a part with its
//! node, is found by looking at what a command is about before and after it.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::Engine;
use muster_engine::action::{Action, TaskPlace};
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::{NodeRecord, Sight, Then};
use muster_model::{Attempt, JobId, Millis, Name, NodeId, Rung, Time};

use super::Control;

/// Nodes that are not simply up, whole and open; for those out of sight, when their lease ends.
pub(super) type Impaired = BTreeMap<NodeId, Option<Time>>;

/// GPUs that stand free in pieces while a job waits that needs them together, by job and model.
pub(super) type Apart = BTreeMap<JobId, Vec<(Name, u64)>>;

/// Whose books an entry may have changed.
#[derive(Debug, Default)]
pub struct Books {
    /// Jobs that may hold something else than before.
    pub held: BTreeSet<JobId>,
    /// Nodes that may be worth something else than before.
    pub worth: BTreeSet<NodeId>,
    /// Jobs that had something on a node which has just come, gone or changed.
    pub shaken: BTreeSet<JobId>,
    /// Jobs for which something else stands free in pieces than before, or nothing any more.
    pub apart: BTreeSet<JobId>,
    /// A job that computes again, with when it got its GPUs to come back from its checkpoint.
    pub restored: Option<(JobId, Time)>,
}

/// What a node is worth now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Worth {
    pub(crate) node: String,
    pub(crate) gpus: u64,
    pub(crate) model: String,
    /// Thousandths of GPUs that nobody holds and nobody could get.
    pub(crate) unusable_milli: u64,
    /// How it is, in a word.
    pub(crate) why: &'static str,
}

/// What is known of why a job is to have another attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evidence {
    /// It made room for another job.
    pub(crate) gave_way: bool,
    /// How its tasks ended.
    pub(crate) exit: Option<Exit>,
    /// A node was lost under it.
    pub(crate) lost_node: bool,
}

/// What a command is about, as it was before it.
#[derive(Debug, Default)]
pub(super) struct Before {
    watched: BTreeSet<NodeId>,
    shaken: BTreeSet<JobId>,
    elastic: BTreeSet<JobId>,
    places: BTreeSet<NodeId>,
}

impl Control {
    /// What a job holds, by node, in thousandths of GPUs. An attempt keeps all it has until every
    /// node has ended its part, for until then nobody else can have it.
    pub(crate) fn holding(&self, job: JobId) -> (Attempt, BTreeMap<NodeId, u64>) {
        let Some(record) = self.engine.job(job) else { return Default::default() };
        let mut held = BTreeMap::new();
        for part in record.run.iter().filter(|run| !run.is_suspended).flat_map(|run| &run.nodes) {
            *held.entry(part.node).or_default() += part.tasks.iter().map(milli).sum::<u64>();
        }
        held.retain(|_, milli| *milli > 0);
        (record.attempt, held)
    }

    /// The model of a node's GPUs.
    pub(crate) fn node_model(&self, node: NodeId) -> String {
        let model = self.engine.node_spec(node).and_then(|spec| spec.gpu_model.as_ref());
        model.map(ToString::to_string).unwrap_or_default()
    }

    /// What follows when an attempt that is being ended is over.
    pub(crate) fn follows(&self, job: JobId) -> Option<Then> {
        self.engine.job(job)?.run.as_ref()?.then
    }

    /// Whether a job was ever asked to give way.
    pub(crate) fn was_paused(&self, job: JobId) -> bool {
        self.engine.job(job).is_some_and(|record| record.pauses.is_some())
    }

    /// How a job made room for another, if it has not run since.
    pub(crate) fn gave_way_by(&self, job: JobId) -> Option<Rung> {
        let pauses = self.engine.job(job)?.pauses.as_ref().filter(|pauses| pauses.is_open)?;
        Some(pauses.latest.rung)
    }

    /// When a job last became ready to start.
    pub(crate) fn ready_since(&self, job: JobId) -> Option<Time> {
        self.engine.job(job).map(|record| record.ready_since)
    }

    /// What is known of why a job is to have another attempt.
    pub(crate) fn evidence(&self, job: JobId) -> Option<Evidence> {
        let record = self.engine.job(job)?;
        let gave_way = record.pauses.as_ref().is_some_and(|pauses| pauses.is_open);
        Some(Evidence { gave_way, exit: record.exit, lost_node: record.repair.is_some() })
    }

    /// All jobs that hold something.
    pub(crate) fn holders(&self) -> BTreeSet<JobId> {
        self.nodes.values().flat_map(|node| self.engine.jobs_on(*node)).collect()
    }

    /// What a node is worth.
    pub(crate) fn worth(&self, node: NodeId) -> Option<Worth> {
        let NodeRecord { spec, sight, drained, unhealthy, .. } = self.engine.node(node)?;
        let is_forgotten = self.absent.is_forgotten(node);
        let why = match sight {
            _ if is_forgotten => "forgotten",
            Sight::Unknown { .. } => "unknown",
            Sight::Gone => muster_store::history::GONE,
            Sight::Seen if drained => "drained",
            Sight::Seen if !unhealthy.is_empty() => "unhealthy",
            Sight::Seen => "up",
        };
        let is_out = |gpu: u32| match why {
            "up" => false,
            "unhealthy" => unhealthy.iter().any(|ill| ill == gpu),
            _ => true,
        };
        let gpus = if is_forgotten { 0 } else { spec.gpus };
        let mut free = vec![1000_u64; usize::try_from(gpus).unwrap_or_default()];
        if why != "up" {
            for task in self.tasks_on(node) {
                let milli = task.share.map_or(1000, |share| share.milli.0);
                for gpu in task.gpus.iter() {
                    let left = usize::try_from(gpu).ok().and_then(|gpu| free.get_mut(gpu));
                    left.into_iter().for_each(|left| *left = left.saturating_sub(milli));
                }
            }
        }
        let unusable = (0..).zip(&free).filter(|(gpu, _)| is_out(*gpu)).map(|(_, left)| left);
        Some(Worth {
            node: spec.name.to_string(),
            gpus: u64::from(gpus),
            model: spec.gpu_model.as_ref().map(ToString::to_string).unwrap_or_default(),
            unusable_milli: unusable.sum(),
            why,
        })
    }

    pub(super) fn tasks_on(&self, node: NodeId) -> Vec<TaskPlace> {
        let mut tasks = Vec::new();
        for job in self.engine.jobs_on(node) {
            let run = self.engine.job(job).and_then(|record| record.run.as_ref());
            let parts = run.into_iter().filter(|run| !run.is_suspended).flat_map(|run| &run.nodes);
            tasks.extend(parts.filter(|part| part.node == node).flat_map(|part| &part.tasks));
        }
        tasks
    }

    /// Looks at what a command is about.
    pub(super) fn look(&self, now: Time, command: &Command) -> Before {
        let mut before = Before::default();
        match command {
            Command::NodeJoined { spec, .. } => {
                before.watched.extend(self.nodes.get(&spec.name).copied());
            }
            Command::NodeLost { node, .. }
            | Command::NodeReturned { node, .. }
            | Command::NodeDrained { node }
            | Command::NodeResumed { node }
            | Command::GpuUnhealthy { node, .. }
            | Command::GpuHealthy { node, .. } => before.watched.extend([*node]),
            Command::NodesLost { nodes, .. } => before.watched.extend(nodes),
            _ => {}
        }
        let is_over = |ends: &Option<Time>| ends.is_some_and(|ends| ends <= now);
        let over = self.impaired.iter().filter(|(_, ends)| is_over(ends));
        before.watched.extend(over.map(|(node, _)| *node));
        for node in &before.watched {
            before.shaken.extend(self.engine.jobs_on(*node));
        }
        let named = match command {
            Command::Ended { job, .. } | Command::Refused { job, .. } => Some(*job),
            Command::Paused { job, .. } | Command::Resized { job, .. } => Some(*job),
            _ => None,
        };
        for job in before.shaken.iter().copied().chain(named) {
            let run = self.engine.job(job).and_then(|record| record.run.as_ref());
            let Some(run) = run else { continue };
            before.places.extend(run.nodes.iter().map(|part| part.node));
            if run.elastic.is_some() {
                before.elastic.insert(job);
            }
        }
        before
    }

    /// Whose books may have changed since.
    pub(super) fn compare(&mut self, before: Before, actions: &[Action]) -> Books {
        let Before { mut watched, shaken, elastic, mut places } = before;
        let mut held = elastic;
        for action in actions {
            match action {
                Action::NodeAccepted { node, .. } => watched.extend([*node]),
                Action::Launch { node, job, .. } | Action::Resize { node, job, .. } => {
                    held.insert(*job);
                    places.insert(*node);
                }
                Action::Moved { job, state, .. } if changes_holding(*state) => {
                    held.insert(*job);
                    if !self.impaired.is_empty() {
                        places.extend(self.holding(*job).1.into_keys());
                    }
                }
                _ => {}
            }
        }
        for node in &watched {
            self.absent.note(&self.engine, *node);
            match impairment(&self.engine, *node) {
                Some(ends) => self.impaired.insert(*node, ends),
                None => self.impaired.remove(node),
            };
        }
        watched.extend(places.into_iter().filter(|node| self.impaired.contains_key(node)));
        // Without a decision and without a change of nodes, what is free is as it was.
        self.apart_looks.is_due |= !actions.is_empty() || !watched.is_empty();
        let apart = match self.apart_looks.take(self.engine.now()) {
            true => self.look_apart(),
            false => BTreeSet::new(),
        };
        Books { held, worth: watched, shaken, apart, restored: None }
    }

    /// Finds out what stands free in pieces; those for whom it is something else than before.
    fn look_apart(&mut self) -> BTreeSet<JobId> {
        let now = apart(&mut self.engine);
        let before = std::mem::replace(&mut self.apart, now);
        let jobs = before.keys().chain(self.apart.keys());
        jobs.filter(|job| before.get(job) != self.apart.get(job)).copied().collect()
    }

    /// GPUs by model that stand free in pieces while a job waits that needs them together.
    pub(crate) fn apart(&self, job: JobId) -> &[(Name, u64)] {
        self.apart.get(&job).map(Vec::as_slice).unwrap_or_default()
    }

    /// The jobs for which GPUs stand free in pieces.
    pub(crate) fn kept_apart(&self) -> impl Iterator<Item = JobId> {
        self.apart.keys().copied()
    }
}

/// When what stands free in pieces was looked for last. A look may visit every node, so there is
/// at most one in a while, however much happens; what is shorter than that costs little.
#[derive(Debug, Default)]
pub(super) struct Looks {
    last: Option<Time>,
    is_due: bool,
}

impl Looks {
    const EVERY: Millis = Millis::seconds(1);

    /// When it is time for the next look, if something has changed since the last.
    pub(super) fn next(&self) -> Option<Time> {
        let next = self.last.map_or(Time(0), |last| last + Looks::EVERY);
        self.is_due.then_some(next)
    }

    /// Whether to look now.
    fn take(&mut self, now: Time) -> bool {
        let is_time = self.next().is_some_and(|next| next <= now);
        if is_time {
            *self = Looks { last: Some(now), is_due: false };
        }
        is_time
    }
}

/// Whether a job that comes into a state may hold something else than before.
fn changes_holding(state: muster_engine::action::JobState) -> bool {
    use muster_engine::action::JobState;
    !matches!(state, JobState::Running | JobState::Pausing | JobState::Stopping)
}

/// What stands free in pieces.
pub(super) fn apart(engine: &mut Engine) -> Apart {
    engine.scattered().into_iter().map(|found| (found.job, found.gpus)).collect()
}

/// All nodes that are impaired.
pub(super) fn impaired(engine: &Engine, nodes: impl Iterator<Item = NodeId>) -> Impaired {
    nodes.filter_map(|node| Some((node, impairment(engine, node)?))).collect()
}

/// Whether a node is impaired, and when its lease ends if it is out of sight.
fn impairment(engine: &Engine, node: NodeId) -> Option<Option<Time>> {
    let NodeRecord { sight, drained, unhealthy, .. } = engine.node(node)?;
    match sight {
        Sight::Unknown { lease_ends } => Some(Some(lease_ends)),
        Sight::Gone => Some(None),
        Sight::Seen => (drained || !unhealthy.is_empty()).then_some(None),
    }
}

pub(super) fn milli(task: &TaskPlace) -> u64 {
    task.share.map_or(u64::from(task.gpus.count()) * 1000, |share| share.milli.0)
}
