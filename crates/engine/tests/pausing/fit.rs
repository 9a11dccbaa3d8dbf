//! Nothing is taken unless it is proven that the job then starts: GPUs alone are not room.

use super::support::*;
use crate::support::*;

/// Asserts that a job that does not fit, whoever gives way, costs nobody anything.
#[track_caller]
fn is_left_in_peace(name: &str, world: &mut World, newcomer: JobSpec) {
    settle_in(world);
    let actions = world.submit_and_see(newcomer);
    assert!(!takes_something(&actions), "{name}: {actions:?}");
    assert_eq!(world.snapshot().plans, [], "{name}");
}

/// Asserts that a job gets room, and on which nodes.
#[track_caller]
fn gets_room(name: &str, world: &mut World, newcomer: JobSpec) -> JobId {
    settle_in(world);
    let job = world.submit(newcomer);
    assert!(world.plan_of(job).is_some(), "{name}: {:?}", world.reasons(job));
    let mut turns = 0;
    while let Some(victim) = world
        .victims_of(job)
        .into_iter()
        .find(|victim| matches!(world.state(*victim), JobState::Pausing | JobState::Stopping))
    {
        world.give_way(victim);
        turns += 1;
        assert!(turns < 100, "{name}: they never give way");
    }
    assert_eq!(world.word(job), "launching", "{name}");
    job
}

#[test]
fn cpus_beside_the_gpus_must_be_freed_too() {
    let small = |cpus| trainer(1, 4).cpus(cpus);
    let world = || {
        let mut world = nodes(1).build();
        world.run(small(8));
        world.run(stubborn(1, 4).cpus(100));
        world
    };
    is_left_in_peace("a CPU too many", &mut world(), urgent(1, 4).cpus(29));
    gets_room("just enough", &mut world(), urgent(1, 4).cpus(28));
}

#[test]
fn memory_beside_the_gpus_must_be_freed_too() {
    let world = || {
        let mut world = nodes(1).build();
        world.run(trainer(1, 4).memory(gib(100)));
        world.run(stubborn(1, 4).memory(gib(800)));
        world
    };
    is_left_in_peace("a GiB too much", &mut world(), urgent(1, 4).memory(gib(225)));
    gets_room("just enough", &mut world(), urgent(1, 4).memory(gib(224)));
}

#[test]
fn more_are_asked_where_cpus_are_short() {
    let mut world = nodes(1).build();
    let jobs: Vec<JobId> = (0..4).map(|_| world.run(trainer(1, 2).cpus(32))).collect();
    let job = gets_room("two of four", &mut world, urgent(1, 2).cpus(60));
    let gone = jobs.iter().filter(|job| world.word(**job) == "paused").count();
    assert_eq!(gone, 2, "one would have given the GPUs, two give the CPUs");
    assert_eq!(world.nodes_of(job), ["n-1"]);
}

#[test]
fn all_of_a_gang_must_fit_in_one_domain_of_the_level_it_requires() {
    let world = |stubborn_one: bool| {
        let mut world = racks_of([2, 2]).build();
        let on = |node: &str| muster_model::Expression::Node(vec![node.into()]);
        for node in ["r1-1", "r2-1"] {
            world.run(trainer(1, 8).only_on(on(node)));
        }
        world.run(stubborn(1, 8).only_on(on("r1-2")));
        let last = if stubborn_one { stubborn(1, 8) } else { trainer(1, 8) };
        world.run(last.only_on(on("r2-2")));
        world
    };
    is_left_in_peace("one node in each rack", &mut world(true), urgent(2, 8).require("rack"));
    let mut second = world(false);
    let job = gets_room("two in the second", &mut second, urgent(2, 8).require("rack"));
    assert_eq!(second.nodes_of(job), ["r2-1", "r2-2"]);
    gets_room("without the level", &mut world(true), urgent(2, 8));
}

