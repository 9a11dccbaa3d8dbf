//! The fragmentation gradient: a place is the better the less it takes away from what recent
//! demand can use.
//!
//! For a kind of demand, what is free on a node but of no use to it is a fragment: pieces of GPUs
//! smaller than its share or in another mode, fewer whole GPUs than its task needs, or all of them
//! where CPUs or memory are short. The fragments of a node are those of all kinds, each by its
//! weight in the mix (Weng et al., "Beware of Fragmentation", 2023). For gangs that must be near
//! each other the same is counted on their domains: what is free in a domain that can no longer
//! hold one of them. Only counters of the touched node and the domains around it are looked at.

use muster_model::{Isolation, NodeId};
use smallvec::SmallVec;

use crate::dense::{DomainId, ModelId};
use crate::place::Search;
use crate::place::share::{Pool, Pools};
use crate::snapshot::MixRecord;
use crate::state::capacity::Capacity;
use crate::state::demand::GroupDemand;
use crate::state::domain::slots;
use crate::state::need::{Need, WHOLE};
use crate::state::node::Node;
use crate::state::shared::{self, SharedGpu};
use crate::state::topology::ROOT;

/// At most so many nodes are compared, from all pools together: on recorded arrivals, more found
/// nothing better, and a fourth of it lost most of what the gradient gains.
const CANDIDATES_MAX: usize = 256;

/// A node, and for a single share the GPU, to place a gang on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) node: NodeId,
    pub(crate) gpu: Option<u32>,
    pub(crate) pool: Pool,
}

/// The best place among a few of each pool, with how much it takes away; `None` where none of those
/// few will do, which says nothing of the rest.
pub(crate) fn choose(
    capacity: &Capacity,
    search: &Search<'_>,
    model: ModelId,
    pools: &Pools,
) -> Option<(i128, Choice)> {
    let [group] = search.demand.groups.as_slice() else { return None };
    let each = (CANDIDATES_MAX / pools.len().max(1)).max(1);
    let mut best: Option<(i128, Choice)> = None;
    for &pool in pools {
        let Some(leaf) = leaf_of(capacity, model, pool) else { continue };
        let domain = &capacity.topology.domains[leaf];
        let members = pool.members(domain, model);
        let nodes = slots(&members).map(|slot| &capacity.nodes[domain.nodes[slot]]);
        let fitting = nodes.filter(|node| search.capacity(node, group, 1) >= group.tasks);
        for node in fitting.take(each) {
            for (gpu, after) in outcomes(node, group) {
                let growth = growth(capacity, node, &after);
                // Pools are looked at tightest first, which decides among equals.
                if best.is_none_or(|(least, _)| growth < least) {
                    best = Some((growth, Choice { node: node.id, gpu, pool }));
                }
            }
        }
    }
    best
}

/// The lowest domain to look for a pool in: always the one with the fewest GPUs free, so that
/// emptier ones stay whole.
fn leaf_of(capacity: &Capacity, model: ModelId, pool: Pool) -> Option<DomainId> {
    let domains = &capacity.topology.domains;
    let mut here = ROOT;
    if !pool.is_in(&domains[here], model) {
        return None;
    }
    while !domains[here].children.is_empty() {
        let children = domains[here].children.iter();
        here = children
            .filter(|child| pool.is_in(&domains[**child], model))
            .map(|&child| (domains[child].free(model).gpus, child))
            .min()?
            .1;
    }
    Some(here)
}

/// What is free on a node, as far as fragments go.
#[derive(Clone, Debug)]
struct Left {
    able: [bool; 3],
    whole: u32,
    /// Shared GPUs with what they have left.
    pieces: SmallVec<[(u32, Isolation, u32); 8]>,
    cpus: u64,
    memory: u64,
}

impl Left {
    fn of(node: &Node) -> Left {
        let is_well = |gpu: u32| node.unhealthy.and(muster_model::GpuSet::one(gpu)).is_empty();
        let shared = node.shared.iter().filter(|shared| is_well(shared.gpu));
        Left {
            able: Isolation::ALL.map(|mode| node.spec.sharing.allows(mode)),
            whole: node.usable().count(),
            pieces: shared.map(|shared| (shared.gpu, shared.mode, shared.milli_free)).collect(),
            cpus: node.cpus_free,
            memory: node.memory_free,
        }
    }

    fn milli(&self) -> u64 {
        let pieces: u64 = self.pieces.iter().map(|(_, _, milli)| u64::from(*milli)).sum();
        u64::from(self.whole) * u64::from(WHOLE) + pieces
    }

