//! Coming back: on its own GPUs, when they are free, in the order of rank; what is paused is never
//! forgotten.

use super::support::*;
use crate::support::*;

#[test]
fn a_suspended_job_comes_back_to_its_own_gpus_when_they_are_free() {
    let mut world = nodes(1).build();
    let [low, victim] = [world.run(stubborn(1, 4)), world.run(trainer(1, 4))];
    let own = world.gpus_of(victim, 0);
    settle_in(&mut world);
    let job = world.submit(urgent(1, 4));
    world.give_way(victim);
    world.confirm(job);
    world.finish(low);
    assert_eq!(world.word(victim), "paused", "other GPUs of its node are no help");
    world.finish(job);
    assert_eq!((world.word(victim), world.gpus_of(victim, 0)), ("resuming", own));
    assert_eq!(world.attempt(victim).0, 1, "it is the same attempt");
}

#[test]
fn it_comes_back_as_soon_as_its_gpus_are_free_and_not_before() {
    let (mut world, victim, job) = taken_over();
    world.advance(minutes(5));
    assert_eq!(world.word(victim), "paused");
    world.finish(job);
    assert_eq!(world.word(victim), "resuming");
}

#[test]
fn a_better_ranked_job_goes_first_to_the_freed_gpus() {
    let (mut world, victim, job) = taken_over();
    let better = world.submit(urgent(1, 8));
    world.finish(job);
    assert_eq!((world.word(better), world.word(victim)), ("launching", "paused"));
    world.finish(better);
    assert_eq!(world.word(victim), "resuming");
}

#[test]
fn a_worse_ranked_job_does_not_pass_it() {
    let (mut world, victim, job) = taken_over();
    let longer = world.submit(gang(1, 8).class("batch").estimate(hours(40), hours(50)));
    let lower = world.submit(filler(1, 8));
    world.finish(job);
    assert_eq!(world.word(victim), "resuming");
    assert_eq!((world.word(longer), world.word(lower)), ("queued", "queued"));
}

#[test]
fn several_come_back_together_where_their_places_are_free() {
    let mut world = nodes(1).build();
    let victims: Vec<JobId> = (0..4).map(|_| world.run(trainer(1, 2))).collect();
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    for &victim in &victims {
        world.give_way(victim);
    }
    world.finish(job);
    for &victim in &victims {
        assert_eq!(world.word(victim), "resuming");
        world.come_back(victim);
    }
    nothing_is_left(&world);
}

#[test]
fn of_two_with_the_same_place_the_better_ranked_comes_back_first() {
    // The second is suspended on the place of the first while that is suspended too.
    let mut world = nodes(1).policy(|policy| {
        policy.pausing.run_min = Millis(1);
        policy.pausing.interval = Millis(1);
    });
    world = world.policy(|policy| policy.floor.share_ppm = 0);
    let mut world = world.build();
    let first = world.run(trainer(1, 8));
    world.advance(minutes(1));
    let second = world.submit(gang(1, 8).class("standard").estimate(hours(3), hours(3)).rung(
        Rung::Suspend,
        seconds(20),
        seconds(10),
    ));
    world.give_way(first);
    world.confirm(second);
    world.advance(minutes(11));
    let third = world.submit(urgent(1, 8));
    world.give_way(second);
    world.confirm(third);
    assert_eq!((world.word(first), world.word(second)), ("paused", "paused"));
    world.finish(third);
    assert_eq!((world.word(first), world.word(second)), ("paused", "resuming"));
    world.come_back(second);
    world.finish(second);
    assert_eq!(world.word(first), "resuming");
}

#[test]
fn a_place_with_an_ill_gpu_is_waited_for() {
    let (mut world, victim, job) = taken_over();
    world.break_gpu("n-1", 2);
    world.finish(job);
    assert_eq!(world.word(victim), "paused");
    assert_eq!(world.codes(victim), ["paused", "occupied"]);
    world.mend_gpu("n-1", 2);
    assert_eq!(world.word(victim), "resuming");
}

#[test]
fn a_place_on_a_drained_node_is_waited_for() {
    let (mut world, victim, job) = taken_over();
    world.drain("n-1");
    world.finish(job);
    assert_eq!(world.word(victim), "paused");
    world.resume("n-1");
    assert_eq!(world.word(victim), "resuming");
}

