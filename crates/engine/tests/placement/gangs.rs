//! A gang starts whole or not at all, and holds nothing while it waits.

use crate::support::*;

#[test]
fn a_gang_starts_whole_or_waits_whole() {
    check([
        case(
            "a gang takes as many nodes as it needs",
            racks("r1: 8 8"),
            [job(gang(2, 8), "r1-1 r1-2")],
        ),
        case(
            "a gang that lacks one GPU waits, and who fits beside it starts",
            racks("r1: 8 7"),
            [job(gang(2, 8), "waits: gpus"), job(gang(1, 8), "r1-1")],
        ),
        case(
            "GPUs that are free in pieces do not make a gang of whole nodes",
            racks("r1: 4 4 8"),
            [job(gang(2, 8), "waits: fragments")],
        ),
        case(
            "a gang larger than the cluster is impossible and blocks nobody",
            racks("r1: 8 8"),
            [job(gang(3, 8), "waits: impossible"), job(gang(2, 8), "r1-1 r1-2")],
        ),
        case(
            "a task larger than any node is impossible",
            racks("r1: 8 8"),
            [job(gang(1, 9), "waits: impossible")],
        ),
        case(
            "a gang of the whole cluster takes the whole cluster",
            racks("r1: 8 8; r2: 8 8; r3: 8"),
            [job(gang(5, 8), "r1-1 r1-2 r2-1 r2-2 r3-1"), job(gang(1, 1), "waits: gpus")],
        ),
    ]);
}

#[test]
fn tasks_of_a_gang_are_equal() {
    check([
        case("small tasks share one node", racks("r1: 8 8"), [job(gang(4, 2), "r1-1:4")]),
        case(
            "tasks are never cut to fit: two fit on eight GPUs, one on the rest",
            racks("r1: 8 7"),
            [job(gang(3, 4), "r1-1:2 r1-2:1")],
        ),
        case(
            "GPUs left over on many nodes are of no use to a larger task",
            racks("r1: 3 3 3 3"),
            [job(gang(1, 4), "waits: fragments"), job(gang(2, 3), "r1-1:1 r1-2:1")],
        ),
    ]);
}

#[test]
fn elastic_gangs_start_at_their_fewest_tasks() {
    check([
        case(
            "an elastic gang starts with its fewest tasks even where more would fit",
            racks("r1: 8 8 8 8").policy(|policy| policy.elastic.stay = Millis::ZERO),
            [job(gang(1, 8).elastic(2, 4), "r1-1 r1-2")],
        ),
        case(
            "an elastic gang starts when only its fewest tasks fit",
            racks("r1: 8 8 0 0"),
            [job(gang(1, 8).elastic(2, 4), "r1-1 r1-2")],
        ),
        case(
            "an elastic gang does not start below its fewest tasks",
            racks("r1: 8 0 0 0"),
            [job(gang(1, 8).elastic(2, 4), "waits: gpus")],
        ),
    ]);
}

#[test]
fn gang_holds_nothing_while_it_waits() {
    let mut c = racks("r1: 8 4").build();
    let waiting = c.submit(gang(2, 8));
    assert_eq!(c.free(), "r1-1:8 r1-2:4");
    assert_eq!(c.record(waiting).run, None);
    let small = c.run(gang(3, 4));
    assert_eq!(c.layout(small), "r1-1:2 r1-2:1");
    assert_eq!(c.free_total(), 0);
    assert_eq!(c.word(waiting), "queued");
}

#[test]
fn gang_starts_whole_in_the_step_that_frees_its_last_gpu() {
    let mut c = racks("r1: 8 4").build();
    let filler = JobId(1);
    let waiting = c.submit(gang(2, 8));
    c.end_on(filler, "r1-2", Exit::Code(0));
    assert_eq!(c.word(waiting), "launching");
    assert_eq!(c.nodes_of(waiting), ["r1-1", "r1-2"]);
}

#[test]
fn gang_gives_back_everything_when_one_node_refuses() {
    let mut c = racks("r1: 8 8").build();
    let a = c.submit(gang(2, 8));
    c.confirm_on(a, "r1-1");
    c.refuse(a, "r1-2");
    assert_eq!(c.word(a), "stopping");
    assert_eq!(c.free_total(), 0, "held until the other node has ended its part");
    c.stopped(a);
    assert_eq!(c.free_total(), 16);
    assert_eq!(c.word(a), "queued");
}

#[test]
fn every_task_of_a_gang_has_its_own_gpus() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run(gang(4, 3));
    let mut seen: Vec<(String, u32)> = Vec::new();
    for (node, task) in c.tasks_of(a) {
        assert_eq!(task.gpus.count(), 3);
        seen.extend(task.gpus.iter().map(|gpu| (node.clone(), gpu)));
    }
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((count, seen.len()), (12, 12));
}

#[test]
fn ranks_fill_one_node_after_the_other() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run(gang(4, 4));
    assert_eq!(c.node_of_each_task(a), ["r1-1", "r1-1", "r1-2", "r1-2"]);
}
