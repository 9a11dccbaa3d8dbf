//! The fragmentation gradient: a place is the better the less it takes away from what recent
//! demand can use.
//!
//! For a kind of demand, what is free on a node but of no use to it is a fragment: pieces of GPUs
//! smaller than its share or in another mode, fewer whole GPUs than its task needs, or all of them
//! where CPUs or memory are short. The fragments of a node are those of all kinds, each by its
//! weight in the mix (Weng et al., "Beware of Fragmentation", 2023). For gangs that must be near
//! each other the same is counted on their domains: what is free in a domain that can no longer
//! hold one of them. Only counters of the touched node and the domains around it are looked at.
//!
//! Places that differ by less than a step count as equal, and the fuller node wins. Many are equal,
//! so that this decides as much as the gradient does: where the first of them wins instead,
//! recorded arrivals fill two to eight points of a hundred less.

use muster_model::NodeId;
use smallvec::SmallVec;

use crate::dense::{DomainId, ModelId};
use crate::place::Search;
use crate::place::left::Left;
use crate::place::share::{Pool, Pools};
use crate::snapshot::MixRecord;
use crate::state::capacity::Capacity;
use crate::state::demand::GroupDemand;
use crate::state::domain::slots;
use crate::state::need::WHOLE;
use crate::state::node::Node;
use crate::state::shared::SharedGpu;
use crate::state::topology::ROOT;

/// At most so many nodes are compared, from the pools of all models together, and at least one of
/// each pool: on recorded arrivals on 1,200 nodes, comparing all of them gave away 0.04 points of a
/// hundred more at most.
const CANDIDATES_MAX: usize = 128;

/// At most so many lowest domains are looked at for a pool: enough for its part of the nodes where
/// racks are full, and few to keep in order.
const LEAVES_MAX: usize = 8;

/// Milli-GPUs by which places must differ to count as different. On recorded arrivals it makes no
/// difference from 1 to 20, and 30 or more do worse.
const STEP: i128 = 20;

/// A node, and for a single share the GPU, to place a gang on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Its place among the looks.
    pub(crate) look: usize,
    pub(crate) node: NodeId,
    pub(crate) gpu: Option<u32>,
    pub(crate) pool: Pool,
}

/// One model to look at, with its pools.
#[derive(Debug)]
pub(crate) struct Look<'a> {
    pub(crate) search: Search<'a>,
    pub(crate) model: ModelId,
    pub(crate) pools: Pools,
}

/// What a place costs; the least is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// A gang without GPUs takes CPUs that are there for GPUs.
    strays: bool,
    /// Steps by which more becomes of no use.
    growth: i128,
    /// Milli-GPUs free on the node.
    free: u64,
}

/// The best place among a few of each pool; `None` where none of those few will do, which says
/// nothing of the rest.
pub(crate) fn choose(capacity: &Capacity, looks: &[Look<'_>]) -> Option<Choice> {
    let pools: usize = looks.iter().map(|look| look.pools.len()).sum();
    let each = (CANDIDATES_MAX / pools.max(1)).max(1);
    let mut best: Option<(Cost, Choice)> = None;
    for (index, look) in looks.iter().enumerate() {
        let [group] = look.search.demand.groups.as_slice() else { return None };
        for &pool in &look.pools {
            let mut last: Option<Left> = None;
            for node in candidates(capacity, look, pool).take(each) {
                let before = Left::of(node);
                // Nodes side by side are often alike, and the first of them wins.
                if last.as_ref() == Some(&before) {
                    continue;
                }
                let useless = before.useless(capacity.mix.kinds());
                for (gpu, after) in outcomes(node, group) {
                    let cost = cost(capacity, node, (&before, useless), &after);
                    // Pools are looked at tightest first, which decides among equals.
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, Choice { look: index, node: node.id, gpu, pool }));
                    }
                }
                last = Some(before);
            }
        }
    }
    best.map(|(_, choice)| choice)
}

/// Nodes of a pool that a gang fits on, those in the fullest domains first.
fn candidates<'a>(
    capacity: &'a Capacity,
    look: &'a Look<'_>,
    pool: Pool,
) -> impl Iterator<Item = &'a Node> {
    let group = &look.search.demand.groups[0];
    let nodes = leaves(capacity, look.model, pool).into_iter().flat_map(move |leaf| {
        let domain = &capacity.topology.domains[leaf];
        let members = pool.members(domain, look.model);
        let slots: SmallVec<[usize; 64]> = slots(&members).collect();
        slots.into_iter().map(|slot| &capacity.nodes[domain.nodes[slot]])
    });
    nodes.filter(move |node| look.search.capacity(node, group, 1) >= group.tasks)
}

/// The lowest domains to look for a pool in: those with the fewest GPUs free, so that emptier
/// ones stay whole.
fn leaves(capacity: &Capacity, model: ModelId, pool: Pool) -> SmallVec<[DomainId; LEAVES_MAX]> {
    let domains = &capacity.topology.domains;
    let mut here: SmallVec<[DomainId; LEAVES_MAX]> = SmallVec::new();
    if pool.is_in(&domains[ROOT], model) {
        here.push(ROOT);
    }
    // All lowest domains are at the same depth.
    while here.first().is_some_and(|first| !domains[*first].children.is_empty()) {
        let mut below = SmallVec::new();
        for &domain in &here {
            let mut fullest: SmallVec<[(u64, DomainId); LEAVES_MAX]> = SmallVec::new();
            let children = domains[domain].children.iter();
            for &child in children.filter(|child| pool.is_in(&domains[**child], model)) {
                let key = (domains[child].free(model).gpus, child);
                let at = fullest.partition_point(|other| *other < key);
                if at < LEAVES_MAX {
                    fullest.truncate(LEAVES_MAX - 1);
                    fullest.insert(at, key);
                }
            }
            below.extend(fullest.into_iter().map(|(_, child)| child));
            if below.len() >= LEAVES_MAX {
                break;
            }
        }
        below.truncate(LEAVES_MAX);
        here = below;
    }
    here
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
        left.whole = left.whole.saturating_sub(full);
        if over > 0 {
            left.break_whole(need.mode, over * need.milli);
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

/// What it costs to leave a node so, of which that much was of no use before.
fn cost(capacity: &Capacity, node: &Node, (before, useless): (&Left, u64), after: &Left) -> Cost {
    let kinds = capacity.mix.kinds();
    let mut growth = i128::from(after.useless(kinds)) - i128::from(useless);
    for kind in kinds.iter().filter(|kind| kind.tasks > 1) {
        let in_domain = domain_growth(capacity, node, (before.whole, after.whole), kind);
        growth += i128::from(kind.weight) * in_domain;
    }
    let step = STEP * i128::from(capacity.mix.weight().max(1));
    Cost {
        strays: node.spec.gpus > 0 && before.milli() == after.milli(),
        growth: growth.div_euclid(step),
        free: before.milli(),
    }
}

/// How much more is of no use to gangs that must be near each other, in the domain they would need.
fn domain_growth(capacity: &Capacity, node: &Node, whole: (u32, u32), kind: &MixRecord) -> i128 {
    // A claimed node is not counted in its domain: what is lent there takes nothing from it.
    if kind.gpus == 0 || node.counted.is_none() {
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
