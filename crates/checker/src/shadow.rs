//! The shadow: what the cluster must look like, told by commands and actions alone.
//!
//! It never looks into the engine. Where a command leaves the engine free to decide, the shadow
//! waits for the action that tells; where an action is silent, the shadow knows from the command.

mod apply;
mod booking;
mod changed;
mod job;
mod leases;
mod node;
mod order;
mod resize;
mod start;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use muster_engine::action::JobState;
use muster_model::{
    Booking, Class, ClusterSpec, Constraint, GpuModel, IdleRule, JobId, JobSpec, Millis, Name,
    NodeId, QueueName, QueueSpec, TaskGroup, Time, TopologyWish, WhenIdle,
};

pub(crate) use job::{End, Held, Job, Part, Report, Run, goes_on};
pub(crate) use node::{Holding, Node};
pub(crate) use resize::Resize;
pub(crate) use start::Start;

use crate::ledger::Ledger;

/// The most ended jobs that the engine has to remember, however recent: a bound on memory.
const REMEMBERED_MAX: usize = 100_000;

/// The shadow world.
#[derive(Debug)]
pub(crate) struct Shadow {
    /// The latest time told.
    pub(crate) now: Time,
    /// The configuration as it was at first.
    pub(crate) cluster: ClusterSpec,
    /// The queues as they are now.
    pub(crate) queues: BTreeMap<QueueName, QueueSpec>,
    pub(crate) nodes: BTreeMap<NodeId, Node>,
    pub(crate) jobs: BTreeMap<JobId, Job>,
    /// Arrays and how many elements each has.
    pub(crate) arrays: BTreeMap<JobId, u32>,
    /// Arrays whose throttle was changed.
    pub(crate) rethrottled: BTreeSet<JobId>,
    /// The highest number given to a job, an array or an element.
    pub(crate) highest: u64,
    /// What queues and users use.
    pub(crate) ledger: Ledger,
    /// How often something broke that no bound can foresee: a node, a launch, a lowered limit.
    pub(crate) disturbances: u64,
    /// Whether a lease ended since the engine was last seen at rest: it may work off only so
    /// much in one step, so until then it may still be behind.
    pub(crate) has_ended_leases: bool,
    /// Bookings as they were made or last changed, and when.
    pub(crate) bookings: BTreeMap<Name, (Booking, Time)>,
    node_names: BTreeMap<Name, NodeId>,
    /// Nodes out of sight whose lease has not ended.
    unknown: BTreeSet<NodeId>,
    kinds: BTreeMap<Kind, u32>,
    /// Queued jobs of each kind, by class value.
    queued: BTreeMap<u32, BTreeSet<(u32, JobId)>>,
    /// Jobs that are not over, by user and name.
    namesakes: BTreeMap<(Name, Name), BTreeSet<JobId>>,
    /// Ended jobs in the order they may be forgotten.
    ended: VecDeque<(Time, JobId)>,
}

/// What makes two jobs interchangeable but for their class.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    queue: QueueName,
    user: Name,
    groups: Vec<TaskGroup>,
    topology: TopologyWish,
    constraint: Constraint,
    booking: Option<Name>,
}

impl Shadow {
    /// The model of a node's GPUs.
    pub(crate) fn model(&self, node: &Node) -> Option<&GpuModel> {
        let name = node.spec.gpu_model.as_ref()?;
        self.cluster.gpu_models.iter().find(|model| model.name == *name)
    }

    pub(crate) fn new(cluster: &ClusterSpec) -> Shadow {
        let queues = cluster.queues.iter().map(|queue| (queue.name.clone(), queue.clone()));
        Shadow {
            now: Time(0),
            cluster: cluster.clone(),
            queues: queues.collect(),
            nodes: BTreeMap::new(),
            jobs: BTreeMap::new(),
            arrays: BTreeMap::new(),
            rethrottled: BTreeSet::new(),
            highest: 0,
            ledger: Ledger::default(),
            disturbances: 0,
            has_ended_leases: false,
            bookings: BTreeMap::new(),
            node_names: BTreeMap::new(),
            unknown: BTreeSet::new(),
            kinds: BTreeMap::new(),
            queued: BTreeMap::new(),
            namesakes: BTreeMap::new(),
            ended: VecDeque::new(),
        }
    }

