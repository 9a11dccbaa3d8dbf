//! Arrays and dependencies with jobs that are paused or for which room is made.

use super::support::*;
use crate::support::*;

#[test]
fn a_paused_element_keeps_its_place_in_the_throttle() {
    let mut world = nodes(1).build();
    let array = world.submit(trainer(1, 8).array(0..2).throttle(1));
    let [first, second] = [1, 2].map(|offset| JobId(array.0 + offset));
    world.confirm(first);
    settle_in(&mut world);
    let job = world.submit(urgent(1, 4));
    world.give_way(first);
    world.confirm(job);
    assert_eq!((world.word(first), world.word(second)), ("paused", "waiting"));
    assert_eq!(world.codes(second), ["throttle"]);
    world.finish(job);
    world.come_back(first);
    world.finish(first);
    assert_eq!(world.word(second), "launching");
}

#[test]
fn an_element_for_which_room_is_made_keeps_its_place_in_the_throttle() {
    let (mut world, victim) = one_running(nodes(1), trainer(1, 8));
    let array = world.submit(urgent(1, 8).array(0..2).throttle(1));
    let [first, second] = [1, 2].map(|offset| JobId(array.0 + offset));
    assert_eq!(world.victims_of(first), [victim]);
    assert_eq!(world.word(second), "waiting");
    world.cancel(first);
    assert_eq!(world.word(second), "queued");
}

#[test]
fn a_cancelled_array_gives_up_every_plan() {
    let mut world = nodes(2).build();
    let victims = [(); 2].map(|()| world.run(trainer(1, 8)));
    settle_in(&mut world);
    let array = world.submit(urgent(1, 8).array(0..2));
    assert_eq!(world.victims(), victims);
    world.cancel(array);
    assert_eq!(world.snapshot().plans, []);
    for victim in victims {
        world.thaw(victim);
        assert_eq!(world.word(victim), "running");
    }
    nothing_is_left(&world);
}

#[test]
fn a_held_array_holds_its_paused_elements() {
    let mut world = nodes(1).build();
    let array = world.submit(trainer(1, 4).array(0..2));
    let elements = [1, 2].map(|offset| JobId(array.0 + offset));
    for element in elements {
        world.confirm(element);
    }
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    for element in elements {
        world.give_way(element);
    }
    world.hold(array);
    world.finish(job);
    assert!(elements.iter().all(|element| world.word(*element) == "paused"));
    world.release(array);
    assert!(elements.iter().all(|element| world.word(*element) == "resuming"));
}

#[test]
fn a_job_that_waits_for_another_to_end_waits_while_that_is_paused() {
    for kind in [DependencyKind::AfterOk, DependencyKind::AfterAny] {
        let (mut world, victim, job) = taken_over();
        let next = world.submit(gang(1, 1).after(victim, kind));
        assert_eq!(world.word(next), "waiting");
        world.finish(job);
        world.come_back(victim);
        assert_eq!(world.word(next), "waiting");
        world.finish(victim);
        assert_eq!(world.word(next), "launching", "{kind:?}");
    }
}

#[test]
fn a_job_that_waits_for_another_to_start_waits_while_room_is_made_for_that() {
    let (mut world, victim, job) = being_suspended();
    let next = world.submit(gang(1, 0).after(job, DependencyKind::After));
    assert_eq!(world.word(next), "waiting");
    world.give_way(victim);
    assert_eq!(world.word(next), "waiting", "it launches");
    world.confirm(job);
    assert_eq!(world.word(next), "launching");
}

#[test]
fn coming_back_is_no_second_start() {
    let (mut world, victim, job) = taken_over();
    let after = world.submit(gang(1, 0).after(victim, DependencyKind::After));
    assert_eq!(world.word(after), "launching", "it has started, paused or not");
    world.finish(job);
    world.come_back(victim);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_paused_job_keeps_its_namesakes_waiting() {
    let (mut world, victim, job) = taken_over();
    let twin = world.submit(gang(1, 0).singleton());
    assert_eq!(world.codes(twin), ["singleton"], "job {victim} has its name and is not over");
    world.finish(job);
    world.come_back(victim);
    world.finish(victim);
    assert_eq!(world.word(twin), "launching");
}

#[test]
fn a_job_that_failed_while_paused_fails_who_counts_on_it() {
    let (mut world, victim, _) = taken_over();
    let next = world.submit(gang(1, 1).after(victim, DependencyKind::AfterOk));
    world.end_on(victim, "n-1", Exit::Signal(9));
    assert_eq!((world.word(victim), world.word(next)), ("failed", "dependency-failed"));
}
