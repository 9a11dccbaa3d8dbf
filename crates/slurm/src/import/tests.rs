//! A cluster's files, read.

use super::{Files, read};

const SLURM: &str = "\
# a comment
ClusterName=big
SlurmctldHost=ctl
SchedulerType=sched/backfill
GresTypes=gpu
NodeName=DEFAULT RealMemory=2000 CPUs=64
NodeName=n[1-3] Gres=gpu:h100:8 \\
   Feature=fast,ib
NodeName=c1 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 CPUs=32 RealMemory=500
NodeSet=fast Nodes=n[1-2]
PartitionName=DEFAULT MaxTime=2-0
PartitionName=main Nodes=fast,c1 Default=YES DefaultTime=60
PartitionName=all Nodes=ALL MaxTime=INFINITE PriorityTier=10
Licenses=matlab:10
";

fn files() -> Files {
    Files { slurm: SLURM.to_owned(), ..Files::default() }
}

#[test]
fn nodes_and_partitions_are_read_with_their_defaults() {
    let read = read(&files());
    assert_eq!(read.cluster, "big");
    assert_eq!(read.nodes.keys().collect::<Vec<_>>(), ["c1", "n1", "n2", "n3"]);
    let node = &read.nodes["n2"];
    assert_eq!((node.cpus, node.memory_mib, node.gpus), (64, 2000, 8));
    assert_eq!(node.model.as_deref(), Some("h100"));
    assert_eq!(node.features, ["fast", "ib"]);
    let main = &read.partitions[0];
    assert_eq!(main.nodes, ["n1", "n2", "c1"]);
    assert!(main.is_default);
    assert_eq!((main.time_max_minutes, main.time_default_minutes), (Some(2880), Some(60)));
    assert_eq!((read.partitions[1].nodes.len(), read.partitions[1].time_max_minutes), (4, None));
}

#[test]
fn what_has_no_equivalent_is_listed_with_its_line() {
    let read = read(&files());
    let expected = [
        "slurm.conf line 5: grestypes=gpu",
        "slurm.conf line 14: licenses=matlab:10",
        "slurm.conf line 13: prioritytier=10",
    ];
    assert_eq!(read.left_out, expected);
}

#[test]
fn gpus_may_stand_in_a_file_of_their_own() {
    let mut files = files();
    files.slurm = "NodeName=n[1-2] CPUs=8\nNodeName=m Gres=gpu:2\n".to_owned();
    files.gres = "NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3]\nName=gpu Type=h100\n\
                  Name=mps Count=100\n"
        .to_owned();
    let read = read(&files);
    assert_eq!((read.nodes["n1"].gpus, read.nodes["n1"].model.as_deref()), (4, Some("a100")));
    assert_eq!((read.nodes["m"].gpus, read.nodes["m"].model.as_deref()), (2, Some("h100")));
    assert_eq!(read.left_out, ["gres.conf line 3: name=mps"]);
}

#[test]
fn trees_and_blocks_become_levels() {
    let tree =
        "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n3\nSwitchName=top Switches=s[1-2]\n";
    let topology = read(&Files { topology: tree.to_owned(), ..files() }).topology;
    assert_eq!(topology.levels, ["switch-2", "switch"]);
    assert_eq!(topology.domains["n2"], ["top", "s1"]);
    assert!(!topology.has_blocks);
    let blocks = "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n3\nBlockSizes=2\n";
    let read = read(&Files { topology: blocks.to_owned(), slurm: String::new(), ..files() });
    assert_eq!(read.topology.levels, ["block"]);
    assert!(read.topology.has_blocks);
    assert_eq!(read.left_out, ["topology.conf line 3: blocksizes"]);
    let circle = "SwitchName=a Switches=b Nodes=n1\nSwitchName=b Switches=a\n";
    let topology = super::read(&Files { topology: circle.to_owned(), ..files() }).topology;
    assert!(topology.levels.len() <= 8, "a circle ends");
}

#[test]
fn accounts_are_read_with_their_users() {
    let dump = "# To edit this file\nCluster - 'big':Fairshare=1:QOS='normal'\nParent - 'root'\n\
                Account - 'vision':Description='a: b':Fairshare=10:GrpTRES=gres/gpu=8\n\
                Parent - 'vision'\nUser - 'user-a':DefaultAccount='vision':QOS='+high'\n";
    let read = read(&Files { accounts: dump.to_owned(), slurm: String::new(), ..files() });
    let vision = &read.accounts.accounts["vision"];
    assert_eq!((vision.weight, vision.parent.as_deref()), (10, None));
    assert_eq!(vision.members, ["user-a"]);
    assert_eq!(read.accounts.qos, ["normal", "high"]);
    assert_eq!(read.left_out, ["accounts line 4: Account vision: grptres=gres/gpu=8"]);
}
