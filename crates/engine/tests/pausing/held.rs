//! What is freed is held for the job it was freed for: nobody else gets it, of whatever class.

use super::support::*;
use crate::support::*;

/// Two jobs of four GPUs on one node, and a job of eight for which both give way.
fn two_give_way() -> (World, [JobId; 2], JobId) {
    let mut world = nodes(1).build();
    let victims = [world.run(trainer(1, 4)), world.run(trainer(1, 4))];
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(job), victims);
    (world, victims, job)
}

#[test]
fn what_one_has_given_up_is_held_until_the_other_has_too() {
    let (mut world, [first, second], job) = two_give_way();
    assert_eq!(world.held_for(job), "n-1:0");
    world.give_way(first);
    assert_eq!((world.word(first), world.held_for(job)), ("paused", "n-1:4".to_owned()));
    assert_eq!(world.word(job), "queued");
    world.give_way(second);
    assert_eq!((world.word(job), world.plan_of(job)), ("launching", None));
    assert_eq!(world.gpus_of(job, 0).len(), 8);
}

#[test]
fn nobody_else_gets_what_is_held_whatever_their_class_or_size() {
    let (mut world, [first, _], job) = two_give_way();
    world.give_way(first);
    for class in ["inference", "reserved", "express", "standard", "batch", "preemptible"] {
        let other = world.submit(gang(1, 1).class(class).estimate(minutes(1), minutes(1)));
        assert_eq!(world.word(other), "queued", "{class}");
        world.cancel(other);
    }
    assert_eq!(world.held_for(job), "n-1:4");
}

#[test]
fn the_one_who_gave_way_does_not_get_it_back_meanwhile() {
    let (mut world, [first, second], job) = two_give_way();
    world.give_way(first);
    world.advance(seconds(5));
    assert_eq!(world.word(first), "paused");
    world.give_way(second);
    world.finish(job);
    assert_eq!((world.word(first), world.word(second)), ("resuming", "resuming"));
}

#[test]
fn free_gpus_of_the_place_are_held_from_the_start() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 6));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.held_for(job), "n-1:2");
    let small = world.submit(urgent(1, 1));
    assert_eq!(world.word(small), "queued");
    world.give_way(victim);
    assert_eq!((world.word(job), world.word(small)), ("launching", "queued"));
}

#[test]
fn free_gpus_beside_the_place_are_free_for_all() {
    let mut world = nodes(2).build();
    world.run(trainer(1, 8));
    world.run(stubborn(1, 4));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.held_for(job), "n-1:0");
    let small = world.submit(gang(1, 4).class("batch"));
    assert_eq!((world.word(small), world.nodes_of(small)), ("launching", vec!["n-2".to_owned()]));
}

#[test]
fn cpus_and_memory_are_held_with_the_gpus() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 4).cpus(64));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8).cpus(100).memory(gib(1000)));
    assert_eq!(world.victims_of(job), [victim]);
    let hold = world.plan_of(job).expect("room is made").holds[0];
    assert_eq!((hold.gpus.count(), hold.cpus), (4, 64_000));
    let without_gpus = world.submit(gang(1, 0).cpus(1));
    assert_eq!(world.word(without_gpus), "queued", "no CPU is left");
    world.give_way(victim);
    assert_eq!(world.word(job), "launching");
    let left = world.word(without_gpus);
    assert_eq!(left, "launching", "100 of 128 CPUs are taken now");
}

#[test]
fn what_ends_by_itself_meanwhile_goes_to_the_plan_where_it_is_wanted() {
    let (mut world, [first, second], job) = two_give_way();
    world.finish(first);
    assert_eq!((world.word(first), world.held_for(job)), ("completed", "n-1:4".to_owned()));
    world.freeze(second);
    world.finish(second);
    assert_eq!((world.word(second), world.word(job)), ("completed", "launching"));
}

