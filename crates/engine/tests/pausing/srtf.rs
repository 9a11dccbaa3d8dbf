//! Shortest remaining time first: who has less to run takes the place of who has the most, and
//! nothing else is weighed.

use super::support::*;
use crate::support::*;

/// Nodes under the baseline, with nobody left alone for having started or been paused.
pub(super) fn under(order: Order, count: u32) -> Setup {
    nodes(count).policy(|policy| {
        policy.order = order;
        policy.pausing.run_min = Millis::ZERO;
        policy.pausing.interval = Millis::ZERO;
        policy.pausing.overhead_ppm = 1_000_000;
        policy.floor.share_ppm = 0;
    })
}

/// A job that runs for just so long, and can be suspended within a second.
pub(super) fn exact(gpus: u32, span: Millis) -> JobSpec {
    gang(1, gpus).estimate(span, span).rung(Rung::Suspend, seconds(1), seconds(1))
}

/// What becomes of a job of so many hours that has run for some minutes, when one comes that runs
/// for so many minutes.
fn met_by(running: Millis, ran: Millis, comes: Millis) -> &'static str {
    let mut world = under(Order::Srtf, 1).build();
    let first = world.run(exact(8, running));
    world.advance(ran);
    world.submit(exact(8, comes));
    world.word(first)
}

#[test]
fn who_has_less_left_to_run_goes_first_by_however_little() {
    let table = [
        (hours(10), Millis::ZERO, hours(1), "pausing"),
        (hours(10), Millis::ZERO, Millis(hours(10).0 - 1), "pausing"),
        (hours(10), Millis::ZERO, hours(10), "running"),
        (hours(10), Millis::ZERO, hours(11), "running"),
        // Two hours are left of ten.
        (hours(10), hours(8), hours(3), "running"),
        (hours(10), hours(8), hours(2), "running"),
        (hours(10), hours(8), minutes(119), "pausing"),
        // A job that outlasts its estimate is about to end.
        (hours(1), hours(3), minutes(1), "running"),
        (hours(1), hours(3), Millis(1), "running"),
    ];
    for (running, ran, comes, word) in table {
        assert_eq!(met_by(running, ran, comes), word, "{running} after {ran}, {comes} comes");
    }
}

#[test]
fn gpus_do_not_count_only_time_does() {
    let mut world = under(Order::Srtf, 1).build();
    let narrow = world.run(exact(1, hours(2)));
    let wide = world.submit(exact(8, hours(1)));
    assert_eq!(world.victims_of(wide), [narrow]);
}

#[test]
fn of_those_who_run_who_has_the_longest_to_run_gives_way() {
    let mut world = under(Order::Srtf, 4).build();
    let jobs = [3, 9, 5, 7].map(|span| world.run(exact(8, hours(span))));
    let first = world.submit(exact(8, hours(1)));
    let second = world.submit(exact(8, hours(2)));
    assert_eq!(world.victims_of(first), [jobs[1]]);
    assert_eq!(world.victims_of(second), [jobs[3]]);
}

#[test]
fn it_is_found_among_many_nodes_on_which_less_would_have_to_be_taken() {
    let mut world = under(Order::Srtf, 9).build();
    for node in 1..=8 {
        let here = nodes_where(&format!("@n-{node}"));
        world.run(exact(4, hours(5)).only_on(here));
    }
    let longest = world.run(exact(8, hours(20)));
    let job = world.submit(exact(8, hours(1)));
    assert_eq!(world.victims_of(job), [longest]);
}

#[test]
fn on_one_node_those_with_the_longest_to_run_give_way_together() {
    let mut world = under(Order::Srtf, 1).build();
    let jobs = [3, 9, 5, 7].map(|span| world.run(exact(2, hours(span))));
    let job = world.submit(exact(4, hours(1)));
    assert_eq!(world.victims_of(job), [jobs[1], jobs[3]]);
}

#[test]
fn a_gang_takes_the_nodes_of_those_with_the_longest_to_run() {
    let mut world = under(Order::Srtf, 4).build();
    let jobs = [3, 9, 5, 7].map(|span| world.run(exact(8, hours(span))));
    let job = world.submit(gang(2, 8).estimate(hours(1), hours(1)));
    assert_eq!(world.victims_of(job), [jobs[1], jobs[3]]);
}

#[test]
fn who_came_last_of_equals_gives_way() {
    let mut world = under(Order::Srtf, 3).build();
    let jobs = [(); 3].map(|()| world.run(exact(8, hours(3))));
    let job = world.submit(exact(8, hours(1)));
    assert_eq!(world.victims_of(job), [jobs[2]]);
}

#[test]
fn a_pause_that_is_not_worth_it_is_made_all_the_same() {
    // All but a minute of it is done, and coming back takes an hour.
    let spec = |span| gang(1, 8).estimate(span, span).rung(Rung::Suspend, seconds(1), hours(1));
    let outcome = |order: Order| {
        let mut world = under(order, 1).build();
        let victim = world.run(spec(hours(10)));
        world.advance(Millis(hours(10).0 - minutes(1).0));
        let job = world.submit(spec(seconds(30)));
        (world.word(victim), spared(&mut world, job).is_some())
    };
    assert_eq!(outcome(Order::Srtf), ("pausing", false));
    assert_eq!(outcome(Order::Muster), ("running", true));
}

