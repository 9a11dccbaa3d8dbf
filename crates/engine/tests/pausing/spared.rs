//! Everyone who is not asked to give way, and why: often the answer is "don't".

use super::support::*;
use crate::support::*;

/// Asserts that a newcomer takes nothing from anyone, and what it is told about whom.
#[track_caller]
fn is_spared(world: &mut World, victim: JobId, newcomer: JobSpec, why: Spared) {
    let actions = world.submit_and_see(newcomer);
    let job = last(world);
    assert!(!takes_something(&actions), "{actions:?}");
    assert_eq!(world.word(victim), "running");
    assert_eq!(world.plan_of(job), None);
    assert_eq!(spared(world, job), Some((victim, why)));
}

/// The job that was submitted last.
fn last(world: &World) -> JobId {
    world.snapshot().jobs.last().expect("a job was submitted").id
}

/// A short job of the class of trainers.
fn short(tasks: u32, gpus: u32) -> JobSpec {
    gang(tasks, gpus).class("batch").estimate(minutes(10), minutes(12))
}

#[test]
fn a_job_that_has_just_started_is_left_alone_for_ten_minutes() {
    let mut world = nodes(1).build();
    let victim = world.run(trainer(1, 8));
    world.advance(Millis(minutes(10).0 - 1));
    let until = Time(minutes(10).0);
    is_spared(&mut world, victim, urgent(1, 8), Spared::JustStarted { until });
    world.advance(Millis(1));
    assert_eq!(world.word(victim), "pausing", "it is then asked without anyone coming anew");
}

#[test]
fn the_time_a_job_is_left_alone_is_policy() {
    let setup = nodes(1).policy(|policy| policy.pausing.run_min = minutes(45));
    let mut world = setup.build();
    let victim = world.run(trainer(1, 8));
    world.advance(minutes(44));
    world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "running");
    world.advance(minutes(1));
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn a_job_is_not_paused_twice_within_half_an_hour() {
    let (mut world, victim, job) = taken_over();
    let paused = world.pauses_of(victim).latest.at;
    world.finish(job);
    world.come_back(victim);
    settle_in(&mut world);
    let until = paused + minutes(30);
    is_spared(&mut world, victim, urgent(1, 8), Spared::Lately { until });
    world.advance_to(until);
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn a_job_near_its_end_is_left_to_finish() {
    let spec = gang(1, 8).class("batch").estimate(hours(10), hours(10)).rung(
        Rung::Suspend,
        minutes(5),
        minutes(5),
    );
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    world.advance(minutes(591));
    let left = minutes(9);
    let why = Spared::NearEnd { done_ppm: 985_000, left };
    is_spared(&mut world, victim, urgent(1, 8), why);
}

#[test]
fn a_job_with_more_left_than_a_pause_costs_is_paused() {
    let spec = gang(1, 8).class("batch").estimate(hours(10), hours(10)).rung(
        Rung::Suspend,
        minutes(5),
        minutes(5),
    );
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    // What is left must also be worth the wait: an hour is, against a job of a few minutes.
    world.advance(hours(9));
    world.submit(gang(1, 8).class("express").estimate(minutes(5), minutes(6)));
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn a_job_that_would_lose_too_much_unsaved_work_is_left_alone() {
    let spec = stubborn(1, 8).rung(Rung::Requeue, seconds(1), seconds(10));
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    let lost = minutes(31);
    world.advance(lost);
    is_spared(&mut world, victim, urgent(1, 8), Spared::Unsaved { lost });
}

#[test]
fn a_job_that_saves_is_judged_by_what_it_did_since() {
    let spec = stubborn(1, 8).rung(Rung::Requeue, seconds(1), seconds(10));
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    world.advance(hours(2));
    world.saved(victim);
    world.advance(minutes(29));
    world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "stopping");
}

#[test]
fn a_waiting_job_learns_of_a_save_that_makes_another_cheap_to_end() {
    let spec = stubborn(1, 8).rung(Rung::Requeue, seconds(1), seconds(10));
    let mut world = nodes(1).build();
    let victim = world.run(spec);
    world.advance(hours(2));
    world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "running", "two hours would be lost");
    world.saved(victim);
    assert_eq!(world.word(victim), "stopping");
}

