//! Bad nodes and what is said about them, field by field.

use proptest::prelude::*;

use crate::bound::{CPUS_MAX, MEMORY_MAX};
use crate::cluster::ClusterSpec;
use crate::link::{GpuSet, NodeLinks};
use crate::name::Name;
use crate::node::NodeSpec;
use crate::pool::Pool;
use crate::unit::{Mib, MilliCpu};

fn cluster() -> ClusterSpec {
    let pool = Pool {
        name: Name::from("burst"),
        region: None,
        min: 0,
        max: 8,
        price_micros: 0,
        spot: true,
    };
    ClusterSpec { pools: vec![pool], ..ClusterSpec::default() }.levels(["zone", "rack"])
}

fn node() -> NodeSpec {
    NodeSpec::new("node-1", "H100", 8).domains(["zone-a", "rack-1"])
}

fn problems(node: &NodeSpec) -> Vec<String> {
    let found = node.validate(&cluster()).expect_err("a bad node");
    found.iter().map(ToString::to_string).collect()
}

/// Each node has exactly one problem, with these words.
#[track_caller]
fn check(table: impl IntoIterator<Item = (NodeSpec, &'static str)>) {
    for (node, expected) in table {
        assert_eq!(problems(&node), [expected]);
    }
}

#[test]
fn good_nodes_are_accepted() {
    let nodes = [
        node(),
        node().pool("burst").label("disk", "fast").suspend_memory(MEMORY_MAX),
        NodeSpec::without_gpus("login", 1, Mib(1)).domains(["zone-a", "rack-1"]),
        NodeSpec::new("wide", "H100", 64).domains(["zone-a", "rack-1"]),
        node().links(NodeLinks::pairs(8)),
        node().links(NodeLinks::default()),
    ];
    for node in nodes {
        assert_eq!(node.validate(&cluster()), Ok(()), "{node:?}");
    }
}

#[test]
fn bad_gpus_are_refused() {
    check([
        (NodeSpec { gpus: 65, ..node() }, "gpus: 65 is not allowed; expected 0 to 64"),
        (
            NodeSpec { gpu_model: None, ..node() },
            "gpu_model: no model is not allowed; expected the model of the node's 8 GPUs",
        ),
        (
            NodeSpec { gpus: 0, ..node() }.links(NodeLinks::default()),
            "gpu_model: `H100` is not allowed; expected no model: the node has no GPUs",
        ),
        (
            NodeSpec { gpu_model: Some(Name::from("H10")), ..node() },
            "gpu_model: `H10` is not allowed; expected one of the 22 GPU models of this cluster\n\
             hint: did you mean H100?",
        ),
    ]);
}

#[test]
fn bad_links_are_refused() {
    let nvlink = |groups: &[u64]| {
        let nvlink = groups.iter().map(|group| GpuSet(*group)).collect();
        node().links(NodeLinks { nvlink, ..NodeLinks::default() })
    };
    let numa = NodeLinks { numa: vec![GpuSet(0b11), GpuSet(0b10)], ..NodeLinks::default() };
    check([
        (nvlink(&[0b1111, 0]), "links.nvlink[1]: no GPU is not allowed; expected at least 1"),
        (
            nvlink(&[0b11_0000_0000]),
            "links.nvlink[0]: GPU 8, 9 is not allowed; expected GPUs of this node, which has 8",
        ),
        (
            node().links(numa),
            "links.numa[1]: GPU 1 is not allowed; expected each GPU in one group of a layer",
        ),
    ]);
}

#[test]
fn bad_amounts_are_refused() {
    check([
        (node().cpus(0), "cpus: 0 is not allowed; expected 0.001 to 1073741824"),
        (
            NodeSpec { cpus: MilliCpu(CPUS_MAX.0 + 1), ..node() },
            "cpus: 1073741824.001 is not allowed; expected 0.001 to 1073741824",
        ),
        (node().memory(Mib(0)), "memory: 0MiB is not allowed; expected 1MiB to 1EiB"),
        (
            node().suspend_memory(Mib(MEMORY_MAX.0 * 2)),
            "suspend_memory: 2EiB is not allowed; expected 0MiB to 1EiB",
        ),
    ]);
}

#[test]
fn bad_places_are_refused() {
    check([
        (
            node().domains(["rack-1"]),
            "domains: 1 domain is not allowed; expected one per level: zone, rack",
        ),
        (
            node().domains(["zone-a", "rack 1"]),
            "domains[1]: `rack 1` is not allowed; expected 1 to 63 letters, digits, `.`, `_` or \
             `-`, starting with a letter or digit\nhint: did you mean rack-1?",
        ),
        (
            node().pool("brust"),
            "pool: `brust` is not allowed; expected one of burst\nhint: did you mean burst?",
        ),
    ]);
    let flat = ClusterSpec::default();
    let found = node().validate(&flat).expect_err("domains without levels");
    assert_eq!(
        found[0].to_string(),
        "domains: 2 domains is not allowed; expected none: the cluster has no levels"
    );
}

#[test]
fn bad_names_and_labels_are_refused() {
    let many = (0..257).fold(node(), |node, index| node.label(&format!("label-{index}"), "yes"));
    check([
        (
            NodeSpec { name: Name::from("node 1"), ..node() },
            "name: `node 1` is not allowed; expected 1 to 63 letters, digits, `.`, `_` or `-`, \
             starting with a letter or digit\nhint: did you mean node-1?",
        ),
        (
            node().label("my disk", "fast"),
            "labels: `my disk` is not allowed; expected 1 to 63 letters, digits, `.`, `_` or `-`, \
             starting with a letter or digit\nhint: did you mean my-disk?",
        ),
        (
            node().label("disk", "very fast"),
            "labels.disk: `very fast` is not allowed; expected 1 to 63 letters, digits, `.`, `_` \
             or `-`, starting with a letter or digit\nhint: did you mean very-fast?",
        ),
        (many, "labels: 257 labels is not allowed; expected at most 256"),
    ]);
}

#[test]
fn every_problem_is_reported_at_once() {
    let bad = NodeSpec::new("a b", "none", 8).cpus(0).pool("none").label("c d", "fast");
    let found = bad.validate(&cluster()).expect_err("a bad node");
    let fields: Vec<_> = found.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(fields, ["name", "gpu_model", "cpus", "domains", "pool", "labels"]);
}

/// Numbers of every magnitude.
fn numbers() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0_u32..64).prop_map(|(value, shift)| value >> shift)
}

