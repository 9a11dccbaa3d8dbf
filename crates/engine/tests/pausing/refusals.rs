//! A node that cannot do what it is asked gives a normal answer: the rung is undone everywhere and
//! the next one down is tried, or the plan is given up. Nobody loses anything by it.

use super::support::*;
use crate::support::*;

fn suspends_or(rung: Rung) -> JobSpec {
    trainer(1, 8).rung(rung, minutes(1), minutes(1))
}

/// A job that is asked to suspend, whose node says that it cannot.
fn refusing(spec: JobSpec) -> (World, JobId, JobId) {
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.pause_of(victim).rung), ("pausing", Rung::Suspend));
    let actions = world.cannot(victim, "n-1", Rung::Freeze);
    assert_eq!(orders(&world, &actions), ["n-1 back freeze"]);
    world.thaw(victim);
    (world, victim, job)
}

#[test]
fn a_job_that_cannot_be_suspended_is_asked_to_save() {
    let (mut world, victim, job) = refusing(suspends_or(Rung::Checkpoint));
    assert_eq!(world.pause_of(victim).rung, Rung::Checkpoint);
    assert_eq!(world.pauses_of(victim).latest.rung, Rung::Checkpoint);
    assert_eq!(world.host_memory_used("n-1"), 0, "it will not be needed");
    world.give_way(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
}

#[test]
fn a_job_that_can_neither_be_suspended_nor_save_is_ended_and_starts_again() {
    let spec = suspends_or(Rung::Requeue).saves_every(minutes(20));
    let (mut world, victim, job) = refusing(spec);
    assert_eq!(world.word(victim), "stopping");
    world.give_way(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
}

#[test]
fn a_job_that_allows_no_other_rung_runs_on_and_the_plan_is_given_up() {
    let (mut world, victim, job) = refusing(trainer(1, 8));
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    nothing_is_left(&world);
    let until = world.pauses_of(victim).spared_until;
    assert_eq!(spared(&mut world, job), Some((victim, Spared::Lately { until })));
}

#[test]
fn a_refusal_after_the_freeze_is_undone_from_host_memory() {
    let (mut world, victim) = one_running(nodes(2), trainer(2, 8));
    let job = world.submit(urgent(2, 8));
    world.freeze(victim);
    world.suspend_on(victim, "n-1");
    let actions = world.cannot(victim, "n-2", Rung::Suspend);
    assert_eq!(orders(&world, &actions), ["n-1 back suspend", "n-2 back suspend"]);
    world.restore(victim);
    world.thaw(victim);
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    nothing_is_left(&world);
}

#[test]
fn one_node_that_cannot_freeze_thaws_all() {
    let (mut world, victim, job) = gang_being_suspended();
    world.freeze_on(victim, "n-1");
    let actions = world.cannot(victim, "n-2", Rung::Freeze);
    assert_eq!(orders(&world, &actions), ["n-1 back freeze", "n-2 back freeze"]);
    world.thaw_on(victim, "n-2");
    assert_eq!(world.word(victim), "pausing");
    world.thaw_on(victim, "n-1");
    assert_eq!((world.word(victim), world.plan_of(job)), ("running", None));
}

#[test]
fn a_second_refusal_of_the_same_order_changes_nothing_more() {
    let (mut world, victim, _) = gang_being_suspended();
    let (order, attempt) = (world.order(victim), world.attempt(victim));
    world.cannot(victim, "n-2", Rung::Freeze);
    let node = world.node("n-1");
    let again = Command::PauseRefused { node, job: victim, attempt, order, rung: Rung::Freeze };
    changes_nothing(&mut world, again);
}

#[test]
fn a_job_is_not_asked_again_for_what_its_attempt_has_refused() {
    let (mut world, victim, first) = refusing(suspends_or(Rung::Checkpoint));
    world.cancel(first);
    assert_eq!(world.word(victim), "running");
    let until = world.pauses_of(victim).spared_until;
    world.advance_to(until);
    world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.pause_of(victim).rung), ("pausing", Rung::Checkpoint));
}

