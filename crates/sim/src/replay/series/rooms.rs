//! What is free on each node, and how much of that lies where no whole node is free.

use std::collections::BTreeMap;

use muster_engine::action::TaskPlace;
use muster_model::{Attempt, JobId, NodeId};

/// A node's thousandths of GPUs.
#[derive(Clone, Copy, Debug)]
struct Room {
    installed: i64,
    /// Below zero for a moment where a place is told to be taken before it is told to be left.
    free: i64,
    is_broken: bool,
}

impl Room {
    /// What is free here and of no use to a job that needs the whole node.
    fn fragmented(self) -> u64 {
        let is_whole = self.free == self.installed;
        if self.is_broken || is_whole { 0 } else { u64::try_from(self.free).unwrap_or(0) }
    }
}

/// What a job holds, or held before it was suspended.
#[derive(Debug, Default)]
struct Places {
    attempt: Option<Attempt>,
    nodes: Vec<(NodeId, i64)>,
    holds: bool,
}

/// All nodes, pool by pool, and the jobs on them.
#[derive(Debug)]
pub(super) struct Rooms {
    pools: Vec<Vec<Room>>,
    jobs: BTreeMap<(usize, JobId), Places>,
    fragmented: u64,
}

impl Rooms {
    /// Empty nodes with so many GPUs.
    pub(super) fn new<'a>(pools: impl Iterator<Item = &'a [u32]>) -> Rooms {
        let room = |gpus: &u32| {
            let installed = i64::from(*gpus) * 1_000;
            Room { installed, free: installed, is_broken: false }
        };
        let pools = pools.map(|nodes| nodes.iter().map(room).collect()).collect();
        Rooms { pools, jobs: BTreeMap::new(), fragmented: 0 }
    }

    /// Thousandths of GPUs that are free on nodes of which other GPUs are in use.
    pub(super) fn fragmented(&self) -> u64 {
        self.fragmented
    }

    /// A job is launched on a node, perhaps before it is said to hold its GPUs.
    pub(super) fn launch(
        &mut self,
        pool: usize,
        (node, job, attempt): (NodeId, JobId, Attempt),
        tasks: &[TaskPlace],
    ) {
        let milli: i64 = tasks.iter().map(task_milli).sum();
        let places = self.jobs.entry((pool, job)).or_default();
        if places.attempt != Some(attempt) {
            let holds = places.holds;
            let old = Places { attempt: Some(attempt), nodes: Vec::new(), holds };
            let old = std::mem::replace(places, old);
            if old.holds {
                old.nodes.iter().for_each(|&(node, milli)| self.change(pool, node, milli, false));
            }
        }
        let places = self.jobs.get_mut(&(pool, job)).expect("it was just made");
        places.nodes.push((node, milli));
        if places.holds {
            self.change(pool, node, milli, true);
        }
    }

    /// A job has the GPUs of its places from now on, or has not.
    pub(super) fn hold(&mut self, pool: usize, job: JobId, holds: bool) {
        let places = self.jobs.entry((pool, job)).or_default();
        if places.holds == holds {
            return;
        }
        places.holds = holds;
        let nodes = std::mem::take(&mut places.nodes);
        nodes.iter().for_each(|&(node, milli)| self.change(pool, node, milli, holds));
        self.jobs.entry((pool, job)).or_default().nodes = nodes;
    }

    /// A job is over.
    pub(super) fn forget(&mut self, pool: usize, job: JobId) {
        self.hold(pool, job, false);
        self.jobs.remove(&(pool, job));
    }

    pub(super) fn set_broken(&mut self, pool: usize, node: NodeId, is_broken: bool) {
        let room = &mut self.pools[pool][node.index()];
        self.fragmented -= room.fragmented();
        room.is_broken = is_broken;
        self.fragmented += room.fragmented();
    }

    fn change(&mut self, pool: usize, node: NodeId, milli: i64, taken: bool) {
        let room = &mut self.pools[pool][node.index()];
        self.fragmented -= room.fragmented();
        room.free += if taken { -milli } else { milli };
        self.fragmented += room.fragmented();
    }
}

fn task_milli(task: &TaskPlace) -> i64 {
    match task.share {
        Some(share) => i64::try_from(share.milli.0).expect("a share is less than a GPU"),
        None => i64::from(task.gpus.count()) * 1_000,
    }
}
