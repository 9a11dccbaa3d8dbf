//! Answers that come late, twice, out of order, or from someone else change nothing.

use super::support::*;
use crate::support::*;
use muster_model::Attempt;

#[test]
fn an_answer_to_an_earlier_order_changes_nothing() {
    let (mut world, victim, _) = gang_being_suspended();
    let old = world.order(victim);
    world.freeze(victim);
    assert!(world.order(victim) > old);
    for rung in [Rung::Freeze, Rung::Suspend] {
        for down in [true, false] {
            let node = world.node("n-1");
            let command = world.answer_of(victim, node, old, rung, down);
            changes_nothing(&mut world, command);
        }
    }
}

#[test]
fn an_answer_to_an_order_that_was_never_given_changes_nothing() {
    let (mut world, victim, _) = gang_being_suspended();
    let next = world.order(victim) + 1;
    for order in [0, next, u32::MAX] {
        let node = world.node("n-1");
        let command = world.answer_of(victim, node, order, Rung::Freeze, true);
        changes_nothing(&mut world, command);
    }
}

#[test]
fn the_same_answer_twice_is_one_answer() {
    let (mut world, victim, _) = gang_being_suspended();
    let (order, node) = (world.order(victim), world.node("n-1"));
    let command = world.answer_of(victim, node, order, Rung::Freeze, true);
    world.tell(command.clone());
    changes_nothing(&mut world, command);
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn an_answer_of_another_node_or_attempt_changes_nothing() {
    let (mut world, victim, _) = being_suspended();
    let order = world.order(victim);
    world.join(NodeSpec::new("other", "H100", 8));
    let other = world.node("other");
    let command = world.answer_of(victim, other, order, Rung::Freeze, true);
    changes_nothing(&mut world, command);
    for attempt in [0, 2] {
        let (node, rung) = (world.node("n-1"), Rung::Freeze);
        let attempt = Attempt(attempt);
        changes_nothing(&mut world, Command::Paused { node, job: victim, attempt, order, rung });
        changes_nothing(
            &mut world,
            Command::PauseRefused { node, job: victim, attempt, order, rung },
        );
    }
}

#[test]
fn a_node_cannot_have_suspended_what_it_was_not_asked_to() {
    let (mut world, victim, _) = gang_being_suspended();
    let (order, node) = (world.order(victim), world.node("n-1"));
    let command = world.answer_of(victim, node, order, Rung::Suspend, true);
    changes_nothing(&mut world, command);
}

#[test]
fn a_node_that_claims_to_have_undone_what_goes_on_changes_nothing() {
    let (mut world, victim, _) = gang_being_suspended();
    for rung in [Rung::Freeze, Rung::Suspend, Rung::Checkpoint, Rung::Requeue] {
        let (order, node) = (world.order(victim), world.node("n-1"));
        let command = world.answer_of(victim, node, order, rung, false);
        changes_nothing(&mut world, command);
    }
}

#[test]
fn rungs_that_no_node_carries_out_are_no_answers() {
    let (mut world, victim, _) = being_suspended();
    let (order, node) = (world.order(victim), world.node("n-1"));
    for rung in [Rung::Checkpoint, Rung::Requeue] {
        let command = world.answer_of(victim, node, order, rung, true);
        changes_nothing(&mut world, command);
    }
    let (mut world, victim) = coming_back();
    let (order, node) = (world.order(victim), world.node("n-1"));
    for rung in [Rung::Checkpoint, Rung::Requeue] {
        let command = world.answer_of(victim, node, order, rung, false);
        changes_nothing(&mut world, command);
    }
}

#[test]
fn a_job_that_runs_answers_nothing() {
    let (mut world, victim) = one_running(nodes(1), trainer(1, 8));
    let node = world.node("n-1");
    for rung in [Rung::Freeze, Rung::Suspend] {
        for (order, down) in [(0, true), (0, false), (1, true), (1, false)] {
            let command = world.answer_of(victim, node, order, rung, down);
            changes_nothing(&mut world, command);
        }
        let attempt = world.attempt(victim);
        let refused = Command::PauseRefused { node, job: victim, attempt, order: 0, rung };
        changes_nothing(&mut world, refused);
    }
}

#[test]
fn an_answer_to_the_pause_that_comes_after_it_was_undone_changes_nothing() {
    let (mut world, victim, job) = being_suspended();
    let (old, node) = (world.order(victim), world.node("n-1"));
    world.cancel(job);
    let command = world.answer_of(victim, node, old, Rung::Freeze, true);
    changes_nothing(&mut world, command);
    world.thaw(victim);
    assert_eq!(world.word(victim), "running");
    let command = world.answer_of(victim, node, old, Rung::Freeze, true);
    changes_nothing(&mut world, command);
}

#[test]
fn a_refusal_that_comes_after_the_pause_was_undone_changes_nothing() {
    let (mut world, victim, job) = being_suspended();
    let (node, attempt) = (world.node("n-1"), world.attempt(victim));
    world.cancel(job);
    for order in [world.order(victim) - 1, world.order(victim)] {
        let refused =
            Command::PauseRefused { node, job: victim, attempt, order, rung: Rung::Suspend };
        changes_nothing(&mut world, refused);
    }
}

#[test]
fn a_refusal_of_what_was_done_already_changes_nothing() {
    let (mut world, victim, _) = being_suspended();
    let (node, attempt, order) = (world.node("n-1"), world.attempt(victim), world.order(victim));
    world.freeze(victim);
    let refused = Command::PauseRefused { node, job: victim, attempt, order, rung: Rung::Freeze };
    changes_nothing(&mut world, refused);
}

#[test]
fn a_paused_job_that_is_said_to_be_paused_again_stays_paused() {
    let (mut world, victim, _) = taken_over();
    let node = world.node("n-1");
    for order in 0..=world.order(victim) {
        for down in [true, false] {
            for rung in [Rung::Freeze, Rung::Suspend] {
                let command = world.answer_of(victim, node, order, rung, down);
                changes_nothing(&mut world, command);
            }
        }
        let attempt = world.attempt(victim);
        let refused =
            Command::PauseRefused { node, job: victim, attempt, order, rung: Rung::Suspend };
        changes_nothing(&mut world, refused);
    }
}

#[test]
fn a_node_that_restores_out_of_turn_is_not_believed() {
    let (mut world, victim) = coming_back();
    let (order, node) = (world.order(victim), world.node("n-1"));
    let command = world.answer_of(victim, node, order, Rung::Freeze, false);
    changes_nothing(&mut world, command);
    let command = world.answer_of(victim, node, order, Rung::Suspend, true);
    changes_nothing(&mut world, command);
    world.come_back(victim);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn reports_of_a_start_say_nothing_new_of_a_job_that_is_paused() {
    let (mut world, victim, _) = taken_over();
    let (node, attempt) = (world.node("n-1"), world.attempt(victim));
    changes_nothing(&mut world, Command::Started { node, job: victim, attempt });
    let refusal = Refusal::Node("disk-full".into());
    changes_nothing(&mut world, Command::Refused { node, job: victim, attempt, refusal });
}

#[test]
fn a_save_of_another_attempt_or_of_a_job_that_ends_is_of_no_account() {
    let spec = stubborn(1, 8).rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, victim) = one_running(nodes(1), spec);
    world.submit(urgent(1, 8));
    changes_nothing(&mut world, Command::Saved { job: victim, attempt: Attempt(2) });
    changes_nothing(&mut world, Command::Saved { job: JobId(99), attempt: Attempt(1) });
    world.saved(victim);
    changes_nothing(&mut world, Command::Saved { job: victim, attempt: Attempt(1) });
}

#[test]
fn an_answer_of_a_job_that_is_stopped_meanwhile_changes_nothing() {
    let points: [fn() -> World; 4] = [
        || being_suspended().0,
        || {
            let (mut world, _, job) = being_suspended();
            world.cancel(job);
            world
        },
        || coming_back().0,
        || {
            let (mut world, victim) = coming_back();
            world.restore(victim);
            world
        },
    ];
    for make in points {
        let mut world = make();
        let victim = JobId(1);
        world.requeue(victim);
        assert_eq!(world.word(victim), "stopping");
        let (order, node) = (world.order(victim), world.node("n-1"));
        for rung in [Rung::Freeze, Rung::Suspend] {
            for down in [true, false] {
                let command = world.answer_of(victim, node, order, rung, down);
                changes_nothing(&mut world, command);
            }
            let attempt = world.attempt(victim);
            let refused = Command::PauseRefused { node, job: victim, attempt, order, rung };
            changes_nothing(&mut world, refused);
        }
        world.stopped(victim);
        nothing_is_left(&world);
    }
}

#[test]
fn a_node_that_computes_while_another_is_in_host_memory_is_not_believed() {
    let (mut world, victim, job) = gang_being_suspended();
    world.give_way(victim);
    world.finish(job);
    world.restore_on(victim, "n-1");
    let (order, node) = (world.order(victim), world.node("n-1"));
    let command = world.answer_of(victim, node, order, Rung::Freeze, false);
    changes_nothing(&mut world, command);
    world.restore_on(victim, "n-2");
    world.thaw(victim);
    assert_eq!(world.word(victim), "running");
}