#[test]
fn a_job_that_allows_nothing_is_not_paused_for_class_or_rank() {
    let (mut world, victim) = one_running(nodes(1), stubborn(1, 8));
    let job = world.submit(urgent(1, 8));
    assert_eq!(world.word(victim), "running");
    assert_eq!(spared(&mut world, job), None, "that goes without saying");
}

#[test]
fn what_a_queue_is_guaranteed_is_not_taken_by_a_higher_class() {
    let setup = nodes(1).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("a"));
    is_spared(&mut world, victim, urgent(1, 8).queue("b"), Spared::Guaranteed);
}

#[test]
fn part_of_a_guarantee_is_not_taken_either() {
    // Without its eight GPUs the queue would have none of the four it is guaranteed.
    let setup = nodes(1).queue(queue("a").guarantee(quota(4))).queue(queue("b"));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("a"));
    is_spared(&mut world, victim, urgent(1, 8).queue("b"), Spared::Guaranteed);
}

#[test]
fn within_its_own_queue_a_higher_class_takes_what_is_guaranteed() {
    let setup = nodes(1).queue(queue("a").guarantee(quota(8)));
    let (mut world, victim) = one_running(setup, trainer(1, 8).queue("a"));
    world.submit(urgent(1, 8).queue("a"));
    assert_eq!(world.word(victim), "pausing");
}

#[test]
fn a_job_of_the_same_class_must_have_less_than_half_the_service_left() {
    let table = [
        ("a tenth", hours(2), true),
        ("a little less than half", minutes(540), true),
        ("more than half", minutes(700), false),
        ("as much", hours(20), false),
        ("more", hours(30), false),
    ];
    for (name, estimate, is_paused) in table {
        // Exactly predicted, so that ranks are what is left to do, and judged when it may be.
        let mut world = nodes(1).policy(|policy| policy.pausing.run_min = Millis(1)).build();
        let exact = |spec: JobSpec, median: Millis| spec.class("batch").estimate(median, median);
        let victim =
            world.run(exact(gang(1, 8), hours(20)).rung(Rung::Suspend, seconds(20), seconds(10)));
        world.advance(minutes(2));
        let job = world.submit(exact(gang(1, 8), estimate));
        let found = world.word(victim) == "pausing";
        assert_eq!(found, is_paused, "{name}: {:?}", world.codes(job));
    }
}

#[test]
fn a_users_weight_counts_in_doublings_for_both() {
    let outcome = |of_victim: i8, of_newcomer: i8| {
        let (mut world, victim) = one_running(nodes(1), trainer(1, 8).weight(of_victim));
        let newcomer = gang(1, 8).class("batch").estimate(hours(12), hours(14));
        world.submit(newcomer.weight(of_newcomer));
        world.word(victim)
    };
    assert_eq!(outcome(0, 0), "running", "twelve hours are no half of twenty");
    assert_eq!(outcome(0, 2), "pausing");
    assert_eq!(outcome(-2, 0), "pausing");
    assert_eq!(outcome(2, 2), "running");
}

#[test]
fn a_job_is_not_paused_for_a_lower_class_however_short() {
    let (mut world, victim) = one_running(nodes(1), trainer(1, 8).class("express"));
    is_spared(&mut world, victim, short(1, 8), Spared::Rank);
}

#[test]
fn a_pause_that_costs_more_than_it_brings_is_not_worth_it() {
    // The newcomer would run much longer than what it waits for.
    let mut world = nodes(1).build();
    let victim = world.run(gang(1, 8).class("standard").estimate(minutes(30), minutes(30)).rung(
        Rung::Suspend,
        seconds(20),
        seconds(10),
    ));
    world.advance(minutes(11));
    let actions = world.submit_and_see(gang(1, 8).class("express").estimate(hours(20), hours(20)));
    assert!(!takes_something(&actions));
    let job = last(&world);
    let Some((spared, Spared::Cost { cost, benefit })) = spared(&mut world, job) else {
        panic!("{:?}", world.reasons(job));
    };
    assert_eq!(spared, victim);
    assert!(cost > benefit, "{cost} against {benefit}");
}

