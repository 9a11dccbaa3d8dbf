//! One domain of the topology tree, with how many nodes have how many GPUs free in it.

use muster_model::{Isolation, Name, NodeId};
use smallvec::SmallVec;

use crate::dense::Key;
use crate::dense::{DomainId, ModelId};
use crate::state::bucket::Buckets;
use crate::state::shared::{self, Pieces};

/// A domain: the whole cluster, a zone, a rack.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    pub(crate) name: Option<Name>,
    pub(crate) parent: Option<DomainId>,
    /// 0 for the whole cluster.
    pub(crate) depth: u8,
    /// Domains one level down, in the order they appeared.
    pub(crate) children: Vec<DomainId>,
    /// Nodes directly inside; only at the lowest level.
    pub(crate) nodes: Vec<NodeId>,
    /// Per model, how much is free.
    free: Vec<Free>,
    /// Per model and mode of sharing, what shared GPUs have left; only where a node could.
    left: Vec<Option<Box<[Left; 3]>>>,
    /// GPUs of running jobs that may be paused.
    pub(crate) exposed: Buckets,
    /// Nodes that would be empty if some of those jobs gave way, by the strongest that has to.
    pub(crate) emptied: Buckets,
    /// At the lowest level: GPUs of jobs that are saving their state to storage.
    pub(crate) saving: u32,
}

/// Free GPUs of one model inside one domain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Free {
    /// `nodes[f]`: schedulable nodes with exactly `f` GPUs free.
    pub(crate) nodes: SmallVec<[u32; 9]>,
    /// GPUs free on schedulable nodes.
    pub(crate) gpus: u64,
    /// At the lowest level: `members[f]` are those nodes, as bits by slot.
    members: Vec<Bits>,
}

/// A set of slots of one domain.
pub(crate) type Bits = SmallVec<[u64; 1]>;

impl Domain {
    pub(crate) fn new(
        name: Option<Name>,
        parent: Option<DomainId>,
        depth: u8,
        models: usize,
    ) -> Domain {
        Domain {
            name,
            parent,
            depth,
            children: Vec::new(),
            nodes: Vec::new(),
            free: vec![Free::default(); models],
            left: vec![None; models],
            exposed: Buckets::default(),
            emptied: Buckets::default(),
            saving: 0,
        }
    }

    pub(crate) fn free(&self, model: ModelId) -> &Free {
        &self.free[model.index()]
    }

    /// Counts a node in with `gpus` free.
    pub(crate) fn add(&mut self, model: ModelId, gpus: u32) {
        let free = &mut self.free[model.index()];
        let index = gpus as usize;
        if free.nodes.len() <= index {
            free.nodes.resize(index + 1, 0);
        }
        free.nodes[index] += 1;
        free.gpus += u64::from(gpus);
    }

    /// Counts a node out that had `gpus` free.
    pub(crate) fn remove(&mut self, model: ModelId, gpus: u32) {
        let free = &mut self.free[model.index()];
        assert!(free.nodes[gpus as usize] > 0, "only a node that was counted in is counted out");
        free.nodes[gpus as usize] -= 1;
        free.gpus -= u64::from(gpus);
    }

    /// Sets whether the node in `slot` is among those with `gpus` free.
    pub(crate) fn set_member(&mut self, model: ModelId, gpus: u32, slot: u32, is_member: bool) {
        let members = &mut self.free[model.index()].members;
        if members.len() <= gpus as usize {
            members.resize(gpus as usize + 1, Bits::new());
        }
        set_bit(&mut members[gpus as usize], slot, is_member);
    }

    /// What shared GPUs of a model in a mode have left; `None` where no node can share so.
    pub(crate) fn left(&self, model: ModelId, mode: Isolation) -> Option<&Left> {
        let left = &self.left[model.index()].as_ref()?[shared::index(mode)];
        (left.able > 0).then_some(left)
    }

