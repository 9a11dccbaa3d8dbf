//! The synthetic cluster: 8-GPU nodes in racks, blocks and zones, and a tree of 200 queues.
//! The same for every seed; what is drawn by chance is in `jobs.rs`.

use muster_engine::Engine;
use muster_engine::command::Command;
use muster_model::{ClusterSpec, Mib, NodeSpec, QueueSpec, Quota, Time};

/// GPUs of a node.
pub(super) const NODE_GPUS: u32 = 8;

/// Nodes of a rack.
const RACK_NODES: u32 = 32;

/// Nodes of a block: eight racks, so that the largest gang takes half a block.
pub(super) const BLOCK_NODES: u32 = 8 * RACK_NODES;

/// Nodes of a zone: four blocks, so that there are several zones at 100,000 GPUs.
const ZONE_NODES: u32 = 4 * BLOCK_NODES;

/// The largest gang of the workload.
pub(super) const GANG_GPUS: u32 = 1_024;

/// Queues that only divide, and queues that jobs go to below each of them.
const PARENTS: u32 = 10;
const LEAVES: u32 = 20;

/// Queues that jobs go to.
pub(super) const QUEUES: u32 = PARENTS * LEAVES;

/// The queue without a limit of its own or above it, for gangs that must not wait for quota.
pub(super) const UNLIMITED_QUEUE: u32 = 1;

/// The GPU models of one block after the other.
const BLOCK_MODELS: [&str; 10] =
    ["H100", "H100", "H100", "H200", "H100", "H100", "A100", "H100", "H200", "H100"];

/// When the virtual clock begins.
pub(super) const START: Time = Time(1_800_000_000_000);

/// Host memory of a node for suspended work: as much as its tasks have. One node of so many has
/// none, so that some jobs have to be paused in another way.
const SUSPEND_MEMORY: Mib = Mib::gib(1_024);
const WITHOUT_SUSPEND: u32 = 4;

/// What waits for the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    /// A long queue of jobs that are left alone once they run.
    Usual,
    /// Far more than fits, of all classes, most of it ready to be paused.
    Overload,
}

/// A cluster of so many GPUs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    nodes: u32,
    load: Load,
}

impl Layout {
    /// Whole nodes for at least so many GPUs.
    pub(super) fn new(gpus: u32) -> Layout {
        Layout { nodes: gpus.div_ceil(NODE_GPUS), load: Load::Usual }
    }

    /// The same with a load.
    pub(super) fn with_load(gpus: u32, load: Load) -> Layout {
        Layout { load, ..Layout::new(gpus) }
    }

    pub(super) fn load(self) -> Load {
        self.load
    }

    pub(super) fn nodes(self) -> u32 {
        self.nodes
    }

    pub(super) fn gpus(self) -> u32 {
        self.nodes * NODE_GPUS
    }

    /// The largest gang of the mix: a power of two of at most an eighth of the cluster, so
    /// that a small cluster is filled too.
    pub(super) fn gang_gpus_max(self) -> u32 {
        let most = (self.gpus() / 8).clamp(1, GANG_GPUS);
        1 << most.ilog2()
    }

    /// The GPU models that are there, the most common first.
    pub(super) fn models(self) -> Vec<&'static str> {
        let mut models = Vec::new();
        for block in 0..self.nodes.div_ceil(BLOCK_NODES) {
            let model = block_model(block);
            if !models.contains(&model) {
                models.push(model);
            }
        }
        models
    }

    /// An engine that all nodes have joined.
    pub(super) fn engine(self) -> Engine {
        self.engine_of(self.cluster())
    }

    /// The same with other queues.
    pub(super) fn engine_of(self, cluster: ClusterSpec) -> Engine {
        let mut engine = Engine::new(cluster).expect("the synthetic cluster is valid");
        for command in self.joins() {
            engine.step(START, command);
        }
        engine
    }

    /// What makes all nodes join.
    pub(super) fn joins(self) -> impl Iterator<Item = Command> {
        let join = move |index| Command::NodeJoined { spec: self.node(index), running: Vec::new() };
        (0..self.nodes).map(join)
    }

    /// A node of the cluster.
    fn node(self, index: u32) -> NodeSpec {
        match self.load {
            Load::Overload if !index.is_multiple_of(WITHOUT_SUSPEND) => {
                node(index).suspend_memory(SUSPEND_MEMORY)
            }
            _ => node(index),
        }
    }

    /// Levels, queues, and for the rest what a cluster has that configures nothing.
    pub(super) fn cluster(self) -> ClusterSpec {
        let parents = (0..PARENTS).map(|parent| self.parent(parent));
        let leaves = (0..QUEUES).map(|leaf| self.leaf(leaf));
        self.cluster_of(parents.chain(leaves))
    }

    /// The same with other queues.
    pub(super) fn cluster_of(self, queues: impl IntoIterator<Item = QueueSpec>) -> ClusterSpec {
        ClusterSpec::default().levels(["zone", "block", "rack"]).queues(queues)
    }

    /// Four fifths of the cluster are guaranteed to someone; two of ten may not have more than
    /// a fifth of it.
    fn parent(self, parent: u32) -> QueueSpec {
        let queue = QueueSpec::new(&parent_name(parent))
            .guarantee(Quota::of_gpus(self.guaranteed()))
            .weight(1 + parent % 4);
        if parent % 5 == 4 { queue.limit(self.at_least_a_gang(5)) } else { queue }
    }

    /// Half of the queues have a guarantee, a quarter a limit, a tenth a limit for each user.
    fn leaf(self, leaf: u32) -> QueueSpec {
        let mut queue = QueueSpec::new(&queue_name(leaf)).weight(1 + leaf % 8);
        if leaf.is_multiple_of(2) {
            queue = queue.guarantee(Quota::of_gpus(self.guaranteed() / u64::from(LEAVES)));
        }
        if leaf % 4 == 3 {
            queue = queue.limit(self.at_least_a_gang(50));
        }
        if leaf % 10 == 5 {
            queue = queue.user_limit(self.at_least_a_gang(100));
        }
        queue
    }

    fn guaranteed(self) -> u64 {
        u64::from(self.gpus()) * 8 / 10 / u64::from(PARENTS)
    }

    /// A part of the cluster, but enough for any gang of the mix.
    fn at_least_a_gang(self, part: u32) -> Quota {
        Quota::of_gpus(u64::from((self.gpus() / part).max(self.gang_gpus_max())))
    }
}