#[test]
fn the_benefit_must_exceed_the_cost_by_the_margin() {
    // Nineteen minutes are saved for a job of thirteen: worth it, but by less than half.
    let outcome = |margin_ppm: u32| {
        let setup = nodes(1).policy(|policy| policy.pausing.margin_ppm = margin_ppm);
        let mut world = setup.build();
        let spec = gang(1, 8).class("express").estimate(minutes(30), minutes(30));
        let victim = world.run(spec.rung(Rung::Suspend, seconds(20), seconds(10)));
        world.advance(minutes(11));
        world.submit(gang(1, 8).class("reserved").estimate(minutes(14), minutes(14)));
        world.word(victim)
    };
    assert_eq!(outcome(100_000), "pausing");
    assert_eq!(outcome(1_000_000), "running");
}

#[test]
fn a_job_whose_launch_was_refused_evicts_nobody() {
    let (mut world, victim) = one_running(nodes(2), trainer(1, 8));
    let job = world.submit(urgent(1, 8));
    let place = world.nodes_of(job)[0].clone();
    world.refuse_because(job, &place, Refusal::Job("no-such-folder".into()));
    let other = world.submit(stubborn(1, 8));
    world.confirm(other);
    world.advance(minutes(1));
    assert_eq!((world.word(job), world.word(victim)), ("queued", "running"));
    assert_eq!(world.plan_of(job), None);
}

#[test]
fn a_job_that_crashed_evicts_nobody_when_it_is_started_again() {
    let setup = nodes(2).policy(|policy| policy.failures.crashes = 1);
    let (mut world, victim) = one_running(setup, trainer(1, 8));
    let again = muster_model::Requeue { when_lost: true, when_failed: true, most: 9 };
    let job = world.run(urgent(1, 8).requeue(again));
    world.end(job, Exit::Code(1));
    let other = world.submit(stubborn(1, 8));
    world.confirm(other);
    world.advance(minutes(1));
    assert_eq!((world.word(job), world.word(victim)), ("queued", "running"));
    assert_eq!(world.plan_of(job), None, "a crash loop must not evict others");
}

#[test]
fn a_job_out_of_sight_is_not_asked() {
    let (mut world, victim) = one_running(nodes(2), trainer(2, 8));
    world.lose("n-2", minutes(30));
    let job = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.word(job)), ("running", "queued"));
    assert_eq!(world.plan_of(job), None);
}

#[test]
fn jobs_that_are_starting_or_stopping_are_not_asked() {
    let mut world = nodes(1).build();
    let victim = world.submit(filler(1, 8));
    let first = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.word(first)), ("launching", "queued"));
    world.confirm(victim);
    assert_eq!(world.word(victim), "stopping", "a filler gives way as soon as it runs");
    let second = world.submit(urgent(1, 8));
    assert_eq!(world.plan_of(second), None);
}

#[test]
fn where_pausing_is_off_nobody_is_ever_asked() {
    let (mut world, victim) = one_running(nodes(1).without_pausing(), trainer(1, 8));
    let second = world.submit(urgent(1, 8));
    assert_eq!((world.word(victim), world.word(second)), ("running", "queued"));
    assert_eq!(world.codes(second), ["gpus"]);
}

#[test]
fn policies_without_ranks_pause_nobody() {
    for order in [Order::Fifo, Order::Sjf, Order::Fair] {
        let setup = nodes(1).policy(|policy| policy.order = order);
        let (mut world, victim) = one_running(setup, trainer(1, 8));
        world.submit(urgent(1, 8));
        assert_eq!(world.word(victim), "running", "{order:?}");
    }
}

#[test]
fn what_a_pause_costs_counts_as_service_of_the_one_it_is_for() {
    // Nine hours are less than half of twenty, but not with three and a half to come back.
    let outcome = |restore: Millis| {
        let mut world = nodes(1).policy(|policy| policy.pausing.run_min = Millis(1)).build();
        let exact = |spec: JobSpec, median: Millis| spec.class("batch").estimate(median, median);
        let victim =
            world.run(exact(gang(1, 8), hours(20)).rung(Rung::Suspend, minutes(9), restore));
        world.advance(minutes(2));
        let job = world.submit(exact(gang(1, 8), hours(9)));
        (world.word(victim), spared(&mut world, job))
    };
    assert_eq!(outcome(seconds(10)), ("pausing", None));
    assert_eq!(outcome(minutes(200)), ("running", Some((JobId(1), Spared::Rank))));
}