#[test]
fn every_segment_must_fit_in_a_domain() {
    let world = || {
        let mut world = racks_of([2, 1, 1]).build();
        let on = |node: &str| muster_model::Expression::Node(vec![node.into()]);
        world.run(trainer(2, 8).only_on(nodes_where("@r1-1,r1-2")));
        world.run(trainer(1, 8).only_on(on("r2-1")));
        world.run(trainer(1, 8).only_on(on("r3-1")));
        world
    };
    is_left_in_peace(
        "four tasks in pairs, and one pair of nodes",
        &mut world(),
        urgent(4, 8).segment(2, "rack"),
    );
    gets_room("one pair", &mut world(), urgent(2, 8).segment(2, "rack"));
}

#[test]
fn gpus_that_must_be_linked_are_freed_together() {
    let halves = || NodeLinks {
        nvlink: vec![GpuSet(0b0000_1111), GpuSet(0b1111_0000)],
        ..NodeLinks::default()
    };
    let world = |weak: [u32; 2]| {
        let setup = cluster()
            .doubted()
            .nodes_with("n", 1, "H100x8", |node| node.links(halves()).suspend_memory(gib(4096)));
        let mut world = setup.build();
        // In each half one job of two GPUs that can give way or not.
        for half in weak {
            for _ in 0..half {
                world.run(trainer(1, 2));
            }
            for _ in half..2 {
                world.run(stubborn(1, 2));
            }
        }
        world
    };
    is_left_in_peace("two and two", &mut world([1, 1]), urgent(1, 4).nvlink());
    gets_room("four in one half", &mut world([2, 0]), urgent(1, 4).nvlink());
    gets_room("two and two without the wish", &mut world([1, 1]), urgent(1, 4));
}

#[test]
fn a_job_that_wants_a_node_to_itself_gets_an_empty_one() {
    let world = |spec: JobSpec| {
        let mut world = nodes(1).build();
        world.run(trainer(1, 4));
        world.run(spec);
        world
    };
    let alone = || urgent(1, 4).exclusive();
    is_left_in_peace("someone stays", &mut world(stubborn(1, 1)), alone());
    let mut both = world(trainer(1, 1));
    let job = gets_room("both give way", &mut both, alone());
    assert_eq!(both.nodes_of(job), ["n-1"]);
    assert_eq!(both.jobs_in(JobState::Paused).len(), 2);
}

#[test]
fn beside_a_job_that_has_its_node_to_itself_nobody_finds_room() {
    let mut world = nodes(1).build();
    world.run(stubborn(1, 2).exclusive());
    is_left_in_peace("the rest of the node is no room", &mut world, urgent(1, 4));
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 2).exclusive());
    let job = gets_room("unless it gives way", &mut world, urgent(1, 4));
    assert_eq!((world.word(victim), world.nodes_of(job)), ("paused", vec!["n-1".to_owned()]));
}

#[test]
fn nodes_that_do_not_match_a_constraint_are_no_room() {
    let setup = || {
        let mut setup = cluster().doubted();
        for disk in ["fast", "slow"] {
            setup = setup.nodes_with("n", 1, "H100x8", |node| {
                node.label("disk", disk).suspend_memory(gib(4096))
            });
        }
        setup
    };
    let on = |node: &str| muster_model::Expression::Node(vec![node.into()]);
    let fast = || urgent(1, 8).only_on(nodes_where("disk=fast"));
    let mut world = setup().build();
    world.run(stubborn(1, 8).only_on(on("n-1")));
    world.run(trainer(1, 8).only_on(on("n-2")));
    is_left_in_peace("the weak one is on the slow node", &mut world, fast());
    let mut world = setup().build();
    world.run(trainer(1, 8).only_on(on("n-1")));
    world.run(trainer(1, 8).only_on(on("n-2")));
    let job = gets_room("the weak one is on the fast node", &mut world, fast());
    assert_eq!(world.nodes_of(job), ["n-1"]);
}

