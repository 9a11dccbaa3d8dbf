//! Inside a node: the best-linked GPUs, and NVLink where a task requires it.

use crate::support::*;

fn one_node(links: &NodeLinks) -> World {
    cluster().nodes_with("n", 1, "H100x8", |node| node.links(links.clone())).build()
}

/// Runs jobs of one GPU each so that just the named GPUs stay taken.
fn take(c: &mut World, gpus: &[u32]) {
    let jobs: Vec<JobId> = (0..8).map(|_| c.run(gang(1, 1))).collect();
    for job in jobs {
        if !gpus.contains(&c.gpus_of(job, 0)[0]) {
            c.finish(job);
        }
    }
}

/// Which GPUs a task gets when others are taken.
#[track_caller]
fn gets(links: &NodeLinks, taken: &[u32], spec: JobSpec, expected: &[u32]) {
    let mut c = one_node(links);
    take(&mut c, taken);
    let job = c.run(spec);
    assert_eq!(c.gpus_of(job, 0), expected, "with {taken:?} taken of {links:?}");
}

#[test]
fn a_single_gpu_comes_from_a_pair_that_is_broken_already() {
    gets(&NodeLinks::nvswitch(8), &[], gang(1, 1), &[0]);
    gets(&NodeLinks::nvswitch(8), &[0, 5], gang(1, 1), &[1]);
    gets(&NodeLinks::nvswitch(8), &[0, 1, 5], gang(1, 1), &[4]);
    gets(&NodeLinks::pairs(8), &[2, 4, 5], gang(1, 1), &[3]);
}

#[test]
fn two_gpus_are_a_pair() {
    gets(&NodeLinks::pairs(8), &[0], gang(1, 2), &[2, 3]);
    gets(&NodeLinks::pairs(8), &[1, 2, 5], gang(1, 2), &[6, 7]);
    gets(&NodeLinks::nvswitch(8), &[3], gang(1, 2), &[0, 1]);
}

#[test]
fn two_gpus_without_a_whole_pair_share_a_socket() {
    gets(&NodeLinks::pairs(8), &[0, 2, 4, 6, 7], gang(1, 2), &[1, 3]);
}

#[test]
fn three_and_four_gpus_share_a_socket() {
    gets(&NodeLinks::nvswitch(8), &[0], gang(1, 4), &[4, 5, 6, 7]);
    gets(&NodeLinks::nvswitch(8), &[0], gang(1, 3), &[1, 2, 3]);
    gets(&NodeLinks::pcie(8), &[0], gang(1, 4), &[4, 5, 6, 7]);
    gets(&NodeLinks::pcie(8), &[5], gang(1, 3), &[4, 6, 7]);
}

#[test]
fn more_gpus_than_any_group_has_come_from_the_whole_node() {
    gets(&NodeLinks::pcie(8), &[0], gang(1, 5), &[1, 2, 3, 4, 5]);
    gets(&NodeLinks::pcie(8), &[1, 6], gang(1, 6), &[0, 2, 3, 4, 5, 7]);
}

#[test]
fn nvlink_counts_for_more_than_a_shared_switch() {
    // Two NVLink islands of four whose members sit pairwise behind switches of both islands.
    let links = NodeLinks {
        nvlink: vec![GpuSet(0b0000_1111), GpuSet(0b1111_0000)],
        pcie: (0..4).map(|gpu| GpuSet::one(gpu).or(GpuSet::one(gpu + 4))).collect(),
        numa: vec![],
    };
    gets(&links, &[], gang(1, 2), &[0, 1]);
}

#[test]
fn a_task_that_requires_nvlink_gets_linked_gpus_only() {
    gets(&NodeLinks::pairs(8), &[0, 2], gang(1, 2).nvlink(), &[4, 5]);
    gets(&NodeLinks::pairs(8), &[0, 2, 4], gang(1, 2).nvlink(), &[6, 7]);
    gets(&NodeLinks::nvswitch(8), &[0], gang(1, 6).nvlink(), &[1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_task_that_requires_nvlink_waits_for_a_whole_group() {
    let links = NodeLinks::pairs(8);
    let pairs = || cluster().nodes_with("n", 1, "H100x8", |node| node.links(links.clone()));
    check([
        case(
            "more GPUs than are linked anywhere are impossible",
            pairs(),
            [job(gang(1, 4).nvlink(), "waits: impossible"), job(gang(1, 4), "n-1")],
        ),
        case(
            "a node without NVLink is impossible",
            cluster().nodes_with("n", 1, "L40Sx8", |node| node.links(NodeLinks::pcie(8))),
            [job(gang(1, 2).nvlink(), "waits: impossible"), job(gang(1, 2), "n-1")],
        ),
        case("four pairs make four tasks", pairs(), [job(gang(4, 2).nvlink(), "n-1:4")]),
        case(
            "the node with links, though the other is tighter",
            cluster()
                .nodes_with("n", 1, "H100x8", |node| node.links(NodeLinks::pcie(8)))
                .nodes("n", 1, "H100x8")
                .filled("n-1", 6),
            [job(gang(1, 2).nvlink(), "n-2")],
        ),
    ]);
    let mut c = one_node(&links);
    take(&mut c, &[0, 2, 4, 6]);
    let waiting = c.submit(gang(1, 2).nvlink());
    assert_eq!(c.codes(waiting), ["fragments"]);
    c.finish(JobId(3));
    assert_eq!(c.gpus_of(waiting, 0), [2, 3]);
}

#[test]
fn tasks_of_one_gang_each_get_linked_gpus() {
    let mut c = one_node(&NodeLinks::pairs(8));
    let a = c.run(gang(3, 2));
    let each: Vec<Vec<u32>> = (0..3).map(|rank| c.gpus_of(a, rank)).collect();
    assert_eq!(each, [[0, 1], [2, 3], [4, 5]]);
}

#[test]
fn gpus_with_errors_are_not_given_out() {
    let mut c = one_node(&NodeLinks::pairs(8));
    c.break_gpu("n-1", 0);
    let pair = c.run(gang(1, 2));
    assert_eq!(c.gpus_of(pair, 0), [2, 3]);
    let single = c.run(gang(1, 1));
    assert_eq!(c.gpus_of(single, 0), [1]);
    let rest = c.run(gang(1, 4));
    assert_eq!(c.gpus_of(rest, 0), [4, 5, 6, 7]);
    let waiting = c.submit(gang(1, 1));
    assert_eq!(c.codes(waiting), ["gpus"]);
    c.mend_gpu("n-1", 0);
    assert_eq!(c.gpus_of(waiting, 0), [0]);
}
