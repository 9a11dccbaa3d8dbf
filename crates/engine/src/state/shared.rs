//! GPUs that are shared: who fits beside whom on one card, and which card of a node is taken.
//!
//! A GPU is whole or in one mode of sharing. It enters a mode with its first share and leaves it
//! with the last, so isolation is never mixed and nothing runs while a mode changes.

use muster_model::{GpuSet, Isolation};
use smallvec::SmallVec;

use crate::action::SharePlace;
use crate::state::need::{EIGHTH, Need, WHOLE, mask};
use crate::state::node::Node;

/// A GPU with shares on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SharedGpu {
    pub(crate) gpu: u32,
    pub(crate) mode: Isolation,
    pub(crate) milli_free: u32,
    /// Tasks on it; with the last it is whole again.
    tasks: u32,
    /// Eighths of memory that MIG instances take, as bits, and their compute slices.
    eighths: u8,
    slices: u8,
}

/// The shared GPUs of a node, by number.
pub(crate) type SharedGpus = SmallVec<[SharedGpu; 1]>;

/// What a node has for shares, as the index counts it: by mode, in the order of
/// [`Isolation::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// Whether its agent can share GPUs so.
    pub(crate) able: [bool; 3],
    /// Whole eighths free on the roomiest GPU in that mode.
    pub(crate) largest: [u8; 3],
    /// Milli-GPUs free on all GPUs in that mode.
    pub(crate) milli: [u32; 3],
}

/// A mode's place in [`Isolation::ALL`].
pub(crate) fn index(mode: Isolation) -> usize {
    match mode {
        Isolation::Hard => 0,
        Isolation::Soft => 1,
        Isolation::None => 2,
    }
}

impl SharedGpu {
    fn new(gpu: u32, mode: Isolation) -> SharedGpu {
        SharedGpu { gpu, mode, milli_free: WHOLE, tasks: 0, eighths: 0, slices: 0 }
    }

    /// How many shares of a kind fit on it beside what is there.
    pub(crate) fn room(&self, need: &Need) -> u32 {
        match &need.cut {
            _ if need.mode != self.mode => 0,
            None => self.milli_free / need.milli,
            Some(cut) => cut.room(self.eighths, self.slices),
        }
    }

    /// Where a share goes on it; the caller has checked the room.
    fn place(&self, need: &Need) -> SharePlace {
        let start = match &need.cut {
            None => 0,
            // As little as possible is broken up of what larger instances could use, and low
            // starts stay free, for the largest instances start nowhere else.
            Some(cut) => (cut.starts(self.eighths))
                .min_by_key(|&start| (self.broken_by(start, cut.eighths), 8 - start))
                .expect("the caller has checked the room"),
        };
        need.place(need.milli, start)
    }

    /// Free halves, quarters and pairs of the card that an instance would break up.
    fn broken_by(&self, start: u8, eighths: u8) -> usize {
        let blocks = [8, 4, 2].into_iter().filter(|size| *size > eighths);
        blocks.filter(|size| mask(start / size * size, *size) & self.eighths == 0).count()
    }

    fn take(&mut self, share: &SharePlace) {
        assert_eq!(self.mode, share.mode, "isolation is never mixed on one GPU");
        self.milli_free = (self.milli_free.checked_sub(milli(share)))
            .expect("no more of a GPU is given away than there is");
        self.tasks += 1;
        if let Some(mig) = share.mig {
            let taken = mask(mig.start, mig.eighths);
            assert_eq!(self.eighths & taken, 0, "a slice of memory is given once");
            self.eighths |= taken;
            self.slices += mig.slices;
        }
    }

    fn give_back(&mut self, share: &SharePlace) {
        self.milli_free += milli(share);
        self.tasks -= 1;
        if let Some(mig) = share.mig {
            let taken = mask(mig.start, mig.eighths);
            assert_eq!(self.eighths & taken, taken, "a slice of memory is given back once");
            self.eighths &= !taken;
            self.slices -= mig.slices;
        }
    }
}