    /// Counts what a node has for shares out as it was and in as it is.
    pub(crate) fn replace_pieces(&mut self, model: ModelId, before: &Pieces, after: &Pieces) {
        let modes = self.left[model.index()].get_or_insert_with(Box::default);
        for (mode, left) in modes.iter_mut().enumerate() {
            left.able += u32::from(after.able[mode]);
            left.able -= u32::from(before.able[mode]);
            left.milli += u64::from(after.milli[mode]);
            left.milli -= u64::from(before.milli[mode]);
            left.nodes[usize::from(after.largest[mode])] += u32::from(after.milli[mode] > 0);
            left.nodes[usize::from(before.largest[mode])] -= u32::from(before.milli[mode] > 0);
        }
    }

    /// Notes among which nodes of a lowest domain a node is by what it has for shares.
    pub(crate) fn set_piece_members(
        &mut self,
        model: ModelId,
        slot: u32,
        before: &Pieces,
        after: &Pieces,
    ) {
        let modes = self.left[model.index()].get_or_insert_with(Box::default);
        for (mode, left) in modes.iter_mut().enumerate() {
            for (pieces, is_member) in [(before, false), (after, true)] {
                if pieces.milli[mode] > 0 {
                    let members = &mut left.members[usize::from(pieces.largest[mode])];
                    set_bit(members, slot, is_member);
                }
            }
        }
    }
}

fn set_bit(bits: &mut Bits, slot: u32, is_member: bool) {
    let (word, bit) = ((slot / 64) as usize, slot % 64);
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    if is_member {
        bits[word] |= 1 << bit;
    } else {
        bits[word] &= !(1 << bit);
    }
}

/// What shared GPUs of one model and one mode have left inside one domain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Left {
    /// Schedulable nodes whose agent can share GPUs so.
    pub(crate) able: u32,
    /// Milli-GPUs left on all of them.
    pub(crate) milli: u64,
    /// `nodes[e]`: nodes with something left and `e` whole eighths on their roomiest GPU.
    pub(crate) nodes: [u32; 9],
    /// At the lowest level: those nodes, as bits by slot.
    members: [Bits; 9],
}

impl Left {
    /// Whether a node is inside whose roomiest GPU has exactly so many whole eighths left.
    pub(crate) fn has(&self, eighths: u8) -> bool {
        self.nodes[usize::from(eighths)] > 0
    }

    /// Whether some node has so many eighths left or more on one GPU.
    pub(crate) fn has_from(&self, eighths: u8) -> bool {
        self.nodes[usize::from(eighths)..].iter().any(|&nodes| nodes > 0)
    }

    /// The slots of those nodes, as they are now.
    pub(crate) fn members(&self, eighths: u8) -> Bits {
        self.members[usize::from(eighths)].clone()
    }
}

impl Free {
    /// How many tasks of `gpus` each fit by GPUs alone, where each node takes whole multiples
    /// of `unit` of them. An upper bound: CPUs, memory and constraints may allow fewer.
    pub(crate) fn tasks(&self, gpus: u32, unit: u32) -> u64 {
        if gpus == 0 {
            return u64::from(self.nodes.iter().sum::<u32>()).saturating_mul(u64::from(u32::MAX));
        }
        let mut tasks = 0;
        for free in (gpus * unit) as usize..self.nodes.len() {
            let here = free as u64 / u64::from(gpus) / u64::from(unit) * u64::from(unit);
            tasks += here * u64::from(self.nodes[free]);
        }
        tasks
    }

    /// Whether a node with exactly `gpus` free is inside.
    pub(crate) fn has(&self, gpus: u32) -> bool {
        self.nodes.get(gpus as usize).is_some_and(|&nodes| nodes > 0)
    }

    /// The most GPUs free on one node, plus one; 0 where no node is schedulable.
    pub(crate) fn span(&self) -> u32 {
        u32::try_from(self.nodes.len()).expect("a node has at most 64 GPUs")
    }

    /// The slots of the nodes with exactly `gpus` free, as they are now.
    pub(crate) fn members(&self, gpus: u32) -> Bits {
        self.members.get(gpus as usize).cloned().unwrap_or_default()
    }
}

/// The slots in a set, ascending.
pub(crate) fn slots(bits: &Bits) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(word * 64 + bit)
        })
    })
}
