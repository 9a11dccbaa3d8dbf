//! What is free, counted anew from the engine's own account: its nodes and its attempts. The
//! engine's index must say the same, and what it left waiting must not fit in here.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::action::{SharePlace, TaskPlace};
use muster_engine::snapshot::{
    JobRecord, MoveRecord, NodeRecord, PlanRecord, SharedCount, Sight, Snapshot,
};
use muster_model::{
    GpuModel, GpuSet, Isolation, JobSpec, Millis, Name, NodeId, NodeSpec, QueueName, QueueSpec,
    Time,
};

use crate::ledger::{Ledger, Usage};

/// The cluster's room, node by node, and the usage of its queues.
#[derive(Debug)]
pub(crate) struct Recount<'a> {
    pub(crate) rooms: BTreeMap<NodeId, Room<'a>>,
    pub(crate) ledger: Ledger,
    pub(crate) queues: BTreeMap<&'a QueueName, &'a QueueSpec>,
    pub(crate) models: &'a [GpuModel],
    /// GPUs that several tasks hold.
    pub(crate) held_twice: Vec<(NodeId, GpuSet)>,
    snapshot: &'a Snapshot,
}

/// What is left of one node.
#[derive(Debug)]
pub(crate) struct Room<'a> {
    pub(crate) spec: &'a NodeSpec,
    /// Whether new work may go there.
    pub(crate) is_open: bool,
    /// GPUs that are healthy and held by nobody.
    pub(crate) free: GpuSet,
    pub(crate) cpus: u64,
    pub(crate) memory: u64,
    pub(crate) is_empty: bool,
    /// Parts that are held of its GPUs, by GPU.
    pub(crate) cards: BTreeMap<u32, Vec<SharePlace>>,
    pub(crate) model: Option<&'a GpuModel>,
    unhealthy: GpuSet,
    held: GpuSet,
}

/// A domain, from the widest level down, and a GPU model in it.
pub(crate) type DomainModel = (Vec<Name>, Option<Name>);

