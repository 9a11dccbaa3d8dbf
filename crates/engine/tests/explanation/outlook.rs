//! What comes next for everybody at once: in the order of ranks, with who passes whom, and without
//! a trace.

use muster_engine::explain::Coming;
use proptest::prelude::*;

use crate::support::*;

fn starts(world: &mut World) -> Vec<(JobId, Option<u64>)> {
    let outlook = world.engine.outlook(10);
    let start = |coming: &Coming| (coming.job, coming.expected.map(|at| at.0 / 60_000));
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

/// What the outlook says of a job.
fn coming(world: &mut World, job: JobId) -> Coming {
    let outlook = world.engine.outlook(10);
    let found = outlook.next.into_iter().find(|coming| coming.job == job);
    found.unwrap_or_else(|| panic!("job {job} does not wait for room"))
}

fn names(world: &World, nodes: &[NodeId]) -> Vec<String> {
    let name = |node: &NodeId| world.engine.node_spec(*node).expect("it is known").name.to_string();
    nodes.iter().map(name).collect()
}

#[test]
fn a_gang_is_told_where_it_will_be_and_which_nodes_are_reserved_for_it() {
    let mut c = cluster().nodes("n", 3, "H100x8").reservations(1, 8).without_pausing().build();
    c.run(gang(1, 8).estimate(minutes(30), hours(1)).limit(hours(1)));
    c.run(gang(1, 4).estimate(minutes(30), hours(1)).limit(hours(1)));
    c.run(gang(1, 8).estimate(hours(9), hours(10)).limit(hours(10)));
    let large = c.submit(gang(2, 8));
    let coming = coming(&mut c, large);
    assert_eq!(names(&c, &coming.nodes), ["n-1", "n-2"]);
    assert_eq!(names(&c, &coming.held), ["n-1", "n-2"], "a reservation");
    assert_eq!(coming.held_since, Some(c.now()));
    assert!(!coming.is_starving);
    assert_eq!(coming.expected, Some(Time(30 * 60_000)));
    assert!(coming.latest >= coming.expected, "{coming:?}");
}

#[test]
fn who_starts_in_a_gap_that_is_too_small_for_one_ahead_is_told_to_pass_it() {
    let mut c = cluster().nodes("n", 2, "H100x8").without_pausing().build();
    c.run(gang(1, 8).estimate(minutes(30), hours(1)));
    c.run(gang(1, 8).estimate(minutes(60), hours(2)));
    let never = c.submit(gang(9, 8));
    let large = c.submit(gang(2, 8).estimate(minutes(5), minutes(10)));
    let small = c.submit(gang(1, 8).estimate(minutes(20), minutes(40)));
    let last = c.submit(gang(2, 8).estimate(minutes(20), minutes(40)));
    assert_eq!(coming(&mut c, small).expected, Some(Time(30 * 60_000)));
    assert_eq!(coming(&mut c, small).passes, Some(large), "not {never}, which everybody passes");
    assert_eq!(coming(&mut c, large).passes, None, "nobody ahead of it will start");
    assert_eq!(coming(&mut c, last).passes, None, "it waits for its turn");
}

#[test]
fn nodes_that_are_held_for_who_has_waited_too_long_are_told_apart() {
    let mut c = cluster()
        .nodes("n", 2, "H100x8")
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .without_pausing()
        .build();
    for _ in 0..2 {
        c.run(gang(1, 4).class("express").limit(hours(10)));
    }
    let wide = c.submit(gang(2, 8).class("batch"));
    assert!(!coming(&mut c, wide).is_starving, "not yet");
    c.advance(hours(1));
    let coming = coming(&mut c, wide);
    assert!(coming.is_starving, "{coming:?}");
    assert_eq!(names(&c, &coming.held), ["n-1", "n-2"]);
}

#[test]
fn who_waits_for_something_else_than_room_is_not_in_line() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let running = c.run(gang(1, 8).estimate(minutes(30), hours(1)));
    let held = c.submit(gang(1, 1).hold());
    let later = c.submit(gang(1, 1).begin(Time(3_600_000)));
    let after = c.submit(gang(1, 1).after(running, DependencyKind::AfterOk));
    let queued = c.submit(gang(1, 1));
    let waiting: Vec<JobId> = c.engine.outlook(10).next.iter().map(|it| it.job).collect();
    assert_eq!(waiting, [queued], "not {held}, {later} or {after}");
}

#[test]
fn a_limit_of_the_queue_puts_a_start_off_until_the_queue_has_room() {
    let mut c = cluster().nodes("n", 2, "H100x8").queue(queue("small").limit(quota(4))).build();
    c.run(gang(1, 4).queue("small").estimate(minutes(50), hours(2)));
    let kept = c.submit(gang(1, 4).queue("small"));
    let coming = coming(&mut c, kept);
    assert_eq!(coming.expected, Some(Time(50 * 60_000)), "though twelve GPUs are free");
    assert_eq!(coming.latest, None, "the floor holds nodes, not quota");
}

