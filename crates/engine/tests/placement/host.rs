//! CPUs and memory are packed too, nodes can be had alone, and work without GPUs keeps out of the
//! way of work with GPUs.

use crate::support::*;

/// A node has 128 CPUs and 1 TiB.
fn two_nodes() -> Setup {
    cluster().nodes("n", 2, "H100x8")
}

#[test]
fn cpus_and_memory_limit_what_fits_beside_free_gpus() {
    check([
        case(
            "the second job goes where CPUs are free",
            two_nodes(),
            [job(gang(1, 1).cpus(100), "n-1"), job(gang(1, 1).cpus(100), "n-2")],
        ),
        case(
            "GPUs without CPUs beside them are not enough",
            two_nodes(),
            [
                job(gang(2, 1).cpus(100), "n-1 n-2"),
                job(gang(1, 1).cpus(100), "waits: host-resources"),
                job(gang(1, 1).cpus(28), "n-1"),
            ],
        ),
        case(
            "the second job goes where memory is free",
            two_nodes(),
            [job(gang(1, 1).memory(gib(1000)), "n-1"), job(gang(1, 1).memory(gib(30)), "n-2")],
        ),
        case(
            "GPUs without memory beside them are not enough",
            two_nodes(),
            [
                job(gang(2, 4).memory(gib(1024)), "n-1 n-2"),
                job(gang(1, 1).memory(gib(1)), "waits: host-resources"),
            ],
        ),
        case(
            "as many tasks on a node as its CPUs allow",
            two_nodes(),
            [job(gang(5, 1).cpus(40), "n-1:3 n-2:2")],
        ),
        case(
            "more CPUs than any node has are impossible",
            two_nodes(),
            [job(gang(1, 1).cpus(129), "waits: impossible")],
        ),
        case(
            "a gang goes to the rack with CPUs, though the other has the tighter GPUs",
            racks("r1: 8 8; r2: 8 8 8").spec(|_| {}),
            [
                job(gang(2, 1).cpus(100).only_on(nodes_where("@r1-1,r1-2")), "r1-1 r1-2"),
                job(gang(2, 4).cpus(60).require("rack"), "r2-1:2"),
            ],
        ),
    ]);
}

#[test]
fn work_without_gpus_goes_first_to_nodes_without_gpus() {
    let mixed = || cluster().nodes("n", 3, "H100x8").cpu_nodes("c", 1, 32, gib(64));
    check([
        case("a node without GPUs", mixed(), [job(gang(1, 0), "c-1")]),
        case(
            "when it is full, a node whose GPUs are taken anyway",
            mixed().filled("n-2", 8).filled("n-3", 2),
            [job(gang(1, 0).cpus(32), "c-1"), job(gang(1, 0).cpus(32), "n-2")],
        ),
        case(
            "then one whose GPUs are partly taken",
            mixed().filled("n-3", 2),
            [job(gang(1, 0).cpus(32), "c-1"), job(gang(1, 0).cpus(32), "n-3")],
        ),
        case(
            "a gang without GPUs does not mix nodes with and without",
            mixed(),
            [job(gang(3, 0).cpus(16), "n-1:3")],
        ),
        case(
            "a gang over several nodes keeps off whole ones",
            mixed().filled("n-2", 2).filled("n-3", 4),
            [job(gang(5, 0).cpus(40), "n-2:3 n-3:2")],
        ),
        case(
            "more CPUs than the node without GPUs has",
            mixed(),
            [job(gang(1, 0).cpus(33), "n-1")],
        ),
        case(
            "no node with so much memory",
            mixed(),
            [job(gang(1, 0).memory(gib(2000)), "waits: impossible")],
        ),
    ]);
}

#[test]
fn a_task_without_gpus_holds_none() {
    let mut c = two_nodes().build();
    let a = c.run(gang(4, 0).cpus(8));
    assert!(c.tasks_of(a).iter().all(|(_, task)| task.gpus.is_empty()));
    assert_eq!(c.free(), "n-1:8 n-2:8");
    let b = c.run(gang(2, 8));
    assert_eq!(c.nodes_of(b), ["n-1", "n-2"]);
}

#[test]
fn an_exclusive_task_has_its_node_alone() {
    check([
        case(
            "nobody joins it",
            two_nodes(),
            [
                job(gang(1, 1).exclusive(), "n-1"),
                job(gang(1, 1), "n-2"),
                job(gang(1, 0), "n-2"),
                job(gang(1, 8), "waits: gpus"),
            ],
        ),
        case(
            "it joins nobody",
            two_nodes().filled("n-1", 1),
            [job(gang(1, 1).exclusive(), "n-2"), job(gang(1, 1).exclusive(), "waits: fragments")],
        ),
        case(
            "it does not join work without GPUs either",
            two_nodes(),
            [job(gang(1, 0), "n-1"), job(gang(1, 8).exclusive(), "n-2")],
        ),
        case(
            "a gang of exclusive tasks has one node for each",
            two_nodes(),
            [job(gang(2, 1).exclusive(), "n-1 n-2")],
        ),
        case(
            "a gang of more exclusive tasks than nodes is impossible",
            two_nodes(),
            [job(gang(3, 1).exclusive(), "waits: impossible")],
        ),
        case(
            "an exclusive task without GPUs has its node alone too",
            two_nodes(),
            [job(gang(1, 0).exclusive(), "n-1"), job(gang(1, 0), "n-2")],
        ),
    ]);
}

#[test]
fn an_exclusive_task_waits_until_a_node_is_empty() {
    let mut c = two_nodes().filled("n-1", 1).filled("n-2", 1).build();
    let a = c.submit(gang(1, 4).exclusive());
    assert_eq!(c.word(a), "queued");
    c.finish(JobId(2));
    assert_eq!(c.nodes_of(a), ["n-2"]);
    c.finish(a);
    let b = c.run(gang(1, 8));
    assert_eq!(c.nodes_of(b), ["n-2"]);
}

#[test]
fn memory_that_is_given_back_lets_the_next_job_in() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let a = c.run(gang(1, 1).memory(gib(1024)));
    let b = c.submit(gang(1, 1).memory(gib(1)));
    assert_eq!(c.codes(b), ["host-resources"]);
    c.finish(a);
    assert_eq!(c.word(b), "launching");
}
