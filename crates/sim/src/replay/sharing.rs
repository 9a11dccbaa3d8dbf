//! Who computes beside whom on one GPU. Whenever a neighbour comes or goes, those who stay have
//! another pace from that moment on: what they have done until then counts by the old one, and
//! their ends are foreseen anew.

use std::collections::BTreeMap;

use muster_engine::action::TaskPlace;
use muster_model::{GpuSet, Isolation, JobId, NodeId};

use super::agenda::Event;
use super::world::World;

/// A GPU that may be shared.
pub(super) type Gpu = (NodeId, GpuSet);

/// The GPU of which these tasks hold a part that others may slow down. What the hardware keeps
/// apart, nobody slows down.
pub(super) fn shared_gpu(node: NodeId, tasks: &[TaskPlace]) -> Option<Gpu> {
    let shared = |task: &&TaskPlace| task.share.is_some_and(|share| share.mode != Isolation::Hard);
    tasks.iter().find(shared).map(|task| (node, task.gpus))
}

/// Who computes on each GPU of which somebody holds a part, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Neighbours(BTreeMap<Gpu, Vec<JobId>>);

impl Neighbours {
    /// Those who compute there. As many as a GPU has parts, at most a thousand.
    pub(super) fn on(&self, gpu: Gpu) -> &[JobId] {
        self.0.get(&gpu).map_or(&[], Vec::as_slice)
    }

    fn enter(&mut self, gpu: Gpu, job: JobId) {
        self.0.entry(gpu).or_default().push(job);
    }

    fn leave(&mut self, gpu: Gpu, job: JobId) {
        let Some(jobs) = self.0.get_mut(&gpu) else { return };
        jobs.retain(|other| *other != job);
        if jobs.is_empty() {
            self.0.remove(&gpu);
        }
    }

    /// A node is gone with all that computed there.
    pub(super) fn forget(&mut self, node: NodeId) {
        let gpus = (node, GpuSet::EMPTY)..=(node, GpuSet(u64::MAX));
        let gone: Vec<Gpu> = self.0.range(gpus).map(|(gpu, _)| *gpu).collect();
        gone.iter().for_each(|gpu| drop(self.0.remove(gpu)));
    }
}

impl World<'_> {
    /// A job begins to compute: the GPU it has part of counts it from now on.
    pub(super) fn join_neighbours(&mut self, pool: usize, job: JobId) {
        let Some(gpu) = self.gpu_of(pool, job) else { return };
        self.pools[pool].neighbours.enter(gpu, job);
        self.pace_anew(pool, gpu);
    }

    /// A job computes no more, if it did, and its neighbours have one fewer.
    pub(super) fn stand_still(&mut self, pool: usize, job: JobId) {
        let now = self.now;
        if !self.pools[pool].live(job).is_some_and(|live| live.stand_still(now)) {
            return;
        }
        if let Some(gpu) = self.gpu_of(pool, job) {
            self.pools[pool].neighbours.leave(gpu, job);
            self.pace_anew(pool, gpu);
        }
    }

    fn gpu_of(&mut self, pool: usize, job: JobId) -> Option<Gpu> {
        if !self.options.slowdown_shared.slows() {
            return None;
        }
        self.pools[pool].live(job)?.gpu
    }

    /// Those who compute on a GPU go on at the pace that their number gives them.
    fn pace_anew(&mut self, pool: usize, gpu: Gpu) {
        let now = self.now;
        for job in self.pools[pool].neighbours.on(gpu).to_vec() {
            let slow_milli = self.pools[pool].slowness(job, self.options);
            let Some(live) = self.pools[pool].live(job) else { continue };
            if live.change_pace(now, slow_milli) {
                // What was foreseen before comes too early, when there is still something to do,
                // or too late, when the job is over.
                let (turn, left) = (live.turn, live.time_left(now));
                self.agenda.plan(now + left, pool, Event::Done { job, turn });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{GpuSet, JobId, NodeId};

    use super::Neighbours;

    #[test]
    fn a_node_that_is_gone_takes_its_neighbours_and_no_others_with_it() {
        let mut neighbours = Neighbours::default();
        for (node, gpu, job) in [(0, 3, 1), (1, 0, 2), (1, 63, 3), (1, 63, 4), (2, 0, 5)] {
            neighbours.enter((NodeId(node), GpuSet::one(gpu)), JobId(job));
        }
        neighbours.leave((NodeId(1), GpuSet::one(63)), JobId(3));
        assert_eq!(neighbours.on((NodeId(1), GpuSet::one(63))), [JobId(4)]);
        neighbours.forget(NodeId(1));
        assert_eq!(neighbours.on((NodeId(0), GpuSet::one(3))), [JobId(1)]);
        assert_eq!(neighbours.on((NodeId(2), GpuSet::one(0))), [JobId(5)]);
        assert_eq!(neighbours.0.len(), 2);
    }
}
