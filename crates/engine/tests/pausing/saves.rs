//! Saving on request and by itself: who is asked, who is waited for, and what follows when the one
//! or the other comes to nothing.

use super::support::*;
use crate::support::*;

/// A job that saves within a minute when it is asked to, and every twelve by itself.
fn saver() -> JobSpec {
    stubborn(1, 8).rung(Rung::Checkpoint, minutes(1), minutes(1)).saves_every(minutes(12))
}

fn ends_too(spec: JobSpec) -> JobSpec {
    spec.rung(Rung::Requeue, seconds(1), minutes(2))
}

/// A job that is asked to save for another: it would not by itself for two hours.
fn asked(spec: JobSpec) -> (World, JobId, JobId) {
    let (mut world, victim) = one_running(nodes(1), spec.saves_every(hours(2)));
    let job = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.pause_of(victim).is_asked), ("pausing", true));
    (world, victim, job)
}

/// A job that is waited for: it saves by itself within a minute.
fn awaited(spec: JobSpec) -> (World, JobId, JobId) {
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.pause_of(victim).is_asked), ("pausing", false));
    (world, victim, job)
}

#[test]
fn a_job_that_refuses_to_save_takes_the_next_rung_at_once() {
    let (mut world, victim, job) = asked(ends_too(saver()));
    let actions = world.cannot(victim, "n-1", Rung::Checkpoint);
    assert_eq!(stops(&world, &actions, victim), ["n-1"]);
    world.stopped(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
}

#[test]
fn a_job_that_refuses_to_save_and_allows_nothing_else_runs_on() {
    let (mut world, victim, job) = asked(saver());
    world.cannot(victim, "n-1", Rung::Checkpoint);
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    nothing_is_left(&world);
    let until = world.pauses_of(victim).spared_until;
    world.advance_to(until);
    world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "running", "it is not asked again for what it refused");
}

#[test]
fn one_node_that_cannot_save_refuses_for_all() {
    let spec = |tasks| stubborn(tasks, 8).rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, victim) = one_running(nodes(2), ends_too(spec(2)));
    let job = world.submit(urgent(2, 8));
    assert_eq!(world.victims_of(job), [victim]);
    let actions = world.cannot(victim, "n-2", Rung::Checkpoint);
    assert_eq!(stops(&world, &actions, victim), ["n-1", "n-2"]);
}

#[test]
fn who_is_only_waited_for_cannot_refuse() {
    let (mut world, victim, _) = awaited(ends_too(saver()));
    let (attempt, order, node) = (world.attempt(victim), world.order(victim), world.node("n-1"));
    let rung = Rung::Checkpoint;
    let refusal = Command::PauseRefused { node, job: victim, attempt, order, rung };
    changes_nothing(&mut world, refusal);
}

#[test]
fn an_order_to_save_is_repeated_to_a_node_that_is_back_in_sight() {
    // The plan needs one node of the two, and sight of the other is lost.
    let spec = stubborn(2, 8).rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, victim) = one_running(nodes(2), spec);
    let job = world.submit(urgent(1, 8));
    let needed = world.node_name(world.plan_of(job).expect("it has one").holds[0].node);
    let other = if needed == "n-1" { "n-2" } else { "n-1" };
    world.lose(other, minutes(30));
    let order = world.order(victim);
    let actions = world.find_again(other, &[victim]);
    assert_eq!(orders(&world, &actions), [format!("{other} checkpoint")]);
    assert_eq!(world.order(victim), order, "it is the same order");
}

#[test]
fn who_is_only_waited_for_is_asked_nothing_when_its_node_is_back() {
    let spec = stubborn(2, 8).rung(Rung::Checkpoint, minutes(1), minutes(1));
    let (mut world, victim) = one_running(nodes(2), spec.saves_every(minutes(12)));
    let job = world.submit(urgent(1, 8));
    assert!(!world.pause_of(victim).is_asked);
    let needed = world.node_name(world.plan_of(job).expect("it has one").holds[0].node);
    let other = if needed == "n-1" { "n-2" } else { "n-1" };
    world.lose(other, minutes(30));
    let actions = world.find_again(other, &[victim]);
    assert_eq!(orders(&world, &actions), Vec::<String>::new());
}

