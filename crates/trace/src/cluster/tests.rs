//! Clusters from lines, files and lists, and what they are in the model's words.

mod written;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use super::Cluster;

/// A file of this text, in a folder that belongs to this test alone.
fn file(test: &str, name: &str, text: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("muster-trace-{}-{test}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

fn find(text: &str) -> Cluster {
    Cluster::find(text, Path::new("nowhere")).unwrap()
}

fn refused(text: &str) -> String {
    let found = Cluster::find(text, Path::new("nowhere"));
    found.and_then(|cluster| cluster.declare()).unwrap_err().to_string()
}

#[test]
fn a_list_of_virtual_clusters_gives_pools_of_nodes() {
    let path = file("vcs", "vcs.csv", "vc,nodes\nvc-b,2\nvc-a,1\n");
    let cluster = find(path.to_str().unwrap());
    assert_eq!(cluster.gpus(), 24);
    let pools: Vec<_> =
        cluster.pools.iter().map(|pool| (pool.name.as_str(), pool.min, pool.max)).collect();
    assert_eq!(pools, [("vc-b", 2, 2), ("vc-a", 1, 1)]);
    let declared = cluster.clone().declare().unwrap();
    let node = &declared.nodes[2];
    assert_eq!(node.pool.as_ref().unwrap().as_str(), "vc-a");
    assert_eq!(node.labels.values().next().unwrap().as_str(), "vc-a");

    let merged = cluster.merged();
    let queues: Vec<_> =
        merged.queues.iter().map(|queue| (&*queue.team, queue.guarantee.0, queue.weight)).collect();
    assert_eq!(queues, [("vc-b", 16_000, 16), ("vc-a", 8_000, 8)]);
    let merged = merged.declare().unwrap();
    assert!(merged.spec.pools.is_empty());
    assert!(merged.nodes.iter().all(|node| node.pool.is_none() && node.labels.is_empty()));
}

#[test]
fn a_list_of_alibaba_gives_nodes_with_their_models_cpus_and_memory() {
    let text = "sn,cpu_milli,memory_mib,gpu,model\nn-0,64000,262144,2,P100\nn-1,96000,786432,8,G3\n\
                n-2,94000,100,0,\n";
    let path = file("alibaba", "nodes.csv", text);
    let cluster = find(path.to_str().unwrap());
    assert_eq!(cluster.models.len(), 1);
    let declared = cluster.declare().unwrap();
    let [first, second, third] = declared.nodes.as_slice() else { panic!("three nodes") };
    assert_eq!((first.gpus, first.cpus.0, first.memory.0), (2, 64_000, 262_144));
    assert!(first.links.nvlink.is_empty() && !second.links.nvlink.is_empty());
    assert_eq!((third.gpus, third.gpu_model.is_none()), (0, true));
}

#[test]
fn switches_of_lingjun_are_levels_with_names_of_their_own() {
    let text = "ip,DSW,PSW,ASW\nx1,G6,P10,S14\nx2,G6,P12,S14\nx3,G6,P10,S14\n";
    let path = file("lingjun", "topology.csv", text);
    let declared = find(path.to_str().unwrap()).declare().unwrap();
    let low: Vec<_> = declared.nodes.iter().map(|node| node.domains[2].as_str()).collect();
    assert_eq!(low, ["G6-P10-S14", "G6-P12-S14", "G6-P10-S14"]);
    assert_eq!(declared.spec.levels.len(), 3);
}

#[test]
fn a_fleet_has_models_and_cpus() {
    let text = "gpu_model,gpu_capacity_num,cpu_num,node_name\nH800,8,192,7\nA10,1,128,2\n";
    let path = file("fleet", "nodes.csv", text);
    let declared = find(path.to_str().unwrap()).declare().unwrap();
    assert_eq!(declared.nodes[0].name.as_str(), "node-7");
    assert_eq!(declared.nodes[1].cpus.0, 128_000);
}

#[test]
fn a_list_that_cannot_be_used_says_where_and_why() {
    let cases = [
        ("a,b\n1,2\n", "the columns a,b are of no known list"),
        ("vc,nodes\nvc-1,some\n", "line 2: nodes: `some` is not a whole number"),
        ("vc,nodes\nvc-1\n", "line 2: 1 columns, expected 2"),
        ("vc,nodes\n", "has no nodes"),
        ("", "cannot read"),
        ("sn,cpu_milli,memory_mib,gpu,model\nn,1,1,65,T4\n", "n: gpus: 65 is not allowed"),
        ("sn,cpu_milli,memory_mib,gpu,model\nn,1,1,1,Q9\n", "gpu_model: `Q9` is not allowed"),
        ("sn,cpu_milli,memory_mib,gpu,model\nn,0,1,1,T4\n", "n: cpus: 0 is not allowed"),
    ];
    for (number, (text, wanted)) in cases.into_iter().enumerate() {
        let path = file("refused", &format!("{number}.csv"), text);
        let said = refused(path.to_str().unwrap());
        assert!(said.contains(wanted) && said.contains("\nhint: "), "{said}");
    }
}

#[test]
fn clusters_of_public_traces_need_their_folder() {
    for word in ["venus", "venus-merged", "alibaba-2023", "lingjun", "spot-fleet"] {
        let said = refused(word);
        assert!(said.starts_with(&format!("cannot use the cluster {word}: there is no nowhere")));
        assert!(said.contains("hint: name the folder with the public traces"), "{said}");
    }
    let said = refused("missing.toml");
    assert!(said.starts_with("cannot open missing.toml: "), "{said}");
}