#[test]
fn a_stopping_job_is_gone_after_its_grace_and_a_running_one_by_its_limit() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let stopping = c.run(gang(1, 8).estimate(hours(5), hours(9)));
    let endless = c.run(gang(1, 8).estimate(hours(5), hours(9)));
    c.cancel(stopping);
    let grace = c.engine.cluster().policy.stop_grace;
    let outlook = c.engine.outlook(10);
    let end = |job: JobId| outlook.ends.iter().find(|end| end.job == job).expect("it runs");
    assert_eq!(end(stopping).expected, c.now() + grace);
    assert_eq!(end(endless).expected, Time(5 * 3_600_000));
    assert_eq!(end(endless).latest, None, "it named no limit");
}

#[test]
fn who_has_no_line_is_foreseen_as_soon_as_it_is_released() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    c.run(gang(1, 8).estimate(minutes(30), hours(1)));
    let held = c.submit(gang(1, 8).hold());
    assert_eq!(starts(&mut c), []);
    c.tell(Command::Release { job: held });
    assert_eq!(starts(&mut c), [(held, Some(30))]);
    c.tell(Command::Hold { job: held });
    assert_eq!(starts(&mut c), [], "and no longer once it is held again");
}

#[test]
fn what_will_never_fit_has_no_start() {
    let mut c = cluster().nodes("n", 1, "H100x8").build();
    let impossible = c.submit(gang(3, 8));
    assert_eq!(coming(&mut c, impossible).expected, None);
    assert_eq!(coming(&mut c, impossible).nodes, []);
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

/// What runs on four GPUs each, by its length in minutes, who waits, by GPUs and length, and when
/// each of those is foreseen.
#[test]
fn starts_follow_from_the_lengths_of_what_runs_and_of_what_starts_before() {
    type Row<'a> = (&'a str, &'a [u64], &'a [(u32, u64)], &'a [Option<u64>]);
    let table: [Row<'_>; 6] = [
        ("one end is enough", &[10, 20], &[(4, 5)], &[Some(10)]),
        ("two ends are needed", &[10, 20], &[(8, 5)], &[Some(20)]),
        ("each end lets one in", &[10, 20], &[(4, 50), (4, 50)], &[Some(10), Some(20)]),
        ("who was let in ends too", &[10, 90], &[(4, 5), (4, 6)], &[Some(10), Some(15)]),
        ("a whole node after all", &[10, 20], &[(4, 5), (8, 50)], &[Some(10), Some(20)]),
        ("nothing runs for ever", &[10, 20], &[(9, 5)], &[None]),
    ];
    for (what, running, waiting, expected) in table {
        let mut c = cluster().nodes("n", 1, "H100x8").without_pausing().build();
        for length in running {
            c.run(gang(1, 4).estimate(minutes(*length), minutes(2 * length)));
        }
        let submitted: Vec<JobId> = waiting
            .iter()
            .map(|(gpus, length)| {
                c.submit(gang(1, *gpus).estimate(minutes(*length), minutes(2 * length)))
            })
            .collect();
        let starts = starts(&mut c);
        let found = submitted.iter().map(|job| starts.iter().find(|(of, _)| of == job));
        let found: Vec<Option<u64>> = found.map(|start| start.and_then(|(_, at)| *at)).collect();
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn who_runs_on_held_gpus_is_told_to_give_way_for_as_long_as_they_are_held() {
    let mut c = cluster().nodes("n", 2, "H100x8").reservations(4, 16).build();
    let soon = c.run(gang(1, 8).estimate(minutes(30), minutes(31)));
    let later = c.run(gang(1, 8).estimate(hours(2), minutes(121)));
    let large = c.submit(gang(2, 8).estimate(hours(1), hours(2)));
    c.finish(soon);
    let filler = c.run(gang(1, 8).class("preemptible"));
    let gives_way = |c: &mut World, job: JobId| {
        let outlook = c.engine.outlook(10);
        let end = outlook.ends.iter().find(|end| end.job == job);
        end.expect("it runs").gives_way
    };
    assert_eq!(coming(&mut c, large).held_since, Some(Time(0)));
    assert!(gives_way(&mut c, filler), "it was let onto nodes that are held for {large}");
    assert!(!gives_way(&mut c, later), "the gang waits for this one");
    c.cancel(large);
    assert!(!gives_way(&mut c, filler), "nothing is held any more");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What runs, by GPUs and minutes, and who waits, by tasks, GPUs of each and minutes.
    #[test]
    fn whoever_is_passed_starts_later(
        running in prop::collection::vec((1u32..=8, 1u64..120), 0..6),
        waiting in prop::collection::vec((1u32..=4, 1u32..=8, 1u64..120), 1..8),
    ) {
        let mut c = cluster().nodes("n", 3, "H100x8").reservations(2, 16).build();
        for (gpus, length) in running {
            c.submit(gang(1, gpus).estimate(minutes(length), minutes(2 * length)));
        }
        for (tasks, gpus, length) in waiting {
            c.submit(gang(tasks, gpus).estimate(minutes(length), minutes(2 * length)));
        }
        let next = c.engine.outlook(20).next;
        for coming in &next {
            let Some(passed) = coming.passes else { continue };
            let other = next.iter().find(|other| other.job == passed).expect("it waits as well");
            prop_assert!(coming.expected.is_some(), "who passes starts: {coming:?}");
            prop_assert!(
                other.expected.is_none_or(|at| Some(at) > coming.expected),
                "{coming:?} passes {other:?}"
            );
        }
    }
}
