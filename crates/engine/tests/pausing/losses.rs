//! Nodes that are lost, come back or restart while jobs on them are pausing, paused or coming back.

use super::support::*;
use crate::support::*;
use muster_engine::snapshot::NodeReport;

/// A way to some point of a pause.
type Make = fn() -> World;

/// The same, with the job in question.
type MakeBoth = fn() -> (World, JobId);

#[test]
fn losing_sight_of_a_node_costs_a_paused_job_nothing_before_the_lease_ends() {
    let (mut world, victim, _) = taken_over();
    world.lose("n-1", minutes(5));
    world.advance(Millis(minutes(5).0 - 1));
    assert_eq!(world.word(victim), "paused");
    world.advance(Millis(1));
    assert_eq!(world.word(victim), "queued", "its state was in that node's memory");
    assert_eq!(world.record(victim).requeues, 1);
    nothing_is_left(&world);
}

#[test]
fn a_gang_whose_one_node_is_lost_while_paused_is_ended_on_the_others() {
    let (mut world, victim, job) = gang_being_suspended();
    world.give_way(victim);
    world.confirm(job);
    world.lose("n-2", minutes(5));
    let actions = world.advance(minutes(5));
    assert!(stops(&world, &actions, victim).contains(&"n-1".to_owned()));
    world.stopped(victim);
    assert_eq!(world.word(victim), "queued");
    nothing_is_left(&world);
}

#[test]
fn a_node_lost_while_a_job_is_frozen_and_back_again_is_told_once_more() {
    let (mut world, victim, _) = gang_being_suspended();
    world.freeze_on(victim, "n-1");
    world.lose("n-2", minutes(30));
    // The plan counts on the node and is given up; the job is asked to compute again.
    assert!(world.pause_of(victim).is_undone);
    let actions = world.find_again("n-2", &[victim]);
    assert_eq!(orders(&world, &actions)[0], "n-2 back freeze");
    world.thaw(victim);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_node_of_the_victim_that_the_plan_does_not_need_is_told_once_more() {
    // The seeker needs one node of the victim's two, and sight of the other is lost.
    let (mut world, victim) = one_running(nodes(2), trainer(2, 8));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(job), [victim]);
    let needed = world.node_name(world.plan_of(job).expect("it has one").holds[0].node);
    let other = if needed == "n-1" { "n-2" } else { "n-1" };
    world.freeze_on(victim, &needed);
    world.lose(other, minutes(30));
    assert!(world.plan_of(job).is_some());
    let actions = world.find_again(other, &[victim]);
    assert_eq!(orders(&world, &actions), [format!("{other} freeze")]);
    world.give_way(victim);
    assert_eq!(world.word(job), "launching");
}

#[test]
fn a_node_that_comes_back_while_it_should_suspend_is_told_to() {
    let (mut world, victim) = one_running(nodes(3), trainer(2, 8));
    world.run(stubborn(1, 8));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.victims_of(job), [victim]);
    let needed = world.node_name(world.plan_of(job).expect("it has one").holds[0].node);
    let other = if needed == "n-1" { "n-2" } else { "n-1" };
    world.freeze(victim);
    world.lose(other, minutes(30));
    let actions = world.find_again(other, &[victim]);
    assert_eq!(orders(&world, &actions), [format!("{other} suspend")]);
}

#[test]
fn a_node_that_comes_back_while_it_should_restore_is_told_to() {
    let (mut world, victim) = coming_back();
    world.lose("n-1", minutes(4));
    let actions = world.find_again("n-1", &[victim]);
    assert_eq!(orders(&world, &actions), ["n-1 back suspend"]);
    world.restore(victim);
    world.lose("n-1", minutes(4));
    let actions = world.find_again("n-1", &[victim]);
    assert_eq!(orders(&world, &actions), ["n-1 back freeze"]);
    world.thaw(victim);
    assert_eq!(world.word(victim), "running");
}

#[test]
fn a_node_that_comes_back_without_the_job_has_lost_it() {
    let states: [(&str, MakeBoth); 3] = [
        ("pausing", || {
            let (world, victim, _) = being_suspended();
            (world, victim)
        }),
        ("paused", || {
            let (world, victim, _) = taken_over();
            (world, victim)
        }),
        ("resuming", coming_back),
    ];
    for (state, make) in states {
        let (mut world, victim) = make();
        assert_eq!(world.word(victim), state);
        let others: Vec<JobId> = world.jobs_in(JobState::Running);
        world.lose("n-1", minutes(30));
        world.find_again("n-1", &others);
        assert_ne!(world.word(victim), state, "{state}");
        assert_eq!(world.record(victim).requeues, 1, "{state}");
        let set_aside = world.host_memory_used("n-1");
        assert_eq!(set_aside, 0, "{state}: its state is gone from there");
    }
}

#[test]
fn an_agent_that_restarts_with_a_suspended_job_keeps_it() {
    let (mut world, victim, job) = taken_over();
    let spec = world.node_record("n-1").spec;
    let running = [victim, job].map(|job| Running { job, attempt: world.attempt(job) }).to_vec();
    world.tell(Command::NodeJoined { spec, running });
    assert_eq!((world.word(victim), world.word(job)), ("paused", "running"));
    assert_eq!(world.parts(victim, NodeReport::Suspended).len(), 1);
}

#[test]
fn a_lost_lease_in_each_state_gives_everything_back() {
    let states: [(&str, Make); 4] = [
        ("freezing", || being_suspended().0),
        ("suspending", || {
            let (mut world, victim, _) = being_suspended();
            world.freeze(victim);
            world
        }),
        ("paused", || taken_over().0),
        ("resuming", || coming_back().0),
    ];
    for (state, make) in states {
        let mut world = make();
        world.lose("n-1", minutes(1));
        world.advance(minutes(1));
        nothing_is_left(&world);
        assert_eq!(world.word(JobId(1)), "queued", "{state}");
        world.find_again("n-1", &[]);
        let placed = world.snapshot().jobs.iter().filter(|job| job.run.is_some()).count();
        assert_eq!(placed, 1, "{state}: the best of those who wait starts at once");
    }
}

#[test]
fn a_node_that_says_it_still_runs_a_job_that_was_taken_away_is_told_to_stop_it() {
    let (mut world, victim, _) = taken_over();
    world.lose("n-1", minutes(1));
    world.advance(minutes(1));
    let attempt = muster_model::Attempt(1);
    let running = vec![Running { job: victim, attempt }];
    let node = world.node("n-1");
    let actions = world.tell(Command::NodeReturned { node, running });
    let is_stop = |action: &Action| matches!(action, Action::Stop { job, .. } if *job == victim);
    assert!(actions.iter().any(is_stop), "{actions:?}");
}

#[test]
fn a_job_ended_by_someone_else_while_paused_starts_again() {
    let (mut world, victim, job) = taken_over();
    world.end_on(victim, "n-1", Exit::Stopped);
    assert_eq!((world.word(victim), world.word(job)), ("queued", "running"));
    nothing_is_left(&world);
}

#[test]
fn a_job_that_dies_while_paused_has_failed() {
    let (mut world, victim, job) = taken_over();
    world.end_on(victim, "n-1", Exit::OutOfMemory);
    assert_eq!((world.word(victim), world.word(job)), ("failed", "running"));
    nothing_is_left(&world);
}