#[test]
fn gpus_of_another_model_are_no_room() {
    let setup = || {
        cluster()
            .doubted()
            .nodes_with("h", 1, "H100x8", |node| node.suspend_memory(gib(4096)))
            .nodes_with("a", 1, "A100x8", |node| node.suspend_memory(gib(4096)))
    };
    let world = |of_h: JobSpec, of_a: JobSpec| {
        let mut world = setup().build();
        world.run(of_h.models(["H100"]));
        world.run(of_a.models(["A100"]));
        world
    };
    let mut first = world(stubborn(1, 8), trainer(1, 8));
    is_left_in_peace("H100 are wanted", &mut first, urgent(1, 8).models(["H100"]));
    let mut second = world(stubborn(1, 8), trainer(1, 8));
    let job = gets_room("either is", &mut second, urgent(1, 8).models(["H100", "A100"]));
    assert_eq!(second.nodes_of(job), ["a-1"]);
}

#[test]
fn a_gang_that_needs_one_node_is_not_given_pieces_of_two() {
    let mut world = nodes(2).build();
    for node in ["n-1", "n-2"] {
        let here = muster_model::Expression::Node(vec![node.into()]);
        world.run(trainer(1, 4).only_on(here.clone()));
        world.run(stubborn(1, 4).only_on(here));
    }
    is_left_in_peace("four and four", &mut world, urgent(1, 8));
    let mut world = nodes(2).build();
    for node in ["n-1", "n-2"] {
        let here = muster_model::Expression::Node(vec![node.into()]);
        world.run(trainer(1, 4).only_on(here.clone()));
        world.run(stubborn(1, 4).only_on(here));
    }
    gets_room("two tasks of four", &mut world, urgent(2, 4));
}

#[test]
fn an_ill_gpu_is_no_room_even_if_its_job_gives_way() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 8));
    world.break_gpu("n-1", 3);
    is_left_in_peace("seven would be left", &mut world, urgent(1, 8));
    assert_eq!(world.word(victim), "running");
    let mut world = nodes(1).build();
    world.run(trainer(1, 8));
    world.break_gpu("n-1", 3);
    let job = gets_room("seven are enough", &mut world, urgent(1, 7));
    assert!(!world.gpus_of(job, 0).contains(&3));
}

#[test]
fn a_drained_node_is_no_room_even_if_its_jobs_would_give_way() {
    let mut world = nodes(1).build();
    world.run(trainer(1, 8));
    world.drain("n-1");
    is_left_in_peace("nothing new may come there", &mut world, urgent(1, 8));
}

#[test]
fn groups_of_different_shape_are_given_room_together() {
    let two_groups = || urgent(1, 4).group("second", TaskCount::exactly(2), TaskShape::gpus(2));
    let mut world = nodes(1).build();
    world.run(trainer(1, 4));
    world.run(stubborn(1, 4));
    is_left_in_peace("four of eight", &mut world, two_groups());
    let mut world = nodes(1).build();
    world.run(trainer(1, 4));
    world.run(trainer(1, 4));
    gets_room("both give way", &mut world, two_groups());
}

#[test]
fn whoever_needs_whole_nodes_does_not_look_where_none_can_be_emptied() {
    let world = |others: fn(u32, u32) -> JobSpec| {
        let mut world = nodes(2).build();
        for node in ["n-1", "n-2"] {
            let on = || muster_model::Expression::Node(vec![node.into()]);
            world.run(trainer(1, 4).only_on(on()));
            world.run(others(1, 4).only_on(on()));
        }
        world
    };
    for newcomer in [urgent(1, 8), urgent(2, 8)] {
        let mut stuck = world(stubborn);
        is_left_in_peace("eight GPUs that are no node", &mut stuck, newcomer.clone());
        assert_eq!(stuck.snapshot().rests, [], "the count of such nodes tells, without a search");
        gets_room("nodes that can be emptied", &mut world(trainer), newcomer);
    }
}
