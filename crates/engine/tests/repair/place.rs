//! Where a gang that lost a node goes: back to what is left of its place, with a spare.

use super::support::{lose_from, lose_now, repaired};
use crate::support::*;

#[test]
fn healthy_nodes_keep_their_tasks_and_a_spare_takes_those_of_the_lost_one() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(3, 8));
    assert_eq!(c.node_of_each_task(job), ["n-1", "n-2", "n-3"]);
    lose_from(&mut c, job, "n-2");
    assert_eq!(c.node_of_each_task(job), ["n-1", "n-4", "n-3"]);
    assert_eq!(repaired(&c, job), Some((2, 1)));
    assert_eq!(c.decision(job).repair.unwrap().lost, [c.node("n-2")]);
}

#[test]
fn old_gpus_are_taken_as_they_were() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let neighbour = c.run(gang(1, 3).only_on(nodes_where("@n-1")));
    c.run(gang(1, 4).only_on(nodes_where("@n-3")));
    let job = c.run(gang(2, 4).spread().only_on(nodes_where("!@n-3 | @n-3")));
    let on_first = c.node_of_each_task(job).iter().position(|node| node == "n-1").unwrap();
    let rank = u32::try_from(on_first).unwrap();
    assert_eq!(c.gpus_of(job, rank), [4, 5, 6, 7]);
    // With the neighbour gone, an ordinary placement would take the first four.
    c.finish(neighbour);
    lose_from(&mut c, job, "n-2");
    assert_eq!(c.node_of_each_task(job)[on_first], "n-1");
    assert_eq!(c.gpus_of(job, rank), [4, 5, 6, 7]);
    assert_eq!(repaired(&c, job), Some((1, 1)));
}

#[test]
fn a_gang_of_several_tasks_per_node_moves_only_those_of_the_lost_node() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(12, 2));
    assert_eq!(c.layout(job), "n-1:4 n-2:4 n-3:4");
    let before = c.tasks_of(job);
    lose_from(&mut c, job, "n-1");
    assert_eq!(c.layout(job), "n-2:4 n-3:4 n-4:4");
    let after = c.tasks_of(job);
    for (old, new) in before.iter().zip(&after) {
        assert_eq!((old.1.group, old.1.rank), (new.1.group, new.1.rank));
        if old.0 != "n-1" {
            assert_eq!(old, new, "what stood on a healthy node stays");
        }
    }
}

#[test]
fn a_gang_of_two_groups_keeps_both_where_they_were() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let task = |gpus| TaskShape::gpus(gpus);
    let spec = JobSpec::new("train", "user-a", "default")
        .group("learner", TaskCount::exactly(2), task(6))
        .group("actor", TaskCount::exactly(2), task(2));
    let job = c.run(spec);
    let before = c.tasks_of(job);
    let lost = before[0].0.clone();
    lose_from(&mut c, job, &lost);
    let after = c.tasks_of(job);
    for (old, new) in before.iter().zip(&after) {
        assert_eq!(new.0 == old.0, old.0 != lost, "{old:?} is now {new:?}");
    }
}

#[test]
fn a_gpu_that_has_failed_meanwhile_is_not_taken_again() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(3, 8));
    lose_now(&mut c, "n-1");
    c.break_gpu("n-2", 5);
    c.stopped(job);
    assert_eq!(c.word(job), "queued", "two whole nodes are left for three tasks");
    c.join(NodeSpec::new("m-1", "H100", 8));
    assert_eq!(c.node_of_each_task(job), ["n-3", "n-4", "m-1"]);
}

#[test]
fn a_node_that_is_drained_meanwhile_is_left() {
    let mut c = cluster().nodes("n", 5, "H100x8").build();
    let job = c.run(gang(3, 8));
    lose_now(&mut c, "n-1");
    c.drain("n-2");
    c.stopped(job);
    assert_eq!(c.node_of_each_task(job), ["n-4", "n-5", "n-3"]);
    assert_eq!(repaired(&c, job), Some((1, 2)));
}

#[test]
fn a_node_that_came_back_without_the_gang_is_not_trusted_at_once() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let job = c.run(gang(2, 8));
    c.lose("n-1", minutes(5));
    c.find_again("n-1", &[]);
    assert_eq!(c.word(job), "stopping");
    c.stopped(job);
    assert_eq!(c.node_of_each_task(job), ["n-3", "n-2"]);
}

