//! Gangs: frozen everywhere before any node suspends, restored everywhere before any computes.

use super::support::*;
use crate::support::*;

#[test]
fn every_node_is_asked_to_freeze_at_once_and_none_to_suspend() {
    let (mut world, victim) = one_running(nodes(3), trainer(3, 8));
    let actions = world.submit_and_see(urgent(3, 8));
    assert_eq!(orders(&world, &actions), ["n-1 freeze", "n-2 freeze", "n-3 freeze"]);
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn nodes_are_asked_to_suspend_when_the_last_has_frozen() {
    let (mut world, victim, _) = gang_being_suspended();
    let actions = world.freeze_on(victim, "n-2");
    assert_eq!(orders(&world, &actions), Vec::<String>::new());
    let actions = world.freeze_on(victim, "n-1");
    assert_eq!(orders(&world, &actions), ["n-1 suspend", "n-2 suspend"]);
}

#[test]
fn gpus_are_given_up_when_the_last_has_suspended() {
    let (mut world, victim, job) = gang_being_suspended();
    world.freeze(victim);
    world.suspend_on(victim, "n-1");
    assert_eq!((world.word(victim), world.held_for(job)), ("pausing", "n-1:0 n-2:0".to_owned()));
    world.suspend_on(victim, "n-2");
    assert_eq!((world.word(victim), world.word(job)), ("paused", "launching"));
}

#[test]
fn nodes_are_asked_to_compute_when_the_last_has_restored() {
    let (mut world, victim, job) = gang_being_suspended();
    world.give_way(victim);
    let actions = world.finish(job);
    assert_eq!(orders(&world, &actions), ["n-1 back suspend", "n-2 back suspend"]);
    let actions = world.restore_on(victim, "n-1");
    assert_eq!(orders(&world, &actions), Vec::<String>::new());
    let actions = world.restore_on(victim, "n-2");
    assert_eq!(orders(&world, &actions), ["n-1 back freeze", "n-2 back freeze"]);
    world.thaw_on(victim, "n-2");
    assert_eq!(world.word(victim), "resuming");
    world.thaw_on(victim, "n-1");
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_gang_is_not_half_resumed() {
    // One of its two nodes is free again: a gang that went back onto that would hold it for
    // nothing.
    let (mut world, victim, job) = gang_being_suspended();
    world.give_way(victim);
    world.finish_to_make_way(job);
    let blocker = world.submit(gang(1, 8).class("inference").estimate(hours(1), hours(1)));
    world.stopped(job);
    assert_eq!(world.word(blocker), "launching");
    let place = world.nodes_of(blocker)[0].clone();
    assert_eq!(world.word(victim), "paused");
    let small = world.submit(gang(1, 8).class("batch").estimate(minutes(1), minutes(1)));
    assert_eq!(world.word(small), "launching", "the other node is free for all");
    assert_ne!(world.nodes_of(small)[0], place);
    world.finish(small);
    assert_eq!(world.word(victim), "paused");
    world.finish(blocker);
    assert_eq!(world.word(victim), "resuming");
    assert_eq!(world.nodes_of(victim), ["n-1", "n-2"]);
}

#[test]
fn a_part_that_ends_by_itself_is_not_waited_for() {
    let (mut world, victim, _) = gang_being_suspended();
    world.freeze_on(victim, "n-1");
    let actions = world.end_on(victim, "n-2", Exit::Code(0));
    assert_eq!(orders(&world, &actions), ["n-1 suspend"], "its work on n-2 was done already");
    world.suspend_on(victim, "n-1");
    assert_eq!(world.word(victim), "paused");
}

#[test]
fn a_part_that_ends_while_others_suspend_is_not_waited_for_either() {
    let (mut world, victim, job) = gang_being_suspended();
    world.freeze(victim);
    world.suspend_on(victim, "n-1");
    world.end_on(victim, "n-2", Exit::Code(0));
    assert_eq!((world.word(victim), world.word(job)), ("paused", "launching"));
    world.finish(job);
    assert_eq!(world.word(victim), "resuming");
    let actions = world.restore(victim);
    assert_eq!(orders(&world, &actions), ["n-1 back freeze"], "only one part is left");
    world.thaw(victim);
    world.end_on(victim, "n-1", Exit::Code(0));
    assert_eq!(world.word(victim), "completed");
}

#[test]
fn a_part_that_ends_while_the_others_come_back_is_not_waited_for() {
    let (mut world, victim, job) = gang_being_suspended();
    world.give_way(victim);
    world.finish(job);
    world.restore_on(victim, "n-1");
    let actions = world.end_on(victim, "n-2", Exit::Code(0));
    assert_eq!(orders(&world, &actions), ["n-1 back freeze"]);
    world.thaw_on(victim, "n-1");
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_part_that_fails_while_frozen_fails_the_whole() {
    let (mut world, victim, job) = gang_being_suspended();
    world.freeze_on(victim, "n-1");
    let actions = world.end_on(victim, "n-2", Exit::Code(1));
    assert_eq!(stops(&world, &actions, victim), ["n-1"]);
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("failed", "launching"));
}

#[test]
fn a_paused_gang_that_is_stopped_is_over_when_the_last_node_says_so() {
    let (mut world, victim, job) = gang_being_suspended();
    world.give_way(victim);
    world.confirm(job);
    world.cancel(victim);
    world.end_on(victim, "n-1", Exit::Stopped);
    assert_eq!((world.word(victim), world.word(job)), ("stopping", "running"));
    world.end_on(victim, "n-2", Exit::Stopped);
    assert_eq!((world.word(victim), world.word(job)), ("cancelled", "running"));
    nothing_is_left(&world);
}

#[test]
fn a_part_of_a_paused_gang_that_ends_changes_nothing_for_the_rest() {
    let (mut world, victim, job) = gang_being_suspended();
    world.give_way(victim);
    world.confirm(job);
    world.end_on(victim, "n-1", Exit::Code(0));
    assert_eq!(world.word(victim), "paused");
    world.finish(job);
    world.come_back(victim);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_gang_that_is_stopped_half_suspended_is_over_when_the_last_node_says_so() {
    let (mut world, victim, job) = gang_being_suspended();
    world.freeze(victim);
    world.suspend_on(victim, "n-1");
    world.cancel(victim);
    world.end_on(victim, "n-2", Exit::Stopped);
    assert_eq!((world.word(victim), world.word(job)), ("stopping", "queued"));
    world.end_on(victim, "n-1", Exit::Stopped);
    assert_eq!((world.word(victim), world.word(job)), ("cancelled", "launching"));
}

#[test]
fn several_tasks_on_one_node_are_one_part() {
    let mut world = nodes(2).build();
    let victim = world.run(trainer(8, 2));
    settle_in(&mut world);
    let actions = world.submit_and_see(urgent(2, 8));
    assert_eq!(orders(&world, &actions), ["n-1 freeze", "n-2 freeze"]);
    let own = 4 * TaskShape::gpus(2).memory.0 / 1024;
    assert_eq!(world.host_memory_used("n-1"), 640 + own);
    world.give_way(victim);
    assert_eq!(world.word(victim), "paused");
}

#[test]
fn a_gang_with_one_short_node_is_not_suspended_at_all() {
    let setup = cluster()
        .doubted()
        .nodes_with("n", 1, "H100x8", |node| node.suspend_memory(gib(4096)))
        .nodes_with("n", 1, "H100x8", |node| node.suspend_memory(gib(100)));
    let (mut world, victim) = one_running(setup, trainer(2, 8));
    world.submit(urgent(2, 8));
    assert_eq!(world.word(victim), "running");
    nothing_is_left(&world);
}
