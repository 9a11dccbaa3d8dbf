//! What is free, counted anew from the engine's own account: its nodes and its attempts. The
//! engine's index must say the same, and what it left waiting must not fit in here.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::snapshot::{JobRecord, NodeRecord, Sight, Snapshot};
use muster_model::{GpuSet, Name, NodeId, NodeSpec, QueueName, QueueSpec, Time};

use crate::ledger::{Ledger, Usage};

/// The cluster's room, node by node, and the usage of its queues.
#[derive(Debug)]
pub(crate) struct Recount<'a> {
    pub(crate) rooms: BTreeMap<NodeId, Room<'a>>,
    pub(crate) ledger: Ledger,
    pub(crate) queues: BTreeMap<&'a QueueName, &'a QueueSpec>,
    /// GPUs that several tasks hold.
    pub(crate) held_twice: Vec<(NodeId, GpuSet)>,
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
    held: GpuSet,
}

/// A domain, from the widest level down, and a GPU model in it.
pub(crate) type DomainModel = (Vec<Name>, Option<Name>);

impl<'a> Recount<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot) -> Recount<'a> {
        let claims = snapshot.claims.iter().flat_map(|claim| &claim.nodes);
        let holds = snapshot.holds.iter().flat_map(|hold| &hold.nodes);
        let claimed: BTreeSet<NodeId> = claims.chain(holds).copied().collect();
        let room = |node: &'a NodeRecord| {
            let mut room = Room::new(node, snapshot.now);
            room.is_open &= !claimed.contains(&node.id);
            (node.id, room)
        };
        let queues = snapshot.cluster.queues.iter().map(|queue| (&queue.name, queue));
        let mut recount = Recount {
            rooms: snapshot.nodes.iter().map(room).collect(),
            ledger: Ledger::default(),
            queues: queues.collect(),
            held_twice: Vec::new(),
        };
        for job in &snapshot.jobs {
            recount.take(job);
        }
        recount
    }

    /// A job with an attempt holds all of it, on nodes that have ended it too, until all have.
    fn take(&mut self, job: &JobRecord) {
        let Some(run) = &job.run else { return };
        let mut usage = Usage::default();
        for part in &run.nodes {
            let Some(room) = self.rooms.get_mut(&part.node) else { continue };
            usage.add_tasks(&job.spec, &part.tasks, room.spec.gpu_model.as_ref());
            for task in &part.tasks {
                let twice = room.held.and(task.gpus);
                if !twice.is_empty() {
                    self.held_twice.push((part.node, twice));
                }
                room.held = room.held.or(task.gpus);
                room.free = room.free.minus(task.gpus);
                room.is_empty = false;
                let Some(group) = job.spec.groups.get(usize::from(task.group)) else { continue };
                room.cpus = room.cpus.saturating_sub(group.task.cpus.0);
                room.memory = room.memory.saturating_sub(group.task.memory.0);
                room.is_open &= !group.task.exclusive;
            }
        }
        self.ledger.charge(&job.spec, &usage);
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
            held: GpuSet::EMPTY,
        }
    }
}