impl<'a> Recount<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot) -> Recount<'a> {
        let claimed: BTreeSet<NodeId> =
            snapshot.claims.iter().flat_map(|claim| &claim.nodes).copied().collect();
        let models = &snapshot.cluster.gpu_models;
        let room = |node: &'a NodeRecord| {
            let mut room = Room::new(node, snapshot.now);
            room.model =
                models.iter().find(|model| Some(&model.name) == node.spec.gpu_model.as_ref());
            room.is_open &= !claimed.contains(&node.id);
            let mut closed = snapshot.bookings.iter().filter(|booking| booking.is_closed());
            room.is_open &= !closed.any(|record| record.booking.covers(&node.spec));
            (node.id, room)
        };
        let queues = snapshot.cluster.queues.iter().map(|queue| (&queue.name, queue));
        let mut recount = Recount {
            rooms: snapshot.nodes.iter().map(room).collect(),
            ledger: Ledger::default(),
            queues: queues.collect(),
            models,
            held_twice: Vec::new(),
            snapshot,
        };
        for job in &snapshot.jobs {
            recount.take(job);
        }
        for plan in &snapshot.plans {
            let at = snapshot.jobs.binary_search_by_key(&plan.job, |job| job.id);
            if let Ok(at) = at {
                recount.hold(plan, &snapshot.jobs[at]);
            }
        }
        for record in &snapshot.moves {
            let at = snapshot.jobs.binary_search_by_key(&record.job, |job| job.id);
            if let Ok(at) = at {
                recount.hold_new(record, &snapshot.jobs[at]);
            }
        }
        recount
    }

    /// Whether no booking keeps a job off a node for certain: it runs in the only one, which has
    /// started, or would be gone by any before it starts, with an eighth of its limit to spare.
    pub(crate) fn admits(&self, spec: &JobSpec, room: &Room<'_>) -> bool {
        let policy = &self.snapshot.cluster.policy;
        let classes = &self.snapshot.cluster.classes;
        let class = classes.iter().find(|class| class.name == spec.class);
        let limit = spec.timing.limit.or(class.and_then(|class| class.limit_default));
        let limit = limit.unwrap_or(policy.limit_max).min(policy.limit_max);
        let stay = Millis(limit.0 + limit.0 / 8 + 8);
        let slack = policy.launch_timeout + policy.stop_grace;
        // A suspended job needs time to be put back as well.
        let restores = spec.checkpoint.rungs.iter().map(|cost| cost.restore.0 * 2);
        let gone = self.snapshot.now + slack + stay + Millis(restores.max().unwrap_or(0));
        let records = self.snapshot.bookings.iter();
        let mut on_it = records.filter(|record| record.booking.covers(room.spec));
        match &spec.booking {
            None => on_it.all(|record| record.booking.start >= gone),
            Some(_) => {
                let on_it: Vec<_> = on_it.collect();
                matches!(on_it[..], [own] if own.is_open && own.booking.is_for(spec))
            }
        }
    }

    /// A job with an attempt holds all of it, on nodes that have ended it too, until all have.
    fn take(&mut self, job: &JobRecord) {
        let Some(run) = job.run.as_ref().filter(|run| !run.is_suspended) else { return };
        let mut usage = Usage::default();
        for part in &run.nodes {
            let Some(room) = self.rooms.get_mut(&part.node) else { continue };
            usage.add_tasks(&job.spec, &part.tasks, room.spec.gpu_model.as_ref());
            for task in &part.tasks {
                self.held_twice.extend(room.take(task, &job.spec).map(|twice| (part.node, twice)));
            }
        }
        self.ledger.charge(&job.spec, &usage);
    }

    /// For every domain and model, what open nodes have left of GPUs that are shared, by mode.
    pub(crate) fn shared_counts(&self) -> BTreeMap<DomainModel, Vec<SharedCount>> {
        let mut counts: BTreeMap<DomainModel, BTreeMap<Isolation, SharedCount>> = BTreeMap::new();
        for room in self.rooms.values().filter(|room| room.is_open) {
            for (mode, (milli, largest)) in room.left() {
                let eighths = usize::try_from(largest / 125).expect("at most eight");
                for depth in 0..=room.spec.domains.len() {
                    let key = (room.spec.domains[..depth].to_vec(), room.spec.gpu_model.clone());
                    let none = SharedCount { mode, milli: 0, nodes: Vec::new() };
                    let count = counts.entry(key).or_default().entry(mode).or_insert(none);
                    count.milli += milli;
                    count.nodes.resize(count.nodes.len().max(eighths + 1), 0);
                    count.nodes[eighths] += 1;
                }
            }
        }
        counts.into_iter().map(|(key, modes)| (key, modes.into_values().collect())).collect()
    }

    /// What is held for a job that room is being made for is nobody else's, and neither is the
    /// quota it will use.
    fn hold(&mut self, plan: &PlanRecord, job: &JobRecord) {
        for hold in &plan.holds {
            let Some(room) = self.rooms.get_mut(&hold.node) else { continue };
            let twice = room.held.or(room.shared()).and(hold.gpus);
            if !twice.is_empty() {
                self.held_twice.push((hold.node, twice));
            }
            room.held = room.held.or(hold.gpus);
            room.free = room.free.minus(hold.gpus);
            room.cpus = room.cpus.saturating_sub(hold.cpus);
            room.memory = room.memory.saturating_sub(hold.memory);
            room.is_empty = false;
        }
        let mut usage = Usage::default();
        for (node, task) in &plan.tasks {
            let Some(room) = self.rooms.get_mut(node) else { continue };
            usage.add_tasks(&job.spec, &[*task], room.spec.gpu_model.as_ref());
            let group = job.spec.groups.get(usize::from(task.group));
            room.is_open &= !group.is_some_and(|group| group.task.exclusive);
        }
        self.ledger.charge(&job.spec, &usage);
    }

    /// The place that a job moves to is nobody else's; its queue is charged for the one it has.
    fn hold_new(&mut self, record: &MoveRecord, job: &JobRecord) {
        for (node, task) in &record.tasks {
            let Some(room) = self.rooms.get_mut(node) else { continue };
            self.held_twice.extend(room.take(task, &job.spec).map(|twice| (*node, twice)));
        }
    }

    /// For every domain and model, how many open nodes have how many GPUs free.
    pub(crate) fn free_counts(&self) -> BTreeMap<DomainModel, Vec<u32>> {
        let mut counts: BTreeMap<DomainModel, Vec<u32>> = BTreeMap::new();
        for room in self.rooms.values().filter(|room| room.is_open) {
            let free = usize::try_from(room.free.count()).expect("at most 64 GPUs");
            for depth in 0..=room.spec.domains.len() {
                let domain = room.spec.domains[..depth].to_vec();
                let nodes = counts.entry((domain, room.spec.gpu_model.clone())).or_default();
                nodes.resize(nodes.len().max(free + 1), 0);
                nodes[free] += 1;
            }
        }
        counts
    }
}