/// The node of a number: full blocks, one after the other.
fn node(index: u32) -> NodeSpec {
    let (zone, block, rack) = (index / ZONE_NODES, index / BLOCK_NODES, index / RACK_NODES);
    NodeSpec::new(&format!("node-{index}"), block_model(block), NODE_GPUS)
        .domains([
            format!("zone-{zone}").as_str(),
            format!("block-{block}").as_str(),
            format!("rack-{rack}").as_str(),
        ])
        .label("disk", if rack.is_multiple_of(2) { "fast" } else { "slow" })
        .label("network", if block % 3 == 0 { "ib800" } else { "ib400" })
        .label("image", if index.is_multiple_of(4) { "new" } else { "proven" })
}

fn block_model(block: u32) -> &'static str {
    BLOCK_MODELS[block as usize % BLOCK_MODELS.len()]
}

/// The name of a queue that jobs go to.
pub(super) fn queue_name(leaf: u32) -> String {
    format!("{}/team-{}", parent_name(leaf / LEAVES), leaf % LEAVES)
}

fn parent_name(parent: u32) -> String {
    format!("division-{parent}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{GANG_GPUS, Layout, QUEUES, UNLIMITED_QUEUE, node, queue_name};

    #[test]
    fn every_size_makes_a_valid_cluster_with_valid_nodes() {
        for gpus in [8, 64, 1_000, 8_000, 100_000] {
            let layout = Layout::new(gpus);
            let cluster = layout.cluster();
            assert_eq!(cluster.validate(), Ok(()), "{gpus}");
            for index in [0, layout.nodes() - 1] {
                assert_eq!(node(index).validate(&cluster), Ok(()), "{gpus}");
            }
        }
    }

    #[test]
    fn the_largest_cluster_has_several_zones_and_three_models() {
        let layout = Layout::new(100_000);
        let nodes = (0..layout.nodes()).map(node);
        let zones: BTreeSet<_> = nodes.map(|node| node.domains[0].clone()).collect();
        assert_eq!((layout.nodes(), zones.len()), (12_500, 13));
        assert_eq!(layout.models(), ["H100", "H200", "A100"]);
    }

    #[test]
    fn gangs_are_at_most_an_eighth_of_a_small_cluster() {
        let most = |gpus| Layout::new(gpus).gang_gpus_max();
        assert_eq!((most(8), most(64), most(1_000), most(8_000)), (1, 8, 64, 512));
        assert_eq!(most(100_000), GANG_GPUS);
    }

    #[test]
    fn the_queue_for_single_gangs_has_no_limit_on_its_path() {
        let cluster = Layout::new(8_000).cluster();
        let wanted = queue_name(UNLIMITED_QUEUE);
        let path = cluster.queues.iter().filter(|queue| {
            wanted == queue.name.as_str() || wanted.starts_with(&format!("{}/", queue.name))
        });
        let nothing = muster_model::Quota::default();
        let path: Vec<_> = path.collect();
        assert_eq!(path.len(), 2);
        assert!(path.iter().all(|queue| queue.limit == nothing && queue.user_limit == nothing));
    }

    #[test]
    fn jobs_can_go_to_two_hundred_queues() {
        let cluster = Layout::new(1_000).cluster();
        let leaves: BTreeSet<String> = (0..QUEUES).map(queue_name).collect();
        assert_eq!(leaves.len(), 200);
        let is_there =
            |leaf: &String| cluster.queues.iter().any(|queue| queue.name.as_str() == leaf);
        assert!(leaves.iter().all(is_there));
    }
}