#[test]
fn a_gang_starts_when_the_last_of_its_nodes_is_free() {
    let mut world = nodes(3).build();
    let victims: Vec<JobId> = (0..3).map(|_| world.run(trainer(1, 8))).collect();
    settle_in(&mut world);
    let job = world.submit(urgent(3, 8));
    assert_eq!(world.victims_of(job), victims);
    world.give_way(victims[2]);
    world.give_way(victims[0]);
    assert_eq!(world.word(job), "queued");
    let mut held: Vec<String> = world.held_for(job).split(' ').map(str::to_owned).collect();
    held.sort();
    assert_eq!(held, ["n-1:8", "n-2:0", "n-3:8"]);
    world.give_way(victims[1]);
    assert_eq!(world.word(job), "launching");
}

#[test]
fn two_plans_on_one_node_get_what_each_was_promised() {
    let mut world = nodes(1).build();
    let victims: Vec<JobId> = (0..2).map(|_| world.run(trainer(1, 4).cpus(64))).collect();
    settle_in(&mut world);
    let first = world.submit(urgent(1, 4).cpus(60));
    let second = world.submit(urgent(1, 4).cpus(60));
    assert_eq!(world.victims_of(first).len() + world.victims_of(second).len(), 2);
    // Whoever is served by whose CPUs, both start when both have given way.
    world.give_way(victims[1]);
    world.give_way(victims[0]);
    assert_eq!((world.word(first), world.word(second)), ("launching", "launching"));
}

#[test]
fn what_a_given_up_plan_held_goes_to_another_that_waits_for_it_there() {
    // The first plan takes CPUs that the second will need; when it is given up, they must not
    // go to a third who comes along.
    let mut world = nodes(1).build();
    let [one, two] = [(); 2].map(|()| world.run(trainer(1, 4).cpus(64)));
    settle_in(&mut world);
    let first = world.submit(urgent(1, 4).cpus(64));
    let second = world.submit(urgent(1, 4).cpus(64));
    let (of_first, of_second) = (world.victims_of(first)[0], world.victims_of(second)[0]);
    assert_eq!(
        {
            let mut all = [of_first, of_second];
            all.sort();
            all
        },
        [one, two]
    );
    // The second's own room is free first: its CPUs go to whoever waited first on the node.
    world.give_way(of_second);
    let greedy = world.submit(gang(1, 0).cpus(64).class("inference"));
    assert_eq!(world.word(greedy), "queued");
    world.cancel(first);
    assert_eq!(world.word(second), "launching", "its GPUs and CPUs are all free");
    assert_eq!(world.word(greedy), "queued");
}

#[test]
fn the_room_is_charged_to_the_queue_while_it_is_made() {
    let setup = nodes(2).queue(queue("a").limit(quota(8))).queue(queue("b"));
    let mut world = setup.build();
    world.run(stubborn(1, 8).queue("b"));
    world.run(trainer(1, 8).queue("b"));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8).queue("a"));
    assert!(world.plan_of(job).is_some());
    let other = world.submit(urgent(1, 1).queue("a"));
    assert_eq!(world.codes(other), ["queue-limit"]);
    world.cancel(job);
    assert_ne!(world.codes(other), ["queue-limit"], "the charge went with the plan");
}

#[test]
fn a_job_that_wants_a_node_to_itself_waits_for_the_last_to_leave() {
    for first in [0, 1] {
        let mut world = nodes(1).build();
        let victims = [world.run(trainer(1, 4)), world.run(trainer(1, 1))];
        settle_in(&mut world);
        let job = world.submit(urgent(1, 4).exclusive());
        world.give_way(victims[first]);
        assert_eq!(world.word(job), "queued", "someone is still there");
        world.give_way(victims[1 - first]);
        assert_eq!(world.word(job), "launching");
    }
}

#[test]
fn nobody_starts_beside_one_who_has_the_node_to_itself_until_that_has_left() {
    let mut world = nodes(1).build();
    let alone = world.run(trainer(1, 2).exclusive());
    settle_in(&mut world);
    let job = world.submit(urgent(1, 4));
    assert_eq!(world.victims_of(job), [alone]);
    world.freeze(alone);
    assert_eq!(world.word(job), "queued", "the GPUs are free, the node is not");
    world.suspend(alone);
    assert_eq!(world.word(job), "launching");
}