    pub(crate) fn class(&self, spec: &JobSpec) -> Option<&Class> {
        self.cluster.classes.iter().find(|class| class.name == spec.class)
    }

    /// What becomes of a job that is idle, by the nearest queue above it that says so.
    pub(crate) fn idle_rule(&self, job: &Job) -> Option<IdleRule> {
        let spec = |name: &QueueName| self.cluster.queues.iter().find(|spec| spec.name == *name);
        let mut path = std::iter::successors(Some(job.spec.queue.clone()), QueueName::parent);
        path.find_map(|name| spec(&name)?.idle)
    }

    /// Whether a job was said to be idle, and the rule lends what is.
    pub(crate) fn lends_idle(&self, job: &Job) -> bool {
        let is_idle = job.run.as_ref().is_some_and(|run| run.is_idle);
        is_idle && self.idle_rule(job).is_some_and(|rule| rule.then == WhenIdle::Lend)
    }

    /// How long one attempt of the job may run.
    pub(crate) fn limit_of(&self, spec: &JobSpec) -> Millis {
        let most = self.cluster.policy.limit_max;
        let default = self.class(spec).and_then(|class| class.limit_default);
        spec.timing.limit.or(default).unwrap_or(most).min(most)
    }

    /// Whether the job's attempt has used up the time it has to run, or to be confirmed.
    pub(crate) fn is_out_of_time(&self, job: &Job) -> bool {
        let Some(run) = &job.run else { return false };
        match run.running_since {
            Some(since) => self.now >= since + self.limit_of(&job.spec).saturating_sub(run.ran),
            None => self.now >= run.placed + self.cluster.policy.launch_timeout,
        }
    }

    /// How long a job has computed, at most.
    pub(crate) fn computed(&self, job: &Job) -> Millis {
        let run = job.run.as_ref().map(|run| {
            let since = run.running_since;
            run.ran + since.map(|since| self.now.since(since)).unwrap_or_default()
        });
        job.computed + run.unwrap_or_default()
    }

    /// A job, or all elements of an array; empty where there is neither.
    pub(crate) fn meant_by(&self, id: JobId) -> Vec<JobId> {
        match self.arrays.get(&id) {
            Some(elements) => {
                let range = id.0 + 1..=id.0 + u64::from(*elements);
                range.map(JobId).filter(|job| self.jobs.contains_key(job)).collect()
            }
            None => self.jobs.get(&id).map(|job| job.id).into_iter().collect(),
        }
    }

    /// The number of the node with this name.
    pub(crate) fn node_named(&self, name: &Name) -> Option<NodeId> {
        self.node_names.get(name).copied()
    }

    /// Queued jobs that differ from this one by a higher class only.
    pub(crate) fn queued_above(&self, job: &Job) -> impl Iterator<Item = JobId> {
        let same = self.queued.get(&job.kind);
        let above = (job.class + 1, JobId(0))..;
        same.into_iter().flat_map(move |jobs| jobs.range(above.clone())).map(|&(_, job)| job)
    }

    /// Jobs of the same user and name that are not over.
    pub(crate) fn namesakes(&self, spec: &JobSpec) -> impl Iterator<Item = JobId> {
        let key = (spec.user.clone(), spec.name.clone());
        self.namesakes.get(&key).into_iter().flatten().copied()
    }

