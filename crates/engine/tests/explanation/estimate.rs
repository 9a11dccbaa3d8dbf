//! When a job will probably start: from predicted ends, after those ahead of it, and never "now"
//! for a job that cannot start now.

use crate::support::*;

fn one_node() -> World {
    cluster().nodes("n", 1, "H100x8").build()
}

fn expected(world: &mut World, job: JobId) -> Option<u64> {
    world.why(job).estimated_start.map(|at| at.0 / 1000)
}

#[test]
fn a_job_is_expected_when_what_runs_will_have_ended() {
    let cases = [
        ("by its estimate", gang(1, 8).estimate(minutes(30), hours(1)), 1800),
        ("by the default", gang(1, 8), 3600),
        ("by its limit", gang(1, 8).estimate(hours(2), hours(3)).limit(minutes(10)), 600),
    ];
    for (what, running, at) in cases {
        let mut c = one_node();
        c.run(running);
        let job = c.submit(gang(1, 1));
        assert_eq!(expected(&mut c, job), Some(at), "{what}");
    }
}

#[test]
fn the_expected_start_does_not_move_while_all_goes_as_predicted() {
    let mut c = one_node();
    c.run(gang(1, 8).estimate(minutes(30), hours(1)));
    let job = c.submit(gang(1, 1));
    for _ in 0..5 {
        assert_eq!(expected(&mut c, job), Some(1800));
        c.advance(minutes(5));
    }
}

#[test]
fn a_job_that_outruns_its_prediction_is_expected_to_go_on() {
    let mut c = one_node();
    c.run(gang(1, 8).estimate(minutes(30), hours(1)).limit(hours(2)));
    let job = c.submit(gang(1, 1));
    let mut before = 0;
    for minute in [30, 40, 60, 79] {
        c.advance_to(Time(minute * 60_000));
        let at = expected(&mut c, job).expect("its end is predicted");
        assert!(at > minute * 60, "never now: at minute {minute} expected at {at} s");
        assert!(at > before, "what has lasted lasts");
        assert!(at <= 7200, "and never beyond its limit");
        before = at;
    }
    c.advance_to(Time(110 * 60_000));
    assert_eq!(expected(&mut c, job), Some(7200), "its limit ends it");
}

#[test]
fn a_launching_job_is_expected_to_run_from_now_on() {
    let mut c = one_node();
    c.submit(gang(1, 8).estimate(minutes(30), hours(1)));
    let job = c.submit(gang(1, 1));
    c.advance(minutes(2));
    assert_eq!(expected(&mut c, job), Some(120 + 1800));
}

#[test]
fn a_stopping_job_is_expected_to_be_gone_after_its_grace() {
    let mut c = one_node();
    let running = c.run(gang(1, 8));
    let job = c.submit(gang(1, 1));
    c.advance(seconds(10));
    c.cancel(running);
    assert_eq!(expected(&mut c, job), Some(40));
}

#[test]
fn a_prediction_that_comes_in_later_counts() {
    let mut c = one_node();
    let running = c.run(gang(1, 8));
    let job = c.submit(gang(1, 1));
    c.estimated(running, minutes(5), minutes(9));
    assert_eq!(expected(&mut c, job), Some(300));
}

#[test]
fn a_gang_is_expected_when_enough_of_what_runs_will_have_ended() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    for minute in [30, 10, 20] {
        c.run(gang(1, 8).estimate(minutes(minute), hours(1)));
    }
    let sizes = [(1, 600), (2, 1200), (3, 1800)];
    for (nodes, at) in sizes {
        let job = c.submit(gang(nodes, 8));
        assert_eq!(expected(&mut c, job), Some(at), "{nodes} nodes");
        c.cancel(job);
    }
}

#[test]
fn a_required_level_delays_the_expected_start() {
    let mut c =
        cluster().levels(["rack"]).nodes("r1", 2, "H100x8").nodes("r2", 2, "H100x8").build();
    for minute in [10, 40, 20, 30] {
        c.run(gang(1, 8).estimate(minutes(minute), hours(1)));
    }
    let anywhere = c.submit(gang(2, 8));
    assert_eq!(expected(&mut c, anywhere), Some(1200), "r1-1 and r2-1");
    c.cancel(anywhere);
    let in_rack = c.submit(gang(2, 8).require("rack"));
    assert_eq!(expected(&mut c, in_rack), Some(1800), "r2 as a whole");
}