    /// Milli-GPUs of no use to a kind of demand.
    fn useless_to(&self, kind: &MixRecord) -> u64 {
        if self.cpus < kind.cpus || self.memory < kind.memory {
            return self.milli();
        }
        let Some((mode, milli)) = kind.share() else {
            return if self.whole < kind.gpus { self.milli() } else { self.milli_shared() };
        };
        let is_useless = |piece: &&(u32, Isolation, u32)| piece.1 != mode || piece.2 < milli;
        let pieces: u64 =
            self.pieces.iter().filter(is_useless).map(|piece| u64::from(piece.2)).sum();
        let is_able = self.able[shared::index(mode)];
        if is_able { pieces } else { self.milli() }
    }

    fn milli_shared(&self) -> u64 {
        self.milli() - u64::from(self.whole) * u64::from(WHOLE)
    }

    /// Gives a share from a shared GPU, or from a whole one.
    fn give(&mut self, need: &Need, gpu: Option<u32>) {
        match self.pieces.iter_mut().find(|piece| Some(piece.0) == gpu) {
            Some(piece) => piece.2 -= need.milli,
            None => {
                self.whole -= 1;
                self.pieces.push((u32::MAX, need.mode, WHOLE - need.milli));
            }
        }
    }
}

/// What a node would have left with a gang on it: by each GPU that a single share could go on,
/// or as the node itself would choose for several.
fn outcomes(node: &Node, group: &GroupDemand) -> SmallVec<[(Option<u32>, Left); 4]> {
    let mut left = Left::of(node);
    let tasks = u64::from(group.tasks);
    left.cpus = left.cpus.saturating_sub(group.cpus.saturating_mul(tasks));
    left.memory = left.memory.saturating_sub(group.memory.saturating_mul(tasks));
    let Some(need) = group.need(node.model) else {
        left.whole = left.whole.saturating_sub(group.gpus.saturating_mul(group.tasks));
        return [(None, left)].into_iter().collect();
    };
    let mut beside: SmallVec<[&SharedGpu; 4]> =
        node.shared.iter().filter(|shared| node.room_beside(shared, need) > 0).collect();
    if group.tasks > 1 {
        let mut rest = group.tasks;
        beside.sort_unstable_by_key(|shared| (shared.milli_free, shared.gpu));
        for shared in beside {
            let room = shared.room(need).min(rest);
            (0..room).for_each(|_| left.give(need, Some(shared.gpu)));
            rest -= room;
        }
        let (full, over) = (rest / need.per_gpu(), rest % need.per_gpu());
        left.whole = left.whole.saturating_sub(full + u32::from(over > 0));
        if over > 0 {
            left.pieces.push((u32::MAX, need.mode, WHOLE - over * need.milli));
        }
        return [(None, left)].into_iter().collect();
    }
    let outcome = |gpu: Option<u32>| {
        let mut left = left.clone();
        left.give(need, gpu);
        (gpu, left)
    };
    // Where it would go beside others, a whole GPU is not broken.
    match beside.is_empty() {
        true => [outcome(None)].into_iter().collect(),
        false => beside.iter().map(|shared| outcome(Some(shared.gpu))).collect(),
    }
}

/// How much more is of no use than before, over all kinds of demand by their weight.
fn growth(capacity: &Capacity, node: &Node, after: &Left) -> i128 {
    let before = Left::of(node);
    let mut growth = 0;
    for kind in capacity.mix.kinds() {
        let on_node = i128::from(after.useless_to(kind)) - i128::from(before.useless_to(kind));
        let in_domain = domain_growth(capacity, node, (before.whole, after.whole), kind);
        growth += i128::from(kind.weight) * (on_node + in_domain);
    }
    growth
}

/// The same for a gang that must be near each other, on the domain it would need.
fn domain_growth(capacity: &Capacity, node: &Node, whole: (u32, u32), kind: &MixRecord) -> i128 {
    // A claimed node is not counted in its domain: what is lent there takes nothing from it.
    if kind.tasks == 1 || kind.gpus == 0 || node.counted.is_none() {
        return 0;
    }
    let domain = capacity.topology.ancestor(node.leaf, kind.depth);
    let free = capacity.topology.domains[domain].free(node.model);
    let (tasks, gpus) = (free.tasks(kind.gpus, 1), free.gpus);
    let tasks_after = tasks - u64::from(whole.0 / kind.gpus) + u64::from(whole.1 / kind.gpus);
    let gpus_after = gpus - u64::from(whole.0) + u64::from(whole.1);
    let useless = |tasks: u64, gpus: u64| match tasks >= u64::from(kind.tasks) {
        true => 0,
        false => i128::from(gpus) * i128::from(WHOLE),
    };
    useless(tasks_after, gpus_after) - useless(tasks, gpus)
}
