//! Room for shares: what the index says of it, and how the tasks of a group fill a lowest domain.
//!
//! Nodes are looked at by pools: first those where something is left on a GPU that is shared the
//! right way, the least first, and only then those with whole GPUs, again the fewest first.

use muster_model::Isolation;
use smallvec::SmallVec;

use crate::dense::{DomainId, ModelId};
use crate::place::fill::Filler;
use crate::state::domain::{Bits, Domain, slots};
use crate::state::need::{EIGHTH, Need};

/// Nodes of one model that are alike in what they have free; those looked at first are less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pool {
    /// So many whole eighths on the roomiest GPU that is shared this way.
    Piece(Isolation, u8),
    /// So many whole GPUs.
    Whole(u32),
}

/// The pools that could hold a share, the tightest first.
pub(crate) type Pools = SmallVec<[Pool; 16]>;

impl Pool {
    /// Whether a node of the pool is inside a domain.
    pub(crate) fn is_in(self, domain: &Domain, model: ModelId) -> bool {
        match self {
            Pool::Whole(gpus) => domain.free(model).has(gpus),
            Pool::Piece(mode, eighths) => {
                domain.left(model, mode).is_some_and(|left| left.has(eighths))
            }
        }
    }

    /// The slots of its nodes in a lowest domain, as they are now.
    pub(crate) fn members(self, domain: &Domain, model: ModelId) -> Bits {
        match self {
            Pool::Whole(gpus) => domain.free(model).members(gpus),
            Pool::Piece(mode, eighths) => {
                domain.left(model, mode).map(|left| left.members(eighths)).unwrap_or_default()
            }
        }
    }
}

/// The pools inside a domain that could hold a share; none where no node can share so.
pub(crate) fn pools(domain: &Domain, model: ModelId, need: &Need) -> Pools {
    let Some(left) = domain.left(model, need.mode) else { return Pools::new() };
    let pieces = (least_eighths(need)..8).filter(|eighths| left.has(*eighths));
    let whole = (1..domain.free(model).span()).filter(|gpus| domain.free(model).has(*gpus));
    let pieces = pieces.map(|eighths| Pool::Piece(need.mode, eighths));
    pieces.chain(whole.map(Pool::Whole)).collect()
}

/// How many shares a domain could hold. An upper bound: what is left may be in smaller pieces,
/// and CPUs, memory and constraints may allow fewer.
pub(crate) fn tasks(domain: &Domain, model: ModelId, need: &Need) -> u64 {
    let Some(left) = domain.left(model, need.mode) else { return 0 };
    let beside = match left.has_from(least_eighths(need)) {
        true => left.milli / u64::from(need.milli),
        false => 0,
    };
    beside + domain.free(model).gpus * u64::from(need.per_gpu())
}

/// Whole eighths that are free wherever a share fits.
fn least_eighths(need: &Need) -> u8 {
    u8::try_from(need.milli / EIGHTH).expect("at most eight")
}

/// The slots of all nodes in a lowest domain that could hold a share.
pub(crate) fn members(domain: &Domain, model: ModelId, need: &Need) -> Bits {
    let mut all = Bits::new();
    for pool in pools(domain, model, need) {
        let members = pool.members(domain, model);
        all.resize(all.len().max(members.len()), 0);
        all.iter_mut().zip(&members).for_each(|(word, more)| *word |= more);
    }
    all
}

/// Places up to `wanted` tasks with shares in a lowest domain and returns how many: beside other
/// shares first, the least left first, and then on whole GPUs, where the fewest are free first.
pub(crate) fn fill_leaf(filler: &mut Filler<'_, '_, '_>, leaf: DomainId, wanted: u32) -> u32 {
    let model = filler.model();
    let Some(&need) = filler.demand().need(model) else { return 0 };
    let domain = |filler: &Filler<'_, '_, '_>, pool: Pool| {
        let domain = &filler.transaction().capacity().topology.domains[leaf];
        pool.members(domain, model)
    };
    let here = &filler.transaction().capacity().topology.domains[leaf];
    let mut rest = wanted;
    for pool in pools(here, model, &need) {
        let members = domain(filler, pool);
        for slot in slots(&members) {
            if rest == 0 {
                return wanted;
            }
            let node = filler.transaction().capacity().topology.domains[leaf].nodes[slot];
            let room = match pool {
                Pool::Whole(_) => filler.capacity(node),
                Pool::Piece(..) => {
                    let node = &filler.transaction().capacity().nodes[node];
                    let beside = node.shared.iter().map(|shared| node.room_beside(shared, &need));
                    filler.capacity(node.id).min(beside.sum())
                }
            };
            let tasks = room.min(rest) / filler.unit() * filler.unit();
            if tasks > 0 {
                filler.put(node, tasks);
                rest -= tasks;
            }
        }
    }
    wanted - rest
}