#[test]
fn jobs_ahead_are_let_in_first() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8).estimate(minutes(10), hours(1)));
    c.run(gang(1, 8).estimate(minutes(20), hours(1)));
    let first = c.submit(gang(1, 8));
    let second = c.submit(gang(1, 8));
    assert_eq!((expected(&mut c, first), expected(&mut c, second)), (Some(600), Some(1200)));
    let urgent = c.submit(gang(1, 8).class("express"));
    let order = [urgent, first].map(|job| expected(&mut c, job));
    assert_eq!(order, [Some(600), Some(1200)]);
}

#[test]
fn a_job_ahead_that_will_have_ended_is_not_in_the_way_for_ever() {
    let mut c = one_node();
    c.run(gang(1, 8).estimate(minutes(10), hours(1)));
    let first = c.submit(gang(1, 8).estimate(minutes(5), minutes(6)));
    let second = c.submit(gang(1, 8).estimate(minutes(7), minutes(9)));
    assert_eq!(expected(&mut c, first), Some(600));
    assert_eq!(expected(&mut c, second), Some(900), "when the first will have run");
}

#[test]
fn a_small_job_that_fits_beside_those_ahead_does_not_wait_for_them() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8).estimate(minutes(10), hours(1)));
    c.run(gang(1, 8).estimate(minutes(20), hours(1)));
    c.submit(gang(2, 8).class("express"));
    let small = c.submit(gang(1, 1));
    assert_eq!(expected(&mut c, small), Some(600));
}

#[test]
fn a_job_at_its_limit_is_expected_when_its_queue_will_have_room() {
    let mut c = cluster().queue(queue("default").limit(quota(8))).nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8).estimate(minutes(10), hours(1)));
    let job = c.submit(gang(1, 8));
    assert_eq!(c.codes(job), ["queue-limit"]);
    assert_eq!(expected(&mut c, job), Some(600), "GPUs are free now, but not for this queue");
}

#[test]
fn a_job_behind_a_blocking_head_is_not_expected_now() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.order = Order::Fifo).build();
    c.run(gang(1, 4).estimate(minutes(10), hours(1)));
    c.submit(gang(1, 8).estimate(minutes(5), minutes(6)));
    let behind = c.submit(gang(1, 4));
    assert_eq!(c.codes(behind), ["behind"]);
    assert_ne!(expected(&mut c, behind), Some(0));
}

#[test]
fn an_impossible_job_is_not_expected_at_all() {
    let mut c = one_node();
    let job = c.submit(gang(1, 16));
    assert_eq!(expected(&mut c, job), None);
}

#[test]
fn a_waiting_job_is_expected_when_what_it_waits_for_will_have_happened() {
    let mut c = one_node();
    let running = c.run(gang(1, 1).estimate(minutes(10), hours(1)));
    let kind = DependencyKind::AfterAny;
    let cases = [
        ("its begin", gang(1, 1).begin(Time(60_000)), Some(60)),
        ("another's end", gang(1, 1).after(running, kind), Some(600)),
        ("the later of both", gang(1, 1).after(running, kind).begin(Time(900_000)), Some(900)),
        ("its release, which nobody knows", gang(1, 1).hold(), None),
    ];
    for (what, spec, at) in cases {
        let job = c.submit(spec);
        assert_eq!(expected(&mut c, job), at, "{what}");
    }
}

#[test]
fn a_throttled_element_is_not_expected_now() {
    let mut c = one_node();
    let spec = gang(1, 1).array([0, 1]).throttle(1).estimate(minutes(10), minutes(12));
    let array = c.submit(spec);
    c.confirm(JobId(array.0 + 1));
    let second = JobId(array.0 + 2);
    assert_eq!(c.codes(second), ["throttle"]);
    assert_ne!(expected(&mut c, second), Some(0), "its place is taken for ten minutes");
}
