//! One node as the engine sees it: what is free, who is on it, whether new work may come.

use muster_model::{GpuSet, JobId, NodeId, NodeSpec, Time};

use smallvec::SmallVec;

use crate::action::SharePlace;
use crate::dense::{DomainId, ModelId};
use crate::snapshot::{HazardRecord, Sight};
use crate::state::booking::Span;
use crate::state::demand::{GroupDemand, Least};
use crate::state::shared::{Pieces, SharedGpu, SharedGpus};

/// A node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) id: NodeId,
    pub(crate) spec: NodeSpec,
    pub(crate) model: ModelId,
    /// The lowest domain it is in, and its slot there.
    pub(crate) leaf: DomainId,
    pub(crate) slot: u32,
    pub(crate) sight: Sight,
    pub(crate) drained: bool,
    /// A booking for nobody lasts.
    pub(crate) is_closed: bool,
    /// From when on it is set aside for whom, soonest first; they do not meet.
    pub(crate) spans: SmallVec<[Span; 1]>,
    pub(crate) unhealthy: GpuSet,
    pub(crate) rests_until: Time,
    pub(crate) refusals: u32,
    /// How often it has failed.
    pub(crate) hazard: HazardRecord,
    /// The starving job it is held for.
    pub(crate) claimed: Option<JobId>,
    /// GPUs no task holds any part of, healthy or not.
    pub(crate) free: GpuSet,
    /// GPUs that tasks hold parts of.
    pub(crate) shared: SharedGpus,
    pub(crate) cpus_free: u64,
    pub(crate) memory_free: u64,
    /// Tasks that have the node to themselves (0 or 1).
    pub(crate) exclusive: u32,
    /// Tasks on it.
    pub(crate) tasks: u32,
    /// Jobs on it by number, each with the latest time it can still be there.
    pub(crate) runs: Vec<(JobId, Time)>,
    /// GPUs free as the index has counted it; `None` while it is not counted.
    pub(crate) counted: Option<u32>,
    /// What it has for shares as the index has counted it.
    pub(crate) counted_pieces: Pieces,
    /// Host memory free for suspended work.
    pub(crate) suspend_free: u64,
    /// Jobs suspended here, by number.
    pub(crate) suspended: Vec<JobId>,
    /// Running jobs here that may be paused.
    pub(crate) exposed: SmallVec<[Exposed; 2]>,
    /// From which bucket on jobs here would have to give way to empty it, as the index has
    /// counted it.
    pub(crate) counted_emptied: Option<u16>,
    /// When jobs here will probably have ended, where reservations are made.
    pub(crate) expects: SmallVec<[(JobId, Time); 2]>,
    /// Whether it is claimed for a gang that does not starve: the floor may claim it over that.
    pub(crate) is_reserved: bool,
    /// GPUs free as the index of claimed nodes has counted it; `None` while it is not claimed.
    pub(crate) spare: Option<u32>,
    /// Jobs for which room is being made here and not all is held yet.
    pub(crate) awaited: SmallVec<[JobId; 1]>,
}

/// A running job on a node that may be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exposed {
    pub(crate) job: JobId,
    pub(crate) bucket: u16,
    /// GPUs it has here.
    pub(crate) gpus: u32,
}

/// What one task holds on a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) gpus: GpuSet,
    pub(crate) share: Option<SharePlace>,
    pub(crate) cpus: u64,
    pub(crate) memory: u64,
    pub(crate) exclusive: bool,
}

impl Node {
    pub(crate) fn new(
        id: NodeId,
        spec: NodeSpec,
        model: ModelId,
        leaf: DomainId,
        slot: u32,
    ) -> Node {
        Node {
            id,
            model,
            leaf,
            slot,
            sight: Sight::Seen,
            drained: false,
            is_closed: false,
            spans: SmallVec::new(),
            unhealthy: GpuSet::EMPTY,
            rests_until: Time(0),
            refusals: 0,
            hazard: HazardRecord::default(),
            claimed: None,
            free: GpuSet::first(spec.gpus),
            shared: SharedGpus::new(),
            cpus_free: spec.cpus.0,
            memory_free: spec.memory.0,
            exclusive: 0,
            tasks: 0,
            runs: Vec::new(),
            counted: None,
            counted_pieces: Pieces::default(),
            suspend_free: spec.suspend_memory.0,
            suspended: Vec::new(),
            exposed: SmallVec::new(),
            counted_emptied: None,
            expects: SmallVec::new(),
            is_reserved: false,
            spare: None,
            awaited: SmallVec::new(),
            spec,
        }
    }

