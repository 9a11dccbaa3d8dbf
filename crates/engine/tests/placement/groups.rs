//! Gangs of several groups: a learner and its actors start together, each on what it needs.

use crate::support::*;

/// One learner on a whole node, and actors on one GPU each.
fn learner_and_actors(actors: u32) -> JobSpec {
    JobSpec::new("play", "user-a", "default")
        .group("learner", TaskCount::exactly(1), TaskShape::gpus(8))
        .group("actors", TaskCount::exactly(actors), TaskShape::gpus(1))
}

fn two_models() -> Setup {
    cluster()
        .levels(["rack"])
        .nodes("r1", 1, "H100x8")
        .nodes("r2", 1, "H100x8")
        .nodes("r2", 1, "A100x8")
}

#[test]
fn groups_start_together_or_not_at_all() {
    check([
        case(
            "learner and actors find their places",
            racks("r1: 8 4"),
            [job(learner_and_actors(4), "r1-1:1 r1-2:4")],
        ),
        case(
            "the learner does not start without its last actor",
            racks("r1: 8 3"),
            [job(learner_and_actors(4), "waits: gpus"), job(gang(1, 8), "r1-1")],
        ),
        case(
            "actors do not start without their learner",
            racks("r1: 7 7"),
            [job(learner_and_actors(4), "waits: fragments")],
        ),
        case(
            "groups that fit on one node share it",
            racks("r1: 8 8"),
            [job(
                JobSpec::new("play", "user-a", "default")
                    .group("learner", TaskCount::exactly(1), TaskShape::gpus(4))
                    .group("actors", TaskCount::exactly(4), TaskShape::gpus(1)),
                "r1-1:5",
            )],
        ),
        case(
            "each group fits alone, but not both",
            racks("r1: 8 1"),
            [job(learner_and_actors(4), "waits: gpus")],
        ),
    ]);
}

#[test]
fn groups_go_where_the_one_with_the_least_room_fits_most_tightly() {
    let pair_and_one = JobSpec::new("play", "user-a", "default")
        .group("learner", TaskCount::exactly(2), TaskShape::gpus(8))
        .group("actors", TaskCount::exactly(1), TaskShape::gpus(1));
    check([case(
        "the rack with two whole nodes, though it has more room for actors",
        racks("r1: 8 8 8 1; r2: 8 8 7 7"),
        [job(pair_and_one, "r2-1:1 r2-2:1 r2-3:1")],
    )]);
}

#[test]
fn groups_that_fit_on_a_node_each_but_not_both_take_two() {
    let both = || {
        JobSpec::new("play", "user-a", "default")
            .group("learner", TaskCount::exactly(1), TaskShape::gpus(4))
            .cpus(100)
            .group("actors", TaskCount::exactly(1), TaskShape::gpus(4))
            .cpus(100)
    };
    let mut c = racks("r1: 8 8").build();
    let a = c.run(both());
    assert_eq!(c.node_of_each_task(a), ["r1-1", "r1-2"]);
    let b = c.submit(both().require("node"));
    assert_eq!(c.codes(b), ["impossible"]);
    assert_eq!(c.free(), "r1-1:4 r1-2:4", "nothing is left of what was tried");
}

#[test]
fn the_largest_tasks_are_placed_first_wherever_they_are_written() {
    let mut c = racks("r1: 8 4").build();
    let a = c.run(
        JobSpec::new("play", "user-a", "default")
            .group("actors", TaskCount::exactly(4), TaskShape::gpus(1))
            .group("learner", TaskCount::exactly(1), TaskShape::gpus(8)),
    );
    let each = c.node_of_each_task(a);
    assert_eq!(each, ["r1-2", "r1-2", "r1-2", "r1-2", "r1-1"]);
}

#[test]
fn groups_of_different_models_each_get_their_own() {
    let learner_on_h100 = || {
        JobSpec::new("play", "user-a", "default")
            .group("learner", TaskCount::exactly(1), TaskShape::gpus(8))
            .models(["H100"])
            .group("actors", TaskCount::exactly(8), TaskShape::gpus(1))
            .models(["A100"])
    };
    check([
        case(
            "a learner on H100 and actors on A100",
            two_models(),
            [job(learner_on_h100(), "r2-1 r2-2")],
        ),
        case(
            "both in one rack, since only one rack has both models",
            two_models(),
            [job(gang(1, 8).models(["H100"]), "r1-1"), job(learner_on_h100(), "r2-1 r2-2")],
        ),
        case(
            "the rack with one model is not enough where one rack is required",
            two_models().filled("r2-1", 8),
            [job(learner_on_h100().require("rack"), "waits: level")],
        ),
        case(
            "without the required rack the learner goes to the other rack",
            two_models().filled("r2-1", 8),
            [job(learner_on_h100(), "r1-1 r2-2")],
        ),
        case(
            "no actor's model, no learner",
            cluster().nodes("n", 2, "H100x8"),
            [job(learner_on_h100(), "waits: impossible")],
        ),
    ]);
}

