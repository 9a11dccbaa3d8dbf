//! How much of a gang fits where, counted node by node: the numbers behind a reason.

use muster_model::NodeId;

use crate::dense::DomainId;
use crate::place::Search;
use crate::state::capacity::Capacity;
use crate::state::demand::GroupDemand;
use crate::state::node::Node;
use crate::state::topology::ROOT;

/// What fits of the tightest group of a gang.
#[derive(Clone, Debug)]
pub(crate) struct Measure {
    /// Tasks of the group.
    pub(crate) tasks: u32,
    /// Nodes that match by model and constraint and can be seen.
    pub(crate) nodes: u32,
    /// GPUs free on those that are open to new work.
    pub(crate) gpus_free: u64,
    /// Tasks that fit in all of them together.
    pub(crate) fit: u32,
    /// Tasks that would fit by GPUs alone.
    pub(crate) fit_by_gpus: u32,
    /// The domain of the required level where most fit, and how many.
    pub(crate) best: (DomainId, u32),
    /// The one node where most fit.
    pub(crate) best_node: Option<(NodeId, u32)>,
    /// The most that one domain of the required level could hold if it were empty.
    pub(crate) most_empty: u32,
}

/// How much of a node to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Now,
    ByGpus,
    Empty,
}

/// Measures the group of a gang that fits worst.
pub(crate) fn measure(capacity: &Capacity, search: &Search<'_>) -> Measure {
    let measures = (0..search.demand.groups.len()).map(|group| one(capacity, search, group));
    let short = |measure: &Measure| i64::from(measure.best.1) - i64::from(measure.tasks);
    measures.min_by_key(short).expect("a gang has a group")
}

fn one(capacity: &Capacity, search: &Search<'_>, group: usize) -> Measure {
    let demand = &search.demand.groups[group];
    let matching: Vec<&Node> = (capacity.nodes.iter())
        .map(|(_, node)| node)
        .filter(|node| matches(search, group, node))
        .collect();
    let unit = search.demand.unit(search.node_depth);
    let single = search.demand.require == search.node_depth;
    let at_level = |count: Count| best_domain(capacity, search, group, count);
    let best_of = |count: Count| {
        let fit = |node: &&&Node| of_node(node, demand, unit, count);
        let best = matching.iter().max_by_key(|node| (fit(node), std::cmp::Reverse(node.id)));
        best.map(|node| (node.id, fit(&node)))
    };
    let best_node = best_of(Count::Now);
    let (best, most_empty) = if single {
        (best_node.map_or((ROOT, 0), |(_, fit)| (ROOT, fit)), best_of(Count::Empty))
    } else {
        (at_level(Count::Now), Some((NodeId(0), at_level(Count::Empty).1)))
    };
    Measure {
        tasks: demand.tasks,
        nodes: u32::try_from(matching.len()).expect("fewer nodes than 2^32"),
        gpus_free: (matching.iter())
            .filter(|node| node.counted.is_some())
            .map(|node| u64::from(node.usable().count()))
            .sum(),
        fit: below(capacity, search, group, ROOT, Count::Now),
        fit_by_gpus: below(capacity, search, group, ROOT, Count::ByGpus),
        best,
        best_node,
        most_empty: most_empty.map_or(0, |(_, fit)| fit),
    }
}

/// Whether a node is one the group could ever use while nothing about it changes.
fn matches(search: &Search<'_>, group: usize, node: &Node) -> bool {
    node.model == search.models[group]
        && search.lets_in(node.id)
        && node.sight == crate::snapshot::Sight::Seen
        && !node.drained
}

fn of_node(node: &Node, demand: &GroupDemand, unit: u32, count: Count) -> u32 {
    match count {
        Count::Empty => node.capacity_empty(demand, unit),
        Count::Now if node.counted.is_some() => node.capacity(demand, unit),
        Count::ByGpus if node.counted.is_some() => {
            let by_gpus = GroupDemand { cpus: 0, memory: 0, ..*demand };
            node.capacity(&by_gpus, unit)
        }
        _ => 0,
    }
}

/// The domain of the required level where most fit.
fn best_domain(
    capacity: &Capacity,
    search: &Search<'_>,
    group: usize,
    count: Count,
) -> (DomainId, u32) {
    let domains = capacity.topology.domains.iter();
    domains
        .filter(|(_, domain)| domain.depth == search.demand.require)
        .map(|(id, _)| (id, below(capacity, search, group, id, count)))
        .max_by_key(|&(id, fit)| (fit, std::cmp::Reverse(id)))
        .unwrap_or((ROOT, 0))
}

/// Tasks that fit below a domain, in whole segments.
fn below(
    capacity: &Capacity,
    search: &Search<'_>,
    group: usize,
    id: DomainId,
    count: Count,
) -> u32 {
    let domain = &capacity.topology.domains[id];
    let demand = &search.demand.groups[group];
    let unit = search.demand.unit(search.node_depth);
    let mut fit: u32 = 0;
    for &child in &domain.children {
        fit = fit.saturating_add(below(capacity, search, group, child, count));
    }
    for &node in &domain.nodes {
        let node = &capacity.nodes[node];
        if matches(search, group, node) {
            fit = fit.saturating_add(of_node(node, demand, unit, count));
        }
    }
    match search.demand.segment {
        Some((block, depth)) if depth == domain.depth => fit / block * block,
        _ => fit,
    }
}