    /// GPUs a new task could get.
    pub(crate) fn usable(&self) -> GpuSet {
        self.free.minus(self.unhealthy)
    }

    /// Whether it is in sight and nobody keeps new work off.
    pub(crate) fn is_usable(&self) -> bool {
        self.sight == Sight::Seen && !self.drained && !self.is_closed
    }

    /// Whether new work may come at all, whoever wants it.
    pub(crate) fn is_open(&self) -> bool {
        self.is_usable() && self.rests_until == Time(0)
    }

    /// The strongest bucket that has to give way, if all its GPUs would be free then; `None` where
    /// they would not, or are free already.
    pub(crate) fn emptied_from(&self) -> Option<u16> {
        if self.exposed.is_empty() || !self.is_open() || self.claimed.is_some() {
            return None;
        }
        // Who has the node alone keeps others from what is free.
        let free = if self.exclusive > 0 { 0 } else { self.usable().count() };
        let mut short = self.spec.gpus.checked_sub(free).filter(|short| *short > 0)?;
        let weak = self.exposed.iter().map(|exposed| (exposed.bucket, exposed.gpus));
        let mut weak: SmallVec<[(u16, u32); 8]> = weak.collect();
        weak.sort_unstable();
        for (bucket, gpus) in weak.into_iter().rev() {
            short = short.saturating_sub(gpus);
            if short == 0 {
                return Some(bucket);
            }
        }
        None
    }

    /// What it has for new tasks, each figure by itself; `None` while it takes none.
    pub(crate) fn offer(&self) -> Option<Least> {
        let gpus = self.counted?;
        let (cpus, memory) = (self.cpus_free, self.memory_free);
        Some(Least { gpus, cpus, memory, pieces: self.largest_pieces() })
    }

    /// A job is on it, until a time at the latest.
    pub(crate) fn add_run(&mut self, job: JobId, until: Time) {
        let at = self.runs.partition_point(|(other, _)| *other < job);
        self.runs.insert(at, (job, until));
    }

    pub(crate) fn remove_run(&mut self, job: JobId) {
        self.runs.retain(|(other, _)| *other != job);
    }

    /// All jobs that it has a part of, by number.
    pub(crate) fn jobs(&self) -> Vec<JobId> {
        let mut jobs: Vec<JobId> = self.runs.iter().map(|(job, _)| *job).collect();
        jobs.extend(&self.suspended);
        jobs.sort_unstable();
        jobs
    }

    /// How many tasks of a group fit here now, in whole multiples of `unit`.
    pub(crate) fn capacity(&self, demand: &GroupDemand, unit: u32) -> u32 {
        if self.exclusive > 0 || (demand.exclusive && self.tasks > 0) {
            return 0;
        }
        let free = Room {
            gpus: self.usable(),
            shared: &self.shared,
            cpus: self.cpus_free,
            memory: self.memory_free,
        };
        self.room_for(demand, unit, free)
    }

    /// How many would fit if nothing were here.
    pub(crate) fn capacity_empty(&self, demand: &GroupDemand, unit: u32) -> u32 {
        let all = Room {
            gpus: GpuSet::first(self.spec.gpus).minus(self.unhealthy),
            shared: &[],
            cpus: self.spec.cpus.0,
            memory: self.spec.memory.0,
        };
        self.room_for(demand, unit, all)
    }

    /// How many would fit if nothing were here and all of its GPUs were well.
    pub(crate) fn capacity_whole(&self, demand: &GroupDemand) -> u32 {
        let all = Room {
            gpus: GpuSet::first(self.spec.gpus),
            shared: &[],
            cpus: self.spec.cpus.0,
            memory: self.spec.memory.0,
        };
        self.room_for(demand, 1, all)
    }