#[test]
fn another_attempt_may_be_asked_again() {
    let (mut world, victim, job) = refusing(suspends_or(Rung::Checkpoint));
    world.give_way(victim);
    world.finish(job);
    world.confirm(victim);
    let until = world.pauses_of(victim).spared_until.max(world.now() + minutes(11));
    world.advance_to(until);
    world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.pause_of(victim).rung), ("pausing", Rung::Suspend));
}

#[test]
fn a_filler_that_can_do_nothing_is_not_asked_over_and_over() {
    // It may not be ended, its node cannot suspend it, and fillers are never spared for having
    // been paused lately: only the refusal keeps it from being asked for ever.
    let keeps = muster_model::Requeue { when_lost: false, when_failed: false, most: 0 };
    let spec = filler(1, 8).rung(Rung::Suspend, seconds(20), seconds(10)).requeue(keeps);
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "pausing");
    world.cannot(victim, "n-1", Rung::Freeze);
    world.thaw(victim);
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    world.advance(hours(1));
    assert_eq!(world.pauses_of(victim).count, 1);
}

#[test]
fn a_job_that_must_not_be_ended_is_not_ended_because_it_refused() {
    // A guarantee may end what it was lent to, but only what may be started again.
    let keeps = muster_model::Requeue { when_lost: false, when_failed: false, most: 0 };
    let setup = nodes(1).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("b").requeue(keeps));
    let job = world.submit(urgent(1, 8).queue("a"));
    assert_eq!(world.word(victim), "pausing");
    world.cannot(victim, "n-1", Rung::Freeze);
    world.thaw(victim);
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    nothing_is_left(&world);
}

#[test]
fn a_refusal_does_not_cost_more_work_than_a_pause_may() {
    // It would have been suspended for nothing; ending it would cost two hours.
    let spec = suspends_or(Rung::Requeue);
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    world.advance(hours(2));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.pause_of(victim).rung, Rung::Suspend);
    world.cannot(victim, "n-1", Rung::Freeze);
    world.thaw(victim);
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
}

#[test]
fn a_rung_further_down_must_still_be_in_time() {
    // A guarantee is back within two minutes; the save would take five.
    let setup = nodes(1).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let spec = trainer(1, 8).queue("b").rung(Rung::Checkpoint, minutes(5), minutes(1));
    let (mut world, victim) = one_running(setup, spec);
    let job = world.submit(urgent(1, 8).queue("a"));
    world.cannot(victim, "n-1", Rung::Freeze);
    world.thaw(victim);
    assert_eq!(world.word(victim), "stopping", "there is no time to let it save");
    world.give_way(victim);
    assert_eq!(world.word(job), "launching");
}

#[test]
fn the_others_of_a_plan_go_back_when_one_can_do_nothing() {
    let mut world = nodes(1).build();
    let [one, two] = [(); 2].map(|()| world.run(trainer(1, 4)));
    settle_in(&mut world);
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(job), [one, two]);
    world.give_way(one);
    world.cannot(two, "n-1", Rung::Freeze);
    world.thaw(two);
    assert_eq!(
        (world.word(two), world.word(one), world.word(job)),
        ("running", "resuming", "queued")
    );
    world.come_back(one);
    nothing_is_left(&world);
}

#[test]
fn a_job_with_a_node_out_of_sight_is_not_ended_because_it_refused() {
    let spec = trainer(2, 8).rung(Rung::Requeue, minutes(1), minutes(1)).saves_every(minutes(20));
    let state_with = |lost: bool| {
        let (mut world, victim) = one_running(nodes(2), spec.clone());
        let job = world.submit(urgent(2, 8));
        world.cannot(victim, "n-1", Rung::Freeze);
        world.thaw_on(victim, "n-2");
        if lost {
            world.lose("n-2", minutes(5));
        }
        world.thaw_on(victim, "n-1");
        (world.word(victim), world.word(job))
    };
    assert_eq!(state_with(false), ("stopping", "queued"), "the next rung is taken");
    assert_eq!(state_with(true), ("running", "queued"), "what is not seen is not taken for dead");
}
