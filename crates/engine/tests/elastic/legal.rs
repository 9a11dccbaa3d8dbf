//! Sizes and places are legal: whole segments, the levels, model and constraint of the group as
//! first placed.

use super::words::*;
use crate::support::*;

/// A row: a sentence, the cluster, the job, and its tasks by node once it has grown.
type Row = (&'static str, Setup, JobSpec, &'static str);

fn check(rows: Vec<Row>) {
    for (name, setup, spec, expected) in rows {
        let mut c = setup.build();
        let job = c.run_and_grow(spec);
        assert_eq!(c.layout(job), expected, "{name}");
        c.finish(job);
        assert_eq!(c.word(job), "completed", "{name}");
    }
}

#[test]
fn a_job_grows_up_to_its_most_and_no_further() {
    check(vec![
        ("all it can use", racks("r1: 8 8"), stretchy(1, 5), "r1-1:5"),
        ("all there is", racks("r1: 3 2"), stretchy(1, 9), "r1-1:3 r1-2:2"),
        ("nothing beyond its fewest", racks("r1: 2"), stretchy(2, 9), "r1-1:2"),
        ("whole tasks only", racks("r1: 7"), wide(1, 9, 2), "r1-1:3"),
        ("whole nodes", racks("r1: 8 8 5"), wide(1, 9, 8), "r1-1:1 r1-2:1"),
    ]);
}

#[test]
fn a_job_stays_within_the_level_it_requires() {
    check(vec![
        (
            "in its rack",
            racks("r1: 8 2; r2: 8 8"),
            stretchy(6, 20).require("rack"),
            "r1-1:8 r1-2:2",
        ),
        (
            "the whole of its rack",
            racks("r1: 8 8; r2: 8 8 8"),
            wide(2, 9, 4).require("rack"),
            "r1-1:2 r1-2:2",
        ),
        ("on its node", racks("r1: 4 8"), stretchy(2, 9).require(Level::Node), "r1-1:4"),
        ("anywhere", racks("r1: 4; r2: 8"), stretchy(4, 9), "r1-1:4 r2-1:5"),
    ]);
}

#[test]
fn a_job_grows_near_itself_first() {
    check(vec![
        ("its own rack before another", racks("r1: 3 8; r2: 8 8"), stretchy(3, 9), "r1-1:3 r1-2:6"),
        ("its own node before all", racks("r1: 8 2; r2: 2"), stretchy(3, 8), "r1-1:8"),
    ]);
}

#[test]
fn a_job_grows_by_whole_segments() {
    let pairs = |min, max| stretchy(min, max).segment(2, "rack");
    check(vec![
        ("pairs in a rack", racks("r1: 5; r2: 3"), pairs(2, 10), "r1-1:4 r2-1:2"),
        ("no half of a pair", racks("r1: 3"), pairs(2, 10), "r1-1:2"),
        ("a pair may span nodes", racks("r1: 1 1 1; r2: 1"), pairs(2, 10), "r1-1:1 r1-2:1"),
        (
            "blocks of a node",
            racks("r1: 8 6 8"),
            stretchy(4, 20).segment(4, Level::Node),
            "r1-1:8 r1-2:4 r1-3:8",
        ),
    ]);
}

#[test]
fn a_job_grows_on_the_model_it_was_placed_on() {
    let mixed = || cluster().levels(["rack"]).nodes("r1", 1, "H100x8").nodes("r1", 1, "A100x8");
    let either = |job: JobSpec| job.models(["A100", "H100"]);
    check(vec![
        ("the preferred model only", mixed(), either(stretchy(2, 16)), "r1-2:8"),
        ("the only model", mixed(), stretchy(2, 16).models(["H100"]), "r1-1:8"),
    ]);
}

#[test]
fn a_job_grows_only_on_nodes_that_its_constraint_lets_in() {
    let disks = || {
        cluster().nodes_with("n", 2, "H100x4", |node| node.label("disk", "fast")).nodes_with(
            "n",
            1,
            "H100x4",
            |node| node.label("disk", "slow"),
        )
    };
    let fast = nodes_where("disk=fast");
    check(vec![
        ("required", disks(), stretchy(2, 20).only_on(fast.clone()), "n-1:4 n-2:4"),
        ("preferred first", disks(), stretchy(2, 7).rather_on(fast.clone()), "n-1:4 n-2:3"),
        ("then the rest", disks(), stretchy(2, 10).rather_on(fast), "n-1:4 n-2:4 n-3:2"),
    ]);
}