    fn room_for(&self, demand: &GroupDemand, unit: u32, room: Room<'_>) -> u32 {
        let by_gpus = match demand.gpus {
            _ if demand.share.is_some() => (demand.need(self.model))
                .map_or(0, |need| self.room_for_shares(need, room.gpus, room.shared)),
            0 => u32::MAX,
            gpus if demand.nvlink => (self.spec.links.nvlink.iter())
                .map(|group| group.and(room.gpus).count() / gpus)
                .sum(),
            gpus => room.gpus.count() / gpus,
        };
        let by = |free: u64, each: u64| match free.checked_div(each) {
            None => u32::MAX,
            Some(tasks) => u32::try_from(tasks).unwrap_or(u32::MAX),
        };
        let mut tasks = by_gpus.min(by(room.cpus, demand.cpus)).min(by(room.memory, demand.memory));
        if demand.exclusive || demand.apart {
            tasks = tasks.min(1);
        }
        tasks / unit * unit
    }

    /// GPUs for one task, or part of one. The caller has checked the capacity.
    pub(crate) fn choose(&self, demand: &GroupDemand) -> (GpuSet, Option<SharePlace>) {
        match demand.need(self.model) {
            None => (self.best_linked(demand.gpus), None),
            Some(need) => {
                let (gpus, share) = self.choose_share(need);
                (gpus, Some(share))
            }
        }
    }

    /// The best-linked free GPUs: NVLink counts before a shared switch, a switch before a socket,
    /// and in each layer the smallest group that has enough free, so that larger ones stay whole.
    pub(super) fn best_linked(&self, gpus: u32) -> GpuSet {
        let mut among = self.usable();
        if gpus == among.count() {
            return among;
        }
        let links = &self.spec.links;
        for layer in [&links.nvlink, &links.pcie, &links.numa] {
            let tightest = (layer.iter().map(|group| group.and(among)))
                .filter(|free| free.count() >= gpus)
                .min_by_key(|free| free.count());
            among = tightest.unwrap_or(among);
        }
        among.lowest(gpus)
    }

    pub(crate) fn take(&mut self, held: Held) {
        match &held.share {
            Some(share) => self.take_share(held.gpus, share),
            None => {
                assert!(self.free.contains(held.gpus), "a GPU is never given twice");
                self.free = self.free.minus(held.gpus);
            }
        }
        self.cpus_free -= held.cpus;
        self.memory_free -= held.memory;
        self.exclusive += u32::from(held.exclusive);
        self.tasks += 1;
    }

    pub(crate) fn give_back(&mut self, held: Held) {
        match &held.share {
            Some(share) => self.give_back_share(held.gpus, share),
            None => {
                assert!(self.free.and(held.gpus).is_empty(), "a GPU is given back once");
                self.free = self.free.or(held.gpus);
            }
        }
        self.cpus_free += held.cpus;
        self.memory_free += held.memory;
        self.exclusive -= u32::from(held.exclusive);
        self.tasks -= 1;
    }

    /// The node is to hold something for a job. That counts as a task, so that nobody takes the
    /// node for empty.
    pub(crate) fn begin_hold(&mut self, exclusive: bool) {
        self.tasks += 1;
        self.exclusive += u32::from(exclusive);
    }

    /// Something is to be held for a job that is not free yet. Who comes first when it is does not
    /// depend on who asked first: by number, as after a restart.
    pub(crate) fn await_for(&mut self, job: JobId) {
        let at = self.awaited.partition_point(|other| *other < job);
        self.awaited.insert(at, job);
    }

    /// Holds part of the node for a job that is to come.
    pub(crate) fn hold(&mut self, part: Part) {
        assert!(self.free.contains(part.gpus), "only free GPUs are held");
        self.free = self.free.minus(part.gpus);
        self.cpus_free -= part.cpus;
        self.memory_free -= part.memory;
    }

    /// Lets go of all that is held for a job.
    pub(crate) fn let_go(&mut self, part: Part, exclusive: bool) {
        assert!(self.free.and(part.gpus).is_empty(), "what is held is not free");
        self.free = self.free.or(part.gpus);
        self.cpus_free += part.cpus;
        self.memory_free += part.memory;
        self.tasks -= 1;
        self.exclusive -= u32::from(exclusive);
    }

    /// When everything on it now will have ended at the latest.
    pub(crate) fn drains_at(&self, now: Time) -> Time {
        self.runs.iter().map(|(_, until)| *until).max().unwrap_or(now).max(now)
    }
}

/// Part of a node, held or to be held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) gpus: GpuSet,
    pub(crate) cpus: u64,
    pub(crate) memory: u64,
}

/// What of a node is there for new tasks.
#[derive(Clone, Copy)]
struct Room<'a> {
    gpus: GpuSet,
    shared: &'a [SharedGpu],
    cpus: u64,
    memory: u64,
}