proptest! {
    #[test]
    fn a_node_is_accepted_exactly_where_all_amounts_are_in_range(
        gpus in prop_oneof![0..70_u32, any::<u32>()],
        cpus in numbers(),
        memory in numbers(),
    ) {
        let node = NodeSpec { gpus, cpus: MilliCpu(cpus), ..node() }.memory(Mib(memory));
        let is_good = (1..=64).contains(&gpus)
            && (1..=CPUS_MAX.0).contains(&cpus)
            && (1..=MEMORY_MAX.0).contains(&memory);
        let result = node.links(NodeLinks::default()).validate(&cluster());
        prop_assert_eq!(result.is_ok(), is_good);
    }

    #[test]
    fn a_layer_is_accepted_exactly_where_its_groups_part_the_gpus(
        masks in prop::collection::vec(prop_oneof![0_u64..256, 0_u64..512], 0..3)
    ) {
        let mut gpus: Vec<u32> = masks.iter().flat_map(|mask| GpuSet(*mask).iter()).collect();
        let count = gpus.len();
        gpus.sort_unstable();
        gpus.dedup();
        let is_good = gpus.len() == count
            && gpus.iter().all(|gpu| *gpu < 8)
            && masks.iter().all(|mask| *mask != 0);
        let pcie = masks.into_iter().map(GpuSet).collect();
        let node = node().links(NodeLinks { pcie, ..NodeLinks::default() });
        prop_assert_eq!(node.validate(&cluster()).is_ok(), is_good);
    }

    #[test]
    fn the_usual_wirings_are_valid_for_every_number_of_gpus(gpus in 1..=64_u32) {
        for links in [NodeLinks::nvswitch(gpus), NodeLinks::pairs(gpus), NodeLinks::pcie(gpus)] {
            let node = NodeSpec::new("node-1", "H100", gpus).domains(["zone-a", "rack-1"]);
            prop_assert_eq!(node.links(links.clone()).validate(&cluster()), Ok(()));
            let all = links.pcie.iter().fold(GpuSet::EMPTY, |all, group| all.or(*group));
            prop_assert_eq!(all, GpuSet::first(gpus));
        }
    }
}