#[test]
fn a_group_without_gpus_runs_beside_one_with_gpus() {
    let with_readers = |models: Option<&'static str>| {
        JobSpec::new("read", "user-a", "default")
            .group("train", TaskCount::exactly(1), TaskShape::gpus(8))
            .models(models)
            .group("readers", TaskCount::exactly(2), TaskShape::gpus(0))
            .cpus(16)
    };
    check([
        case(
            "readers go to nodes without GPUs where there are some",
            cluster().nodes("n", 1, "H100x8").cpu_nodes("c", 1, 64, gib(256)),
            [job(with_readers(Some("H100")), "c-1:2 n-1:1")],
        ),
        case(
            "readers go beside the trainer where there are none",
            cluster().nodes("n", 1, "H100x8"),
            [job(with_readers(Some("H100")), "n-1:3")],
        ),
        case(
            "the same for a trainer that takes any model, with nodes for the readers",
            cluster().nodes("n", 1, "H100x8").cpu_nodes("c", 1, 64, gib(256)),
            [job(with_readers(None), "c-1:2 n-1:1")],
        ),
        case(
            "the same for a trainer that takes any model, without nodes for the readers",
            cluster().nodes("n", 1, "H100x8"),
            [job(with_readers(None), "n-1:3")],
        ),
    ]);
}

#[test]
fn every_acceptable_combination_of_models_is_looked_at() {
    let pair = |first: [&'static str; 2], second: [&'static str; 2]| {
        JobSpec::new("pair", "user-a", "default")
            .group("one", TaskCount::exactly(1), TaskShape::gpus(8))
            .models(first)
            .group("two", TaskCount::exactly(1), TaskShape::gpus(8))
            .models(second)
    };
    check([
        case(
            "one model for both, though they would rather have different ones",
            cluster().nodes("n", 2, "H100x8"),
            [job(pair(["H100", "A100"], ["A100", "H100"]), "n-1 n-2")],
        ),
        case(
            "one of each, though they would rather have the same one",
            cluster().nodes("h", 1, "H100x8").nodes("a", 1, "A100x8"),
            [job(pair(["H100", "A100"], ["H100", "A100"]), "h-1 a-1")],
        ),
    ]);
}

#[test]
fn groups_of_a_gang_that_requires_a_rack_share_it() {
    check([
        case(
            "the rack that has room for both, not the one with more room for one",
            racks("r1: 8 8 3; r2: 8 4"),
            [job(learner_and_actors(4).require("rack"), "r2-1:1 r2-2:4")],
        ),
        case(
            "no rack has room for both",
            racks("r1: 8 3; r2: 8 3"),
            [job(learner_and_actors(4).require("rack"), "waits: level")],
        ),
    ]);
}

#[test]
fn a_group_that_fits_on_few_nodes_is_not_shut_out_by_one_that_fits_on_all() {
    let mixed = || {
        cluster()
            .nodes_with("big", 1, "H100x8", |node| node.memory(gib(2048)))
            .nodes("small", 1, "H100x8")
    };
    let pair = |first: Mib, second: Mib| {
        JobSpec::new("pair", "user-a", "default")
            .group("first", TaskCount::exactly(1), TaskShape::gpus(8))
            .memory(first)
            .group("second", TaskCount::exactly(1), TaskShape::gpus(8))
            .memory(second)
    };
    check([
        case(
            "the one with much memory is written first",
            mixed(),
            [job(pair(gib(1500), gib(100)), "big-1 small-1")],
        ),
        case(
            "the one with much memory is written last",
            mixed(),
            [job(pair(gib(100), gib(1500)), "small-1 big-1")],
        ),
    ]);
}

#[test]
fn a_group_that_needs_nvlink_is_not_shut_out_by_one_that_does_not() {
    let pcie = |node: NodeSpec| node.links(NodeLinks::pcie(8));
    check([case(
        "on an idle cluster with one linked node",
        cluster().nodes("linked", 1, "H100x8").nodes_with("plain", 1, "H100x8", pcie),
        [job(
            JobSpec::new("pair", "user-a", "default")
                .group("any", TaskCount::exactly(1), TaskShape::gpus(8))
                .group("linked", TaskCount::exactly(1), TaskShape::gpus(8))
                .nvlink(),
            "plain-1 linked-1",
        )],
    )]);
}

#[test]
fn room_for_one_group_starts_a_gang_whose_others_have_theirs() {
    let mut c = racks("r1: 8 1").build();
    let small = c.run(gang(1, 1));
    assert_eq!(c.layout(small), "r1-2:1");
    let waiting = c.submit(learner_and_actors(1));
    assert_eq!(c.word(waiting), "queued");
    c.finish(small);
    assert_eq!(c.layout(waiting), "r1-1:1 r1-2:1");
}