#[test]
fn exclusive_tasks_get_nodes_of_their_own() {
    check(vec![(
        "only empty nodes",
        racks("r1: 8 7 8"),
        wide(1, 5, 2).exclusive(),
        "r1-1:1 r1-3:1",
    )]);
}

#[test]
fn nvlink_is_kept() {
    let halves = |node: NodeSpec| {
        let low = GpuSet::first(4);
        let halves = vec![low, GpuSet::first(8).minus(low)];
        NodeSpec { links: NodeLinks { nvlink: halves, ..NodeLinks::default() }, ..node }
    };
    let setup = cluster().nodes_with("n", 1, "H100x8", halves);
    check(vec![("three of four in each half", setup, wide(1, 4, 3).nvlink(), "n-1:2")]);
}

#[test]
fn cpus_and_memory_beside_the_gpus_are_needed_too() {
    let scarce = |node: NodeSpec| node.cpus(10).memory(gib(64));
    let setup = || cluster().nodes_with("n", 2, "H100x8", scarce);
    check(vec![
        ("by CPUs", setup(), stretchy(1, 20).cpus(4).memory(gib(1)), "n-1:2 n-2:2"),
        ("by memory", setup(), stretchy(1, 20).cpus(1).memory(gib(16)), "n-1:4 n-2:4"),
    ]);
}

#[test]
fn of_several_groups_the_first_with_a_range_grows_and_the_others_stay() {
    let spec = JobSpec::new("play", "user-a", "default")
        .group("learner", TaskCount::exactly(1), TaskShape::gpus(4))
        .group("actors", TaskCount { min: 2, max: 5 }, TaskShape::gpus(1))
        .group("replay", TaskCount { min: 1, max: 3 }, TaskShape::gpus(1))
        .estimate(days(1), days(2));
    let mut c = racks("r1: 8 8").build();
    let job = c.run_and_grow(spec);
    let of = |group| c.tasks_of(job).iter().filter(|(_, task)| task.group == group).count();
    assert_eq!([of(0), of(1), of(2)], [1, 5, 1]);
}

#[test]
fn tasks_without_gpus_do_not_grow() {
    let mut c = cluster().cpu_nodes("n", 1, 64, gib(256)).build();
    let spec = JobSpec::new("sweep", "user-a", "default")
        .group("main", TaskCount { min: 1, max: 8 }, TaskShape::gpus(0))
        .cpus(4);
    let job = c.run(spec);
    assert_eq!(c.size(job), 1);
}

#[test]
fn a_job_that_spreads_grows_onto_as_many_nodes_as_it_can() {
    check(vec![(
        "one more on each",
        racks("r1: 8 8 8"),
        stretchy(2, 5).spread(),
        "r1-1:2 r1-2:2 r1-3:1",
    )]);
}

#[test]
fn speeds_are_refused_where_they_make_no_sense() {
    let rows = [
        (gang(2, 1).speeds([(2, 10)]), "scaling.speeds: 1 speeds"),
        (stretchy(2, 8).speeds([(1, 10)]), "scaling.speeds[0].tasks: 1"),
        (stretchy(2, 8).speeds([(2, 10), (9, 12)]), "scaling.speeds[1].tasks: 9"),
        (stretchy(2, 8).speeds([(4, 10), (4, 12)]), "scaling.speeds[1].tasks: 4 after 4"),
        (stretchy(2, 8).speeds([(2, 0)]), "scaling.speeds[0].speed: 0"),
        (stretchy(2, 8).speeds((2..9).map(|size| (size, 1)).cycle().take(33)), "33 speeds"),
    ];
    for (spec, expected) in rows {
        let mut c = racks("r1: 8").build();
        let errors = c.try_submit(spec).expect_err(expected);
        let text = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!(text.contains(expected), "{text}");
    }
}
