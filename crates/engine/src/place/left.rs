//! What a node has left, and what of it is of no use to those who come.

use muster_model::{GpuSet, Isolation};
use smallvec::SmallVec;

use crate::snapshot::MixRecord;
use crate::state::need::{Need, WHOLE};
use crate::state::node::Node;
use crate::state::shared;

/// What is free on a node, as far as fragments go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Left {
    able: [bool; 3],
    pub(super) whole: u32,
    /// Shared GPUs with what they have left.
    pieces: SmallVec<[(u32, Isolation, u32); 8]>,
    pub(super) cpus: u64,
    pub(super) memory: u64,
}

impl Left {
    pub(super) fn of(node: &Node) -> Left {
        let is_well = |gpu: u32| node.unhealthy.and(GpuSet::one(gpu)).is_empty();
        let shared = node.shared.iter().filter(|shared| is_well(shared.gpu));
        Left {
            able: Isolation::ALL.map(|mode| node.spec.sharing.allows(mode)),
            whole: node.usable().count(),
            pieces: shared.map(|shared| (shared.gpu, shared.mode, shared.milli_free)).collect(),
            cpus: node.cpus_free,
            memory: node.memory_free,
        }
    }

    pub(super) fn milli(&self) -> u64 {
        u64::from(self.whole) * u64::from(WHOLE) + self.milli_shared()
    }

    fn milli_shared(&self) -> u64 {
        self.pieces.iter().map(|(_, _, milli)| u64::from(*milli)).sum()
    }

    /// Milli-GPUs of no use, summed over kinds of demand by their weight.
    pub(super) fn useless(&self, kinds: &[MixRecord]) -> u64 {
        let free = self.milli();
        if free == 0 {
            return 0;
        }
        let mut sum = 0;
        // Kinds that need the same of GPUs follow each other, which spares counting pieces anew.
        let mut known = None;
        for kind in kinds {
            let by_gpus = match known {
                Some((gpus, share, by_gpus)) if (gpus, share) == (kind.gpus, kind.share) => by_gpus,
                _ => self.useless_by_gpus(kind, free),
            };
            known = Some((kind.gpus, kind.share, by_gpus));
            let is_fed = self.cpus >= kind.cpus && self.memory >= kind.memory;
            sum += kind.weight * if is_fed { by_gpus } else { free };
        }
        sum
    }

    /// Milli-GPUs of no use to a kind of demand where CPUs and memory are plenty.
    fn useless_by_gpus(&self, kind: &MixRecord, free: u64) -> u64 {
        let Some((mode, milli)) = kind.share else {
            return if self.whole < kind.gpus { free } else { self.milli_shared() };
        };
        if !self.able[shared::index(mode)] {
            return free;
        }
        let is_useless = |piece: &&(u32, Isolation, u32)| piece.1 != mode || piece.2 < milli;
        self.pieces.iter().filter(is_useless).map(|piece| u64::from(piece.2)).sum()
    }

    /// Gives a share from a shared GPU, or from a whole one.
    pub(super) fn give(&mut self, need: &Need, gpu: Option<u32>) {
        match self.pieces.iter_mut().find(|piece| Some(piece.0) == gpu) {
            Some(piece) => piece.2 -= need.milli,
            None => self.break_whole(need.mode, need.milli),
        }
    }

    /// Gives milli-GPUs in a mode from a whole GPU.
    pub(super) fn break_whole(&mut self, mode: Isolation, milli: u32) {
        self.whole -= 1;
        self.pieces.push((u32::MAX, mode, WHOLE - milli));
    }
}
