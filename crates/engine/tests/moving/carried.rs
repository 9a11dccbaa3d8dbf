//! How a move is carried out.

use muster_model::Requeue;

use super::support::*;
use crate::support::*;

#[test]
fn job_is_asked_to_save_then_ended_then_started_at_its_new_place() {
    let (mut world, first, gang) = moving_out(nodes(2));
    let asked = world.log.last().expect("the gang was submitted").2.clone();
    assert!(asked.iter().any(|action| matches!(action,
        Action::Pause { job, rung: Rung::Checkpoint, .. } if *job == first)));
    let saved = world.saved(first);
    assert!(saved.iter().any(|action| matches!(action, Action::Stop { .. })));
    assert_eq!(moves(&world), [(first, "n-2".into())]);
    let ended = world.stopped(first);
    let launched = |action: &Action| match action {
        Action::Launch { job, node, .. } => Some((*job, world.node_name(*node))),
        _ => None,
    };
    let launches: Vec<_> = ended.iter().filter_map(launched).collect();
    assert_eq!(launches, [(gang, "n-1".into()), (first, "n-2".into())]);
    world.confirm(first);
    assert_eq!(world.word(first), "running");
    assert_eq!(world.record(first).requeues, 0);
}

#[test]
fn next_save_of_its_own_is_waited_for_where_that_costs_less() {
    let spec = saver(1, 4).saves_every(seconds(11 * 60 + 20));
    let (mut world, first, _) = halves(nodes(2), spec);
    let gang = world.submit(big(1, 8));
    let pause = world.pause_of(first);
    assert_eq!((pause.rung, pause.order), (Rung::Checkpoint, 0));
    world.advance(seconds(20));
    world.saved(first);
    world.stopped(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "launching"));
}

#[test]
fn job_that_loses_nothing_by_it_is_ended_at_once() {
    let spec = big(1, 4).rung(Rung::Requeue, Millis::ZERO, seconds(5)).saves_every(minutes(11));
    let (mut world, first, _) = halves(nodes(2), spec);
    let gang = world.submit(big(1, 8));
    assert_eq!((world.word(first), world.victims_of(gang)), ("stopping", vec![first]));
    assert_eq!(moves(&world), [(first, "n-2".into())]);
    world.stopped(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "launching"));
}

#[test]
fn nobody_else_gets_the_new_place_or_the_old_one() {
    let (mut world, first, gang) = moving_out(nodes(2));
    let late = world.submit(gang_of_two());
    assert_eq!(world.word(late), "queued");
    world.give_way(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "launching"));
    assert_eq!(world.word(late), "queued");
}

fn gang_of_two() -> JobSpec {
    gang(1, 2).class("express").estimate(hours(20), hours(24))
}

#[test]
fn queue_at_its_limit_is_charged_once() {
    let setup = nodes(2).queue(queue("a").limit(quota(8))).queue(queue("b"));
    let (mut world, first, _) = halves(setup, saver(1, 4).queue("a"));
    world.set_queue(queue("a").limit(quota(2)));
    let gang = world.submit(big(1, 8).queue("b"));
    assert_eq!(world.victims_of(gang), [first]);
    world.give_way(first);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "launching"));
    let waiting = world.submit(gang_of_two().queue("a"));
    assert_eq!(world.codes(waiting), ["queue-limit"]);
}

#[test]
fn element_of_an_array_keeps_its_place_in_it() {
    let mut world = nodes(2).build();
    world.drain("n-2");
    let array = world.submit(saver(1, 4).array([1, 2]).throttle(1));
    let element = JobId(array.0 + 1);
    world.confirm(element);
    world.resume("n-2");
    run_on(&mut world, "n-2", big(1, 4));
    settle_in(&mut world);
    let gang = world.submit(big(1, 8));
    assert_eq!(world.victims_of(gang), [element]);
    world.give_way(element);
    assert_eq!((world.word(element), world.word(gang)), ("launching", "launching"));
    assert_eq!(world.word(JobId(array.0 + 2)), "waiting");
}

#[test]
fn job_that_wants_a_node_alone_moves_to_one_it_has_alone() {
    let mut world = racks_of([2, 2]).build();
    let alone = run_on(&mut world, "r1-1", saver(1, 2).exclusive());
    run_on(&mut world, "r2-1", big(1, 8));
    settle_in(&mut world);
    let gang = world.submit(big(2, 8).require("rack"));
    assert_eq!(moves(&world), [(alone, "r2-2".into())]);
    let other = world.submit(gang_of_two());
    assert_eq!(world.word(other), "queued");
    world.give_way(alone);
    assert_eq!((world.word(alone), world.word(gang)), ("launching", "launching"));
    assert_eq!(world.word(other), "queued");
}

#[test]
fn job_that_loses_its_node_on_the_way_out_starts_at_its_new_place() {
    let requeue = Requeue { when_lost: true, ..Requeue::default() };
    let (mut world, first, _) = halves(nodes(2), saver(1, 4).requeue(requeue));
    let gang = world.submit(big(1, 8));
    world.saved(first);
    world.lose("n-1", Millis::ZERO);
    assert_eq!((world.word(first), world.word(gang)), ("launching", "queued"));
    assert_eq!(node_of(&world, first), "n-2");
}