#[test]
fn a_node_that_came_back_is_better_than_none() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.run(gang(2, 8));
    c.lose("n-1", minutes(5));
    c.find_again("n-1", &[]);
    c.stopped(job);
    assert_eq!(c.node_of_each_task(job), ["n-1", "n-2"]);
    assert_eq!(repaired(&c, job), Some((2, 0)), "the very same GPUs");
}

#[test]
fn a_spare_is_of_the_model_the_rest_has() {
    let mut c = cluster().nodes("h", 3, "H100x8").nodes("a", 3, "A100x8").build();
    let mut spec = gang(3, 8);
    spec.groups[0].task.models = vec!["H100".into(), "A100".into()];
    let job = c.run(spec);
    assert_eq!(c.nodes_of(job), ["h-1", "h-2", "h-3"]);
    lose_from(&mut c, job, "h-3");
    // No H100 is left: all of it moves, for a group is of one model.
    assert_eq!(c.nodes_of(job), ["a-1", "a-2", "a-3"]);
    assert_eq!(repaired(&c, job), Some((0, 3)));
}

#[test]
fn a_constraint_holds_for_the_spare_too() {
    let fast = |node: NodeSpec| node.label("disk", "fast");
    let mut c = cluster().nodes_with("f", 2, "H100x8", fast).nodes("n", 2, "H100x8").build();
    let job = c.run(gang(2, 8).only_on(nodes_where("disk=fast")));
    lose_from(&mut c, job, "f-1");
    assert_eq!(c.word(job), "queued");
    c.join(NodeSpec::new("f-9", "H100", 8).label("disk", "fast"));
    assert_eq!(c.node_of_each_task(job), ["f-2", "f-9"]);
}

#[test]
fn a_preferred_spare_comes_before_one_that_is_not() {
    let fast = |node: NodeSpec| node.label("disk", "fast");
    let mut c = cluster()
        .nodes_with("f", 2, "H100x8", fast)
        .nodes("n", 2, "H100x8")
        .nodes_with("g", 1, "H100x8", fast)
        .build();
    let job = c.run(gang(2, 8).rather_on(nodes_where("disk=fast")));
    assert_eq!(c.nodes_of(job), ["f-1", "f-2"]);
    lose_from(&mut c, job, "f-1");
    assert_eq!(c.node_of_each_task(job), ["g-1", "f-2"]);
}

#[test]
fn a_gang_that_is_spread_keeps_off_its_own_nodes() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(3, 2).spread());
    assert_eq!(c.layout(job), "n-1:1 n-2:1 n-3:1");
    lose_from(&mut c, job, "n-2");
    assert_eq!(c.layout(job), "n-1:1 n-3:1 n-4:1");
}

#[test]
fn a_gang_that_is_spread_shares_a_node_rather_than_wait() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.run(gang(2, 2).spread());
    lose_from(&mut c, job, "n-2");
    assert_eq!((c.word(job), c.layout(job).as_str()), ("launching", "n-1:2"));
}

#[test]
fn tasks_that_are_apart_stay_apart() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(3, 2).apart());
    assert_eq!(c.layout(job), "n-1:1 n-2:1 n-3:1");
    lose_from(&mut c, job, "n-2");
    assert_eq!(c.layout(job), "n-1:1 n-3:1 n-4:1");
    lose_from(&mut c, job, "n-4");
    assert_eq!(c.word(job), "queued", "no node is left that has none of its tasks");
}

#[test]
fn exclusive_nodes_stay_exclusive() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let mut spec = gang(2, 2);
    spec.groups[0].task.exclusive = true;
    let job = c.run(spec);
    let lost = c.nodes_of(job)[0].clone();
    lose_from(&mut c, job, &lost);
    let nodes = c.nodes_of(job);
    assert_eq!(nodes.len(), 2, "each task has a node of its own: {nodes:?}");
    let other = c.submit(gang(1, 1));
    assert_eq!(c.word(other), "queued", "no node is left to share");
}

#[test]
fn linked_gpus_stay_linked() {
    let halves = |node: NodeSpec| NodeSpec {
        links: NodeLinks {
            nvlink: vec![GpuSet(0b1111), GpuSet(0b1111_0000)],
            ..NodeLinks::default()
        },
        ..node
    };
    let mut c = cluster().nodes_with("n", 3, "H100x8", halves).build();
    let mut spec = gang(4, 4);
    spec.groups[0].task.nvlink = true;
    let job = c.run(spec);
    assert_eq!(c.layout(job), "n-1:2 n-2:2");
    c.run(gang(1, 2).only_on(nodes_where("@n-3")));
    lose_from(&mut c, job, "n-1");
    assert_eq!(c.word(job), "queued", "only one half of the spare is whole");
}