impl<'a> Room<'a> {
    /// A task holds its part of the node; the GPUs that were held already.
    fn take(&mut self, task: &TaskPlace, spec: &JobSpec) -> Option<GpuSet> {
        let is_part = task.share.is_some();
        let others = if is_part { self.held } else { self.held.or(self.shared()) };
        let twice = others.and(task.gpus);
        match task.share {
            None => self.held = self.held.or(task.gpus),
            Some(share) => {
                let cards = task.gpus.iter();
                cards.for_each(|gpu| self.cards.entry(gpu).or_default().push(share));
            }
        }
        self.free = self.free.minus(task.gpus);
        self.is_empty = false;
        if let Some(group) = spec.groups.get(usize::from(task.group)) {
            self.cpus = self.cpus.saturating_sub(group.task.cpus.0);
            self.memory = self.memory.saturating_sub(group.task.memory.0);
            self.is_open &= !group.task.exclusive;
        }
        (!twice.is_empty()).then_some(twice)
    }

    /// Parts of a GPU that are held, where the GPU may be given more of.
    pub(crate) fn open_cards(&self) -> impl Iterator<Item = &[SharePlace]> {
        let well = |gpu: u32| self.unhealthy.and(GpuSet::one(gpu)).is_empty();
        self.cards.iter().filter(move |(gpu, _)| well(**gpu)).map(|(_, parts)| parts.as_slice())
    }

    /// GPUs that parts are held of.
    fn shared(&self) -> GpuSet {
        self.cards.keys().fold(GpuSet::EMPTY, |set, gpu| set.or(GpuSet::one(*gpu)))
    }

    /// By mode of sharing, thousandths left on all of its GPUs and on the roomiest.
    fn left(&self) -> BTreeMap<Isolation, (u64, u64)> {
        let mut left: BTreeMap<Isolation, (u64, u64)> = BTreeMap::new();
        for parts in self.open_cards() {
            let given: u64 = parts.iter().map(|part| part.milli.0).sum();
            let here = 1000_u64.saturating_sub(given);
            if let Some(first) = parts.first().filter(|_| here > 0) {
                let (sum, largest) = left.entry(first.mode).or_default();
                *sum += here;
                *largest = here.max(*largest);
            }
        }
        left
    }

    /// The node as it would be with nothing on it.
    fn new(node: &'a NodeRecord, now: Time) -> Room<'a> {
        let is_open = node.sight == Sight::Seen && !node.drained && node.rests_until <= now;
        Room {
            spec: &node.spec,
            is_open,
            free: GpuSet::first(node.spec.gpus).minus(node.unhealthy),
            cpus: node.spec.cpus.0,
            memory: node.spec.memory.0,
            is_empty: true,
            cards: BTreeMap::new(),
            model: None,
            unhealthy: node.unhealthy,
            held: GpuSet::EMPTY,
        }
    }
}