    /// Takes in that a job is in a new state.
    pub(crate) fn set_state(&mut self, id: JobId, state: JobState) {
        let (now, grace) = (self.now, self.cluster.policy.stop_grace);
        let Some(job) = self.jobs.get_mut(&id) else { return };
        let rank = (job.class, id);
        let was_active = job.is_active();
        if job.state == Some(JobState::Queued) {
            self.queued.entry(job.kind).or_default().remove(&rank);
            job.upsets += 1;
        }
        if state == JobState::Queued {
            self.queued.entry(job.kind).or_default().insert(rank);
        }
        if let Some(run) = &mut job.run {
            match state {
                // A pause that came to nothing leaves the time it has run as it was.
                JobState::Running => {
                    run.is_idle &= run.running_since.is_some();
                    run.running_since.get_or_insert(now);
                    run.in_host = false;
                }
                JobState::Stopping => {
                    run.stopping_since = Some(now);
                    run.parts.values_mut().for_each(|part| part.asked = None);
                }
                JobState::Paused => {
                    let since = run.running_since.take();
                    run.ran += since.map(|since| now.since(since)).unwrap_or_default();
                }
                JobState::Pausing | JobState::Resuming => {}
                _ => {
                    let is_failed = run.running_since.is_none();
                    // Who lost a node comes back with the waiting time it had before.
                    let has_lost = run.ended_by(|end| end == End::Lost);
                    let is_upset = is_failed || has_lost || run.is_overstaying(now, grace);
                    self.disturbances += u64::from(is_upset && was_active);
                }
            }
        }
        if state == JobState::Running {
            job.started.get_or_insert(now);
        }
        job.state = Some(state);
        if let JobState::Ended(_) = state {
            job.ended = Some(now);
            self.ended.push_back((now, id));
            let key = (job.spec.user.clone(), job.spec.name.clone());
            self.namesakes.entry(key).or_default().remove(&id);
        }
    }

    /// Frees everything the job's attempt holds.
    pub(crate) fn release(&mut self, id: JobId) {
        let Some(job) = self.jobs.get_mut(&id) else { return };
        for node in job.run.iter().flat_map(|run| run.parts.keys()) {
            if let Some(node) = self.nodes.get_mut(node) {
                node.suspended.remove(&id);
            }
        }
        let Some(run) = job.run.as_mut().filter(|run| run.holds) else { return };
        run.holds = false;
        self.ledger.release(&job.spec, &run.charge);
        for (node, part) in &run.parts {
            let Some(node) = self.nodes.get_mut(node) else { continue };
            for task in &part.tasks {
                node.tasks.remove(&(id, task.group, task.rank));
            }
        }
    }

    /// Takes in that an attempt is suspended: it holds host memory and nothing else.
    pub(crate) fn suspend(&mut self, id: JobId) {
        self.release(id);
        let parts = self.jobs.get(&id).and_then(|job| job.run.as_ref());
        for node in parts.into_iter().flat_map(|run| run.parts.keys()) {
            if let Some(node) = self.nodes.get_mut(node) {
                node.suspended.insert(id);
            }
        }
    }

    /// Whether an ended job may be forgotten: it was remembered as long as the policy says, or
    /// there are more than anyone can be asked to remember.
    pub(crate) fn may_forget(&self, ended: Time) -> bool {
        let is_due = self.now >= ended + self.cluster.policy.remember_ended;
        is_due || self.ended.len() > REMEMBERED_MAX
    }

    /// Forgets ended jobs whose time is up, so that long runs do not fill the memory.
    pub(crate) fn forget(&mut self, is_known: impl Fn(JobId) -> bool) {
        while let Some(&(ended, id)) = self.ended.front() {
            if !self.may_forget(ended) || is_known(id) {
                break;
            }
            self.ended.pop_front();
            self.jobs.remove(&id);
        }
    }

    fn kind_of(&mut self, spec: &JobSpec) -> u32 {
        let kind = Kind {
            queue: spec.queue.clone(),
            user: spec.user.clone(),
            groups: spec.groups.clone(),
            topology: spec.topology.clone(),
            constraint: spec.constraint.clone(),
            booking: spec.booking.clone(),
        };
        let next = u32::try_from(self.kinds.len()).expect("fewer kinds than jobs, which fit");
        *self.kinds.entry(kind).or_insert(next)
    }
}