#[test]
fn a_suspended_job_looks_for_nobody_to_take_the_place_of() {
    // The one in its place could be suspended and has since outgrown its estimate by far: anyone
    // else of a far better rank would take it, but who is suspended has its own place and waits.
    let (mut world, victim) = one_running(nodes(1), trainer(1, 8));
    let job = world.submit(gang(1, 8).class("batch").estimate(minutes(5), minutes(30)).rung(
        Rung::Suspend,
        seconds(1),
        seconds(1),
    ));
    world.give_way(victim);
    world.confirm(job);
    world.advance(hours(11));
    assert_eq!((world.word(victim), world.word(job)), ("paused", "running"));
    assert_eq!(world.plan_of(victim), None);
    let other = world.submit(gang(1, 8).class("batch").estimate(minutes(1), minutes(1)));
    assert_eq!(world.victims_of(other), [job]);
}

#[test]
fn a_job_that_came_back_can_be_paused_again_later() {
    let (mut world, victim, job) = taken_over();
    world.finish(job);
    world.come_back(victim);
    world.advance(hours(1));
    let again = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.pauses_of(victim).count), ("pausing", 2));
    world.give_way(victim);
    world.finish(again);
    world.come_back(victim);
    assert_eq!(world.word(victim), "running");
    assert_eq!(world.attempt(victim).0, 1);
    nothing_is_left(&world);
}

#[test]
fn usage_is_not_counted_while_suspended() {
    let setup = nodes(1).queue(queue("a")).queue(queue("b"));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("a"));
    let job = world.submit(urgent(1, 8).queue("b"));
    world.give_way(victim);
    world.confirm(job);
    world.advance(minutes(10));
    world.finish(job);
    assert_eq!(world.gpu_seconds_of("a"), 8 * 660, "what does not run uses nothing");
    assert_eq!(world.gpu_seconds_of("b"), 8 * 600);
    world.come_back(victim);
    world.advance(minutes(1));
    world.finish(victim);
    assert_eq!(world.gpu_seconds_of("a"), 8 * 720);
}

#[test]
fn the_time_a_job_has_had_does_not_grow_while_it_is_suspended() {
    let (mut world, victim, job) = taken_over();
    let served = world.record(victim).served;
    assert_eq!(served, minutes(11));
    world.advance(minutes(10));
    world.finish(job);
    world.come_back(victim);
    assert_eq!(world.record(victim).served, served);
    world.advance(minutes(3));
    world.finish(victim);
    assert_eq!(world.record(victim).served, minutes(14));
}

#[test]
fn it_comes_back_only_where_cpus_and_memory_for_it_are_free() {
    let cases = [
        ("just enough of both", 64, 512, "resuming"),
        ("a CPU too few", 65, 512, "paused"),
        ("too little memory", 64, 513, "paused"),
    ];
    for (what, cpus, memory, expected) in cases {
        let mut world = nodes(1).build();
        let low = world.run(stubborn(1, 4).cpus(1).memory(gib(1)));
        let victim = world.run(trainer(1, 4).cpus(64).memory(gib(512)));
        settle_in(&mut world);
        let job = world.submit(urgent(1, 4).cpus(1).memory(gib(1)));
        world.give_way(victim);
        world.confirm(job);
        world.finish(low);
        let other = world.run(urgent(1, 4).cpus(cpus).memory(gib(memory)));
        world.finish(job);
        assert_eq!(world.word(victim), expected, "{what}");
        world.finish(other);
        assert_eq!(world.word(victim), "resuming", "{what}");
    }
}

#[test]
fn one_that_had_its_node_alone_comes_back_when_the_node_is_empty() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 4).exclusive());
    settle_in(&mut world);
    let job = world.submit(urgent(1, 4));
    world.give_way(victim);
    world.confirm(job);
    let other = world.run(urgent(1, 2));
    world.finish(job);
    assert_eq!(world.word(victim), "paused", "its GPUs are free, and it would not be alone");
    world.finish(other);
    assert_eq!(world.word(victim), "resuming");
}
