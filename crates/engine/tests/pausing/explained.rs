//! What people are told of pauses: who gave way to whom, by which right, at which cost, and who did
//! not and why.

use super::support::*;
use crate::support::*;

#[test]
fn who_room_is_made_for_is_told_who_gives_way_and_when() {
    let (mut world, victim, job) = being_suspended();
    let why = world.why(job);
    let due = world.pause_of(victim).due;
    assert_eq!(why.reasons, [Reason::Making { victims: vec![victim], givers: vec![], due }]);
    assert_eq!(why.estimated_start, Some(due));
    assert_eq!(world.reason_text(job), "room is being made: job 1 gives way");
}

#[test]
fn several_who_give_way_are_named_and_many_are_counted() {
    let text = |count: u32, gpus: u32| {
        let mut world = nodes(1).build();
        for _ in 0..count {
            world.run(trainer(1, gpus));
        }
        settle_in(&mut world);
        let job = world.submit(urgent(1, 8));
        world.reason_text(job)
    };
    assert_eq!(text(2, 4), "room is being made: jobs 1, 2 give way");
    assert_eq!(text(8, 1), "room is being made: 8 jobs give way");
}

#[test]
fn who_is_paused_is_told_for_whom_by_which_right_and_at_which_cost() {
    let (mut world, victim, job) = being_suspended();
    let text = world.reason_text(victim);
    let expected = format!(
        "paused by suspend for job {job}, whose class goes first: cost 4 GPU-min, benefit "
    );
    assert!(text.starts_with(&expected), "{text}");
    world.give_way(victim);
    world.confirm(job);
    assert_eq!(world.codes(victim), ["paused", "occupied"]);
    assert!(world.reason_text(victim).starts_with(&expected));
}

#[test]
fn who_is_paused_is_told_who_has_its_gpus() {
    let (mut world, victim, job) = taken_over();
    let reasons = world.reasons(victim);
    assert_eq!(reasons[1], Reason::Occupied { by: vec![job] });
    assert_eq!(reasons[1].to_string(), "its own GPUs are used by job 2");
}

#[test]
fn a_suspended_job_is_told_when_it_will_probably_go_on() {
    let (mut world, victim, job) = taken_over();
    let why = world.why(victim);
    let estimate = why.estimated_start.expect("job {job} is predicted to end");
    assert_eq!(estimate, world.now() + minutes(10), "when job {job} ends");
    assert_eq!(why.alternatives, [], "it waits for its own place and no other");
}

#[test]
fn a_job_that_runs_again_is_not_said_to_be_paused() {
    let (mut world, victim, job) = taken_over();
    world.finish(job);
    world.come_back(victim);
    assert_eq!(world.reasons(victim), []);
    assert!(!world.pauses_of(victim).is_open);
    // And when it waits for another reason, that pause is history.
    world.requeue(victim);
    let other = world.submit(urgent(1, 8));
    world.stopped(victim);
    assert_eq!((world.word(other), world.word(victim)), ("launching", "queued"));
    assert!(!world.codes(victim).contains(&"paused"));
}

#[test]
fn a_job_that_was_ended_for_another_is_told_so_while_it_waits() {
    let spec = stubborn(1, 8).rung(Rung::Requeue, seconds(1), seconds(10)).saves_every(minutes(5));
    let (mut world, victim) = one_running(nodes(1), spec);
    let job = world.submit(urgent(1, 8));
    world.give_way(victim);
    assert_eq!(world.codes(victim), ["gpus", "paused"]);
    world.finish(job);
    world.confirm(victim);
    assert_eq!(world.reasons(victim), []);
}

#[test]
fn who_is_not_paused_and_why_is_told_in_words() {
    let table: [(Spared, &str); 11] = [
        (Spared::Contract, "its checkpoint contract does not allow it"),
        (
            Spared::JustStarted { until: Time(600_000) },
            "it has just started and is left alone until 600000",
        ),
        (
            Spared::Lately { until: Time(7_000) },
            "it was paused lately and is left alone until 7000",
        ),
        (
            Spared::NearEnd { done_ppm: 900_000, left: minutes(6) },
            "it is 90 % complete, 6m are left",
        ),
        (Spared::Unsaved { lost: hours(2) }, "2h of its work are not saved"),
        (Spared::Rank, "it does not rank far enough behind"),
        (Spared::Guaranteed, "its queue is guaranteed what it uses"),
        (Spared::Floor, "it had waited too long and has just been served"),
        (Spared::Saving, "too many others save their state just now"),
        (Spared::Changing, "it is starting, pausing or ending"),
        (
            Spared::Cost { cost: 3_600_000, benefit: 90_000 },
            "it would cost 1.0 GPU-h and bring 1 GPU-min",
        ),
    ];
    for (why, text) in table {
        let reason = Reason::Spared { job: JobId(3), why };
        assert_eq!(reason.to_string(), format!("job 3 is not paused: {text}"));
    }
}

#[test]
fn a_job_that_is_90_percent_complete_is_said_to_be() {
    let mut world = nodes(1).build();
    let victim = world.run(gang(1, 8).class("batch").estimate(minutes(100), minutes(100)).rung(
        Rung::Suspend,
        minutes(9),
        minutes(9),
    ));
    world.advance(minutes(90));
    let job = world.submit(urgent(1, 8));
    let reasons: Vec<String> = world.reasons(job).iter().map(Reason::to_string).collect();
    assert_eq!(
        reasons,
        ["needs 8 GPUs; 0 are free", "job 1 is not paused: it is 90 % complete, 10m are left"]
    );
    assert_eq!(world.word(victim), "running");
}

#[test]
fn costs_and_benefits_add_up() {
    let (world, victim, _) = being_suspended();
    let paused = world.pauses_of(victim).latest;
    // Eight GPUs, 20 seconds to save, 10 to restore, ten minutes to wait for the other.
    assert_eq!(paused.cost, 8 * seconds(30).0);
    let late = 8 * (seconds(30).0 + seconds(20).0 + minutes(10).0);
    assert_eq!(
        paused.costs,
        late * 100 / 800,
        "a GPU-hour of batch is an eighth of one of express"
    );
    let left = hours(20).0 - minutes(11).0;
    assert_eq!(paused.benefit, 8 * (left - seconds(20).0));
}

#[test]
fn idle_gpus_that_are_put_to_use_count_as_a_benefit() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 6));
    settle_in(&mut world);
    world.submit(urgent(1, 8));
    let paused = world.pauses_of(victim).latest;
    let saved = hours(20).0 - minutes(11).0 - seconds(20).0;
    assert_eq!(paused.benefit, 8 * saved + 2 * saved / 800);
}