#[test]
fn who_does_not_save_by_itself_is_asked_to() {
    let (mut world, victim, job) = awaited(saver());
    let due = world.pause_of(victim).due;
    world.advance_to(Time(due.0 - 1));
    assert!(!world.pause_of(victim).is_asked);
    let actions = world.advance_to(due);
    assert_eq!(orders(&world, &actions), ["n-1 checkpoint"]);
    assert_eq!((world.word(victim), world.victims_of(job)), ("pausing", vec![victim]));
    let cost = world.pauses_of(victim).latest.cost;
    assert_eq!(cost, 8 * minutes(2).0, "it saves and comes back");
    world.give_way(victim);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "launching"));
}

#[test]
fn who_then_does_not_save_either_takes_the_next_rung_or_runs_on() {
    for (spec, word) in [(ends_too(saver()), "stopping"), (saver(), "running")] {
        let (mut world, victim, _) = awaited(spec);
        world.advance_to(world.pause_of(victim).due);
        world.advance_to(world.pause_of(victim).due);
        assert_eq!(world.word(victim), word);
    }
}

#[test]
fn who_missed_a_save_is_waited_for_again_once_it_has_saved() {
    let again = |saves: bool| {
        let (mut world, victim, job) = awaited(saver());
        world.advance_to(world.pause_of(victim).due);
        world.cancel(job);
        assert_eq!(world.word(victim), "running");
        if saves {
            world.saved(victim);
        }
        // A minute before its next save, by its own word.
        let until = world.pauses_of(victim).spared_until;
        let saved = world.now();
        let every = minutes(12).0;
        let turns = until.since(saved).0.div_ceil(every) + 1;
        world.advance_to(saved + Millis(turns * every - minutes(1).0));
        if saves {
            let run = world.run_of(victim);
            let computed = world.now().since(run.started.expect("it runs"));
            let unsaved = computed.0 - run.saved.expect("it has saved").0;
            assert!(unsaved > every, "it saved once and not since");
            world.saved(victim);
            world.advance(minutes(11));
        }
        world.submit(urgent(1, 8));
        world.pause_of(victim).is_asked
    };
    assert!(again(false), "it is asked, for it was waited for in vain");
    assert!(!again(true));
}

#[test]
fn a_guarantee_is_not_kept_waiting_for_a_save_that_did_not_come() {
    let setup = nodes(1).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let (mut world, victim) = one_running(setup, saver().queue("b"));
    let job = world.submit(urgent(1, 8).queue("a"));
    assert!(!world.pause_of(victim).is_asked);
    let actions = world.advance(Policy::default().pausing.reclaim);
    assert_eq!(orders(&world, &actions), Vec::<String>::new(), "there is no time to ask");
    assert_eq!(stops(&world, &actions, victim), ["n-1"]);
    world.stopped(victim);
    assert_eq!(world.word(job), "launching");
}

#[test]
fn a_guarantee_still_lets_one_save_that_refused_to_suspend_if_there_is_time() {
    let setup = || nodes(1).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let spec = trainer(1, 8).queue("b").rung(Rung::Checkpoint, minutes(1), minutes(1));
    for (after, word) in [(seconds(30), "pausing"), (seconds(90), "stopping")] {
        let (mut world, victim) = one_running(setup(), spec.clone());
        world.submit(urgent(1, 8).queue("a"));
        assert_eq!(world.pause_of(victim).rung, Rung::Suspend);
        world.advance(after);
        world.cannot(victim, "n-1", Rung::Freeze);
        world.thaw(victim);
        assert_eq!(world.word(victim), word, "after {after} of two minutes");
    }
}