impl Node {
    /// How many shares fit on these whole GPUs and beside what is on shared ones.
    pub(super) fn room_for_shares(&self, need: &Need, gpus: GpuSet, shared: &[SharedGpu]) -> u32 {
        if !self.spec.sharing.allows(need.mode) {
            return 0;
        }
        let beside: u32 = shared.iter().map(|shared| self.room_beside(shared, need)).sum();
        beside + gpus.count() * need.per_gpu()
    }

    /// How many shares fit on a GPU that is shared already; none on one that reports errors.
    pub(crate) fn room_beside(&self, shared: &SharedGpu, need: &Need) -> u32 {
        let is_well = self.unhealthy.and(GpuSet::one(shared.gpu)).is_empty();
        if is_well { shared.room(need) } else { 0 }
    }

    /// The GPU for one share: the one with the least left that has room, and only if there is
    /// none a whole one. The caller has checked the capacity.
    pub(crate) fn choose_share(&self, need: &Need) -> (GpuSet, SharePlace) {
        let beside = (self.shared.iter().filter(|shared| self.room_beside(shared, need) > 0))
            .min_by_key(|shared| (shared.milli_free, shared.gpu));
        match beside {
            Some(shared) => (GpuSet::one(shared.gpu), shared.place(need)),
            None => {
                let gpus = self.best_linked(1);
                let gpu = gpus.iter().next().expect("the caller has checked the capacity");
                (gpus, SharedGpu::new(gpu, need.mode).place(need))
            }
        }
    }

    /// A place for one share on a GPU that was chosen; the caller has checked its room.
    pub(crate) fn share_on(&self, gpu: u32, need: &Need) -> SharePlace {
        let shared = self.shared.iter().find(|shared| shared.gpu == gpu);
        shared.copied().unwrap_or(SharedGpu::new(gpu, need.mode)).place(need)
    }

    pub(super) fn take_share(&mut self, gpus: GpuSet, share: &SharePlace) {
        let gpu = gpus.iter().next().expect("a share is on a GPU");
        let at = self.shared.partition_point(|shared| shared.gpu < gpu);
        if self.shared.get(at).is_none_or(|shared| shared.gpu != gpu) {
            assert!(self.free.contains(gpus), "a GPU is never given twice");
            self.free = self.free.minus(gpus);
            self.shared.insert(at, SharedGpu::new(gpu, share.mode));
        }
        self.shared[at].take(share);
    }

    pub(super) fn give_back_share(&mut self, gpus: GpuSet, share: &SharePlace) {
        let gpu = gpus.iter().next().expect("a share is on a GPU");
        let at = (self.shared.iter().position(|shared| shared.gpu == gpu))
            .expect("a share is given back to a GPU that is shared");
        self.shared[at].give_back(share);
        if self.shared[at].tasks == 0 {
            self.shared.remove(at);
            self.free = self.free.or(gpus);
        }
    }

    /// What it has for shares.
    pub(crate) fn pieces(&self) -> Pieces {
        let mut pieces = Pieces {
            able: Isolation::ALL.map(|mode| self.spec.sharing.allows(mode)),
            ..Pieces::default()
        };
        for shared in &self.shared {
            if self.unhealthy.contains(GpuSet::one(shared.gpu)) {
                continue;
            }
            let mode = index(shared.mode);
            let eighths = u8::try_from(shared.milli_free / EIGHTH).expect("at most eight");
            pieces.largest[mode] = pieces.largest[mode].max(eighths);
            pieces.milli[mode] += shared.milli_free;
        }
        pieces
    }

    /// The most of one GPU that a share could get in each mode, a whole one included.
    pub(crate) fn largest_pieces(&self) -> [u32; 3] {
        let mut most = Isolation::ALL.map(|mode| {
            if self.spec.sharing.allows(mode) && !self.usable().is_empty() { WHOLE } else { 0 }
        });
        for shared in &self.shared {
            if !self.unhealthy.contains(GpuSet::one(shared.gpu)) {
                let mode = index(shared.mode);
                most[mode] = most[mode].max(shared.milli_free);
            }
        }
        most
    }
}

fn milli(share: &SharePlace) -> u32 {
    u32::try_from(share.milli.0).expect("a share is part of one GPU")
}
