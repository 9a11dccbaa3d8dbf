//! Clusters as people write them: in a line, and in a file.

use muster_model::{Mib, MilliCpu, MilliGpu};

use super::super::Queue;
use super::{file, find, refused};

#[test]
fn a_line_is_nodes_gpus_and_a_model() {
    let cluster = find("135x8:A100");
    assert_eq!((cluster.nodes.len(), cluster.gpus()), (135, 1080));
    let declared = cluster.declare().unwrap();
    assert_eq!(declared.nodes[0].name.as_str(), "node-001");
    assert_eq!(declared.nodes[134].gpu_model.as_ref().unwrap().as_str(), "A100");
    assert!(declared.spec.levels.is_empty() && declared.spec.pools.is_empty());
    assert_eq!(find("2x4").nodes[0].spec.gpu_model.as_ref().unwrap().as_str(), "H100");
}

#[test]
fn levels_stand_from_the_lowest_up() {
    let declared = find("7x8:V100/rack=2/block=2").declare().unwrap();
    let levels: Vec<_> = declared.spec.levels.iter().map(|level| level.as_str()).collect();
    assert_eq!(levels, ["block", "rack"]);
    let places: Vec<String> = declared
        .nodes
        .iter()
        .map(|node| format!("{} {}", node.domains[0], node.domains[1]))
        .collect();
    assert_eq!(places[0], "block-1 rack-1");
    assert_eq!(places[3], "block-1 rack-2");
    assert_eq!(places[4], "block-2 rack-3");
    assert_eq!(places[6], "block-2 rack-4");
}

#[test]
fn parts_are_numbered_through_and_stand_in_domains_of_their_own() {
    let cluster = find("3x8:H100/rack=2/pool=a/price=2.50 + 2x4:L4/rack=2/pool=b/failures=0.002");
    let declared = cluster.declare().unwrap();
    let racks: Vec<_> = declared.nodes.iter().map(|node| node.domains[0].as_str()).collect();
    assert_eq!(racks, ["rack-1", "rack-1", "rack-2", "rack-3", "rack-3"]);
    let names: Vec<_> = declared.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["node-1", "node-2", "node-3", "node-4", "node-5"]);
    assert_eq!(cluster.nodes[0].price_micros, 2_500_000);
    assert_eq!((cluster.nodes[4].failures_ppm, cluster.nodes[0].failures_ppm), (2_000, 0));
    assert_eq!(declared.spec.pools[0].price_micros, 2_500_000);
}

#[test]
fn a_line_sets_cpus_memory_and_links() {
    let cluster = find("1x4:A40/cpus=64/memory=512GiB/links=pairs");
    let node = &cluster.nodes[0].spec;
    assert_eq!((node.cpus, node.memory), (MilliCpu::whole(64), Mib::gib(512)));
    assert_eq!(node.links.nvlink.len(), 2);
}

#[test]
fn a_line_that_cannot_be_read_says_what_to_write() {
    let cases = [
        ("venos", "`venos` is neither a size, nor a file, nor a known cluster"),
        ("", "`` is neither a size"),
        ("0x8:H100", "`0` is no number of nodes\nhint: expected 1 to 1048576"),
        ("8x0:H100", "`0` is no number of GPUs\nhint: expected 1 to 64"),
        ("8x65", "`65` is no number of GPUs"),
        ("8x8:", "the model is empty"),
        ("8x8:H10", "gpu_model: `H10` is not allowed\nhint: did you mean H100?"),
        ("8x8/rack", "`rack` is no setting"),
        ("8x8/rack=0", "`0` is no number of rack"),
        ("8x8/rack=2/rack=2", "rack is there twice"),
        ("8x8/rack=2+8x8", "one part has the levels [rack], another []"),
        ("8x8/price=dear", "price=dear\nhint: a price per GPU-hour, as 2.50"),
        ("8x8/failures=-1", "failures=-1"),
        ("8x8/memory=much", "memory=much"),
        ("8x8/cpus=few", "cpus=few"),
        ("8x8/links=rope", "links=rope\nhint: nvswitch, pairs or pcie"),
        ("1048576x8+1x8", "it has 1048577 nodes"),
        ("8x8/my level=2", "levels[0]: `my level` is not allowed"),
    ];
    for (line, wanted) in cases {
        let said = refused(line);
        assert!(said.contains(wanted) && said.contains("\nhint: "), "{line}: {said}");
    }
}

const TOML: &str = r#"
name = "small"
levels = ["block", "rack"]

[[models]]
name = "Q9"
memory = "96GiB"

[[pools]]
name = "spare"
spot = true

[[queues]]
team = "vision"
guarantee = 16
weight = 3

[[queues]]
team = "speech & sound"