#[test]
fn unsaved_work_spares_nobody_who_allows_to_be_ended() {
    let spec = gang(1, 8).rung(Rung::Requeue, Millis::ZERO, seconds(1));
    let outcome = |order: Order| {
        let mut world = under(order, 1).build();
        let victim = world.run(spec.clone().estimate(hours(30), hours(30)));
        world.advance(hours(10));
        world.submit(spec.clone().estimate(hours(1), hours(1)));
        world.word(victim)
    };
    assert_eq!(outcome(Order::Srtf), "stopping");
    assert_eq!(outcome(Order::Muster), "running");
}

#[test]
fn the_cost_is_paid_and_told() {
    let mut world = under(Order::Srtf, 1).build();
    let victim = world.run(exact(8, hours(10)));
    world.submit(exact(1, hours(9)));
    let latest = world.pauses_of(victim).latest;
    assert_eq!(latest.cost, 8 * seconds(2).0);
    assert!(latest.costs > latest.benefit, "eight GPUs are nine hours late for one");
}

#[test]
fn who_is_left_alone_by_policy_is_left_alone_and_then_looked_at() {
    let setup = under(Order::Srtf, 1).policy(|policy| policy.pausing.run_min = minutes(10));
    let mut world = setup.build();
    let victim = world.run(exact(8, hours(10)));
    let job = world.submit(exact(8, hours(1)));
    let until = world.now() + minutes(10);
    assert_eq!(spared(&mut world, job), Some((victim, Spared::JustStarted { until })));
    world.advance(minutes(10));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn contracts_guarantees_and_classes_still_hold() {
    let setup = || under(Order::Srtf, 1).queue(queue("a").guarantee(quota(8))).queue(queue("b"));
    let table = [
        ("no contract", exact(8, hours(9)).queue("b"), gang(1, 8), "pausing"),
        ("no contract", gang(1, 8).queue("b").estimate(hours(9), hours(9)), gang(1, 8), "running"),
        ("guaranteed", exact(8, hours(9)).queue("a"), gang(1, 8), "running"),
        ("higher class", exact(8, hours(9)).queue("b").class("express"), gang(1, 8), "running"),
        (
            "lower class, though it is shorter",
            exact(8, minutes(1)).queue("b"),
            gang(1, 8).class("express"),
            "pausing",
        ),
    ];
    for (name, running, comes, word) in table {
        let mut world = setup().build();
        let victim = world.run(running);
        world.submit(comes.queue("b").estimate(minutes(30), minutes(30)));
        assert_eq!(world.word(victim), word, "{name}");
    }
}

#[test]
fn an_estimate_that_grows_is_noticed_by_those_who_wait() {
    let mut world = under(Order::Srtf, 1).build();
    let victim = world.run(exact(8, hours(1)));
    let job = world.submit(exact(8, hours(2)));
    assert_eq!(world.plan_of(job), None);
    world.estimated(victim, hours(5), hours(5));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn an_estimate_that_shrinks_lets_a_waiting_job_look_again() {
    let mut world = under(Order::Srtf, 1).build();
    let victim = world.run(exact(8, hours(2)));
    let job = world.submit(exact(8, hours(5)));
    assert_eq!(world.plan_of(job), None);
    world.estimated(job, hours(1), hours(1));
    assert_eq!(world.victims_of(job), [victim]);
}

#[test]
fn those_who_wait_go_in_order_of_what_is_left_and_the_head_blocks_nobody() {
    let mut world = under(Order::Srtf, 1).build();
    let first = world.run(gang(1, 4));
    let wide = world.submit(gang(1, 8).estimate(minutes(1), minutes(1)));
    let narrow = world.submit(gang(1, 4).estimate(hours(9), hours(9)));
    assert_eq!((world.word(wide), world.word(narrow)), ("queued", "launching"));
    world.confirm(narrow);
    let other = world.submit(gang(1, 8).estimate(seconds(30), seconds(30)));
    world.finish(first);
    world.finish(narrow);
    assert_eq!((world.word(wide), world.word(other)), ("queued", "launching"));
}

#[test]
fn what_a_requeued_job_has_run_counts_as_done() {
    let setup = under(Order::Srtf, 1);
    let mut world = setup.build();
    let long = world.run(exact(8, hours(10)).rung(Rung::Checkpoint, seconds(1), seconds(1)));
    world.advance(hours(8));
    world.requeue(long);
    let other = world.submit(exact(8, hours(3)));
    world.stopped(long);
    assert_eq!((world.word(long), world.word(other)), ("launching", "queued"), "two hours left");
}

#[test]
fn a_late_gang_takes_from_nobody_that_ranks_before_it() {
    // Its reservation slips again and again, for what runs there outlasts every estimate.
    let setup = under(Order::Srtf, 2).reservations(1, 16);
    let mut world = setup.policy(|policy| policy.reservations.slips_max = 1).build();
    let jobs = [(); 2].map(|()| world.run(exact(8, minutes(10))));
    let gang = world.submit(gang(2, 8).estimate(hours(20), hours(20)));
    world.advance(hours(19));
    assert_eq!(world.snapshot().late, [gang], "its reservation is given up");
    assert_eq!((jobs.map(|job| world.word(job)), world.plan_of(gang)), (["running"; 2], None));
}
