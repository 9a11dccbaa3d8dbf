//! What comes next for everybody at once: in the order of ranks, with who passes whom, and without
//! a trace.

use crate::support::*;

fn starts(world: &mut World) -> Vec<(JobId, Option<u64>)> {
    let outlook = world.engine.outlook(10);
    let start = |coming: &muster_engine::explain::Coming| {
        (coming.job, coming.expected.map(|at| at.0 / 60_000))
    };
    outlook.next.iter().map(start).collect()
}

#[test]
fn jobs_start_one_after_the_other_as_room_becomes_free() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let running = c.run(gang(1, 8).estimate(minutes(30), hours(1)).limit(hours(2)));
    let first = c.submit(gang(1, 8).estimate(minutes(10), minutes(20)));
    let second = c.submit(gang(1, 8).estimate(minutes(20), minutes(40)));
    assert_eq!(starts(&mut c), [(first, Some(30)), (second, Some(40))]);
    let outlook = c.engine.outlook(10);
    let [end] = outlook.ends.as_slice() else { panic!("one job runs: {outlook:?}") };
    assert_eq!((end.job, end.expected), (running, Time(30 * 60_000)));
    assert_eq!(end.latest, Some(Time(120 * 60_000)), "its limit");
    assert_eq!(outlook.more, 0);
}

#[test]
fn who_fits_beside_is_seen_to_pass_who_does_not() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    c.run(gang(1, 6).estimate(minutes(30), hours(1)));
    let large = c.submit(gang(1, 8).estimate(minutes(5), minutes(10)));
    let small = c.submit(gang(1, 4).estimate(hours(5), hours(9)));
    assert_eq!(starts(&mut c), [(large, Some(30)), (small, Some(35))]);
    let outlook = c.engine.outlook(1);
    assert_eq!(outlook.more, 1, "only so many are looked at: {outlook:?}");
}

#[test]
fn where_nobody_can_pass_each_start_is_the_one_that_the_job_itself_is_told() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    for length in [30, 45, 90] {
        c.run(gang(1, 8).estimate(minutes(length), minutes(2 * length)));
    }
    for length in [20, 30, 15, 50, 10] {
        c.submit(gang(1, 8).estimate(minutes(length), minutes(2 * length)));
    }
    let starts = starts(&mut c);
    assert_eq!(starts.len(), 5);
    for (job, foreseen) in starts {
        let told = c.why(job).estimated_start.map(|at| at.0 / 60_000);
        assert_eq!(foreseen, told, "job {job}");
    }
}

#[test]
fn nodes_that_are_held_for_a_gang_are_named() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(1, 8).estimate(minutes(30), hours(1)).limit(hours(1)));
    c.run(gang(1, 4).estimate(minutes(30), hours(1)).limit(hours(1)));
    let large = c.submit(gang(2, 8));
    let outlook = c.engine.outlook(10);
    let coming = outlook.next.iter().find(|coming| coming.job == large).expect("it waits");
    assert_eq!(coming.nodes.len(), 2, "where it would be: {coming:?}");
    assert!(coming.expected.is_some(), "{coming:?}");
    assert!(coming.latest >= coming.expected, "{coming:?}");
}

#[test]
fn looking_ahead_leaves_no_trace() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    c.run(gang(2, 8));
    for gpus in [1, 2, 4, 8] {
        c.submit(gang(1, gpus));
    }
    let before = c.engine.snapshot();
    let counts = c.engine.free_counts();
    c.engine.outlook(10);
    assert_eq!(c.engine.snapshot(), before);
    assert_eq!(c.engine.free_counts(), counts);
}