[[nodes]]
count = 4
gpus = 8
model = "Q9"
price = 2.5
failures = 0.002
within = { rack = 2, block = 1 }

[[nodes]]
count = 1
gpus = 0
cpus = 64
memory = "256GiB"
pool = "spare"
"#;

const JSON: &str = r#"{
  "name": "small",
  "levels": ["block", "rack"],
  "models": [{"name": "Q9", "memory": "96GiB"}],
  "pools": [{"name": "spare", "spot": true}],
  "queues": [{"team": "vision", "guarantee": 16, "weight": 3}, {"team": "speech & sound"}],
  "nodes": [
    {"count": 4, "gpus": 8, "model": "Q9", "price": 2.5, "failures": 0.002,
     "within": {"rack": 2, "block": 1}},
    {"count": 1, "gpus": 0, "cpus": 64, "memory": "256GiB", "pool": "spare"}
  ]
}"#;

#[test]
fn a_file_has_everything_and_both_forms_say_the_same() {
    let cluster = find(file("forms", "small.toml", TOML).to_str().unwrap());
    assert_eq!(cluster, find(file("forms", "small.json", JSON).to_str().unwrap()));
    assert_eq!((cluster.name.as_str(), cluster.gpus()), ("small", 32));
    assert_eq!((cluster.nodes[0].price_micros, cluster.nodes[0].failures_ppm), (2_500_000, 2_000));
    let declared = cluster.declare().unwrap();
    let places: Vec<String> = declared
        .nodes
        .iter()
        .map(|node| format!("{} {}", node.domains[0], node.domains[1]))
        .collect();
    assert_eq!(places[3], "block-2 rack-2");
    assert_eq!(places[4], "block-3 rack-3");
    assert!(declared.spec.pools[0].spot);
    assert_eq!(declared.nodes[4].cpus, MilliCpu::whole(64));
    let queue = |queue: &Queue| (queue.team.to_string(), queue.guarantee, queue.weight);
    let [one, other] = [0, 1].map(|index| queue(&cluster.queues[index]));
    assert_eq!(one, ("vision".to_owned(), MilliGpu::whole(16), 3));
    assert_eq!(other, ("speech & sound".to_owned(), MilliGpu::whole(0), 1));
}

#[test]
fn a_file_that_cannot_be_used_says_what_is_wrong() {
    let cases = [
        ("nodes = 3", "invalid type"),
        ("", "missing field `nodes`"),
        ("nodes = []", "it has 0 nodes"),
        ("[[nodes]]\ncount = 1\ngpus = 1\nmodle = \"T4\"", "unknown field `modle`"),
        ("[[nodes]]\ncount = 1\ngpus = 1", "nodes with GPUs of no model"),
        ("[[nodes]]\ncount = 1\ngpus = 99\nmodel = \"T4\"\nlinks = \"pcie\"", "gpus: 99"),
        ("[[nodes]]\ncount = 1\ngpus = 1\nmodel = \"T4\"\nprice = -1.0", "price is -1"),
        ("[[nodes]]\ncount = 1\ngpus = 1\nmodel = \"T4\"\nprice = nan", "price is NaN"),
        ("[[nodes]]\ncount = 1\ngpus = 1\nmodel = \"T4\"\nfailures = 1e9", "failures are too"),
        ("[[nodes]]\ncount = 1\ngpus = 1\nmodel = \"T4\"\nmemory = \"x\"", "memory is `x`"),
        ("[[nodes]]\ncount = 1\ngpus = 1\nmodel = \"T4\"\nlinks = \"x\"", "links are `x`"),
        (
            "[[nodes]]\ncount = 1\ngpus = 1\nmodel = \"T4\"\nwithin = { rack = 1 }",
            "nodes stand within `rack`, which is no level",
        ),
        (
            "levels = [\"rack\"]\n[[nodes]]\ncount = 1\ngpus = 1\nmodel = \"T4\"\n\
             within = { rack = 0 }",
            "rack holds nothing",
        ),
        (
            "pools = [{ name = \"a\" }]\nnodes = [{ count = 1, gpus = 1, model = \"T4\" }]",
            "the pool a has no nodes",
        ),
        (
            "queues = [{ team = \"a\" }, { team = \"a\" }]\n\
             nodes = [{ count = 1, gpus = 1, model = \"T4\" }]",
            "a has two queues",
        ),
        (
            "queues = [{ team = \"a\", weight = 0 }]\n\
             nodes = [{ count = 1, gpus = 1, model = \"T4\" }]",
            "the weight of a is 0",
        ),
    ];
    for (number, (text, wanted)) in cases.into_iter().enumerate() {
        let path = file("unusable", &format!("{number}.toml"), text);
        let said = refused(path.to_str().unwrap());
        assert!(said.contains(wanted) && said.contains("\nhint: "), "{said}");
    }
}
