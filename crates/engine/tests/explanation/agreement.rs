//! One future: what a job is told of its start is what the plan of all says of it at the same
//! moment, whatever the policy, and where nothing intervenes it comes true to the end.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::random::scenes;
use crate::support::*;

/// More than any scenario has jobs.
const ALL: usize = 200;

/// The same scenes in every run: what fails once fails until it is mended.
fn always_the_same() -> ProptestConfig {
    ProptestConfig {
        cases: 160,
        rng_seed: RngSeed::Fixed(11),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Each start of the plan with the one that the job itself is told; how many are foreseen.
fn agree(world: &mut World) -> usize {
    let next = world.engine.outlook(ALL).next;
    for coming in &next {
        let why = world.why(coming.job);
        let told = (why.estimated_start, why.latest_start, why.reasons.first());
        let planned = (coming.expected, coming.latest, coming.reason.as_ref());
        assert_eq!(told, planned, "job {} is told otherwise than the plan says", coming.job);
    }
    next.iter().filter(|coming| coming.expected.is_some()).count()
}

/// Runs for so many minutes, or is thought to.
fn lasting(spec: JobSpec, length: u64) -> JobSpec {
    spec.estimate(minutes(length), minutes(2 * length))
}

/// Four nodes that are in use for half an hour, an hour and so on.
fn busy(setup: Setup) -> World {
    let mut world = setup.nodes("n", 4, "H100x8").without_pausing().build();
    for half_hours in 1..=4 {
        world.run(lasting(gang(1, 8), 30 * half_hours).limit(hours(4)));
    }
    world
}

#[test]
fn who_is_backfilled_behind_a_gang_puts_it_off_for_the_plan_and_for_itself() {
    let mut c = busy(cluster());
    let large = c.submit(lasting(gang(4, 8), 1000));
    for _ in 0..4 {
        c.submit(lasting(gang(1, 8), 600).class("batch"));
    }
    assert_eq!(agree(&mut c), 5);
    let told = c.why(large).estimated_start;
    assert!(told > Some(Time(120 * 60_000)), "when only the gang is looked at: {told:?}");
}

#[test]
fn starts_agree_behind_gangs_that_nodes_are_reserved_for() {
    let mut c = busy(cluster().reservations(2, 16));
    c.submit(lasting(gang(3, 8), 100));
    c.submit(lasting(gang(4, 8), 100));
    for length in 1..30 {
        c.submit(lasting(gang(1, 1 + length % 8), u64::from(7 * length)));
    }
    assert!(agree(&mut c) > 20);
    c.advance(minutes(30));
    assert!(agree(&mut c) > 10, "also once some of what is reserved is free");
}

#[test]
fn starts_agree_where_the_floor_holds_nodes() {
    let often = floor(50, minutes(20), minutes(30));
    let mut c = busy(cluster().policy(|policy| policy.floor = often));
    for length in 1..20 {
        let class = if length % 3 == 0 { "batch" } else { "express" };
        c.submit(lasting(gang(1 + length % 4, 8), u64::from(9 * length)).class(class));
    }
    for _ in 0..6 {
        agree(&mut c);
        c.advance(minutes(10));
    }
    assert!(agree(&mut c) > 10);
}

#[test]
fn starts_agree_where_queues_and_users_are_at_their_limits() {
    let small = queue("small").limit(quota(8)).user_limit(quota(4));
    let mut c = busy(cluster().queue(queue("default")).queue(small));
    for length in 1..24 {
        let queue = if length % 2 == 0 { "small" } else { "default" };
        let user = if length % 3 == 0 { "user-a" } else { "user-b" };
        let spec = lasting(gang(1, 1 + length % 4), u64::from(11 * length));
        c.submit(spec.queue(queue).user(user));
    }
    assert!(agree(&mut c) > 20);
}

#[test]
fn starts_agree_while_room_is_made_for_another() {
    let setup = cluster().nodes_with("n", 2, "H100x8", |node| node.suspend_memory(gib(4096)));
    let mut c = setup.build();
    for _ in 0..2 {
        let victim = gang(1, 8).class("batch").rung(Rung::Suspend, seconds(20), seconds(10));
        c.run(lasting(victim, 600));
    }
    c.advance(hours(1));
    let urgent = c.submit(lasting(gang(1, 8), 10).class("express"));
    c.submit(lasting(gang(1, 8), 900).class("batch"));
    assert_eq!(c.codes(urgent), ["making"]);
    assert_eq!(agree(&mut c), 1);
    let waiting = c.engine.outlook(ALL).next;
    assert!(waiting.iter().all(|coming| coming.job != urgent), "it has its room: {waiting:?}");
}

#[test]
fn what_nodes_cannot_hold_has_neither_an_expected_nor_a_latest_start() {
    let mut c = busy(cluster());
    let never = c.submit(gang(5, 8));
    assert_eq!(agree(&mut c), 0);
    let outlook = c.engine.outlook(ALL);
    assert_eq!((outlook.next[0].job, outlook.next[0].latest), (never, None));
}

#[test]
fn behind_more_lines_than_get_turns_a_job_is_still_told_its_start() {
    let mut setup = cluster().queue(queue("default"));
    for number in 0..300 {
        setup = setup.queue(queue(&format!("q{number}")));
    }
    let mut c = busy(setup);
    let jobs: Vec<JobId> = (0..300)
        .map(|number| c.submit(lasting(gang(1, 1), 1).queue(&format!("q{number}"))))
        .collect();
    let outlook = c.engine.outlook(1000);
    assert_eq!((outlook.next.len(), outlook.more), (128, 172), "who is not looked at is counted");
    for coming in outlook.next.iter().step_by(50) {
        assert_eq!(c.why(coming.job).estimated_start, coming.expected);
    }
    let last = jobs.into_iter().find(|job| outlook.next.iter().all(|it| it.job != *job));
    let told = c.why(last.expect("172 are not in the plan")).estimated_start;
    assert!(told >= Some(Time(30 * 60_000)), "{told:?}");
}

#[test]
fn who_fits_into_a_gap_is_foreseen_also_behind_many_lines() {
    let mut setup = cluster().queue(queue("default"));
    for number in 0..200 {
        setup = setup.queue(queue(&format!("q{number}")));
    }
    let mut c = busy(setup);
    for number in 0..200 {
        c.submit(lasting(gang(2, 8), 1).class("express").queue(&format!("q{number}")));
    }
    let small = c.submit(lasting(gang(1, 4), 500).class("batch"));
    let outlook = c.engine.outlook(100);
    assert_eq!((outlook.next.len(), outlook.more), (101, 100));
    let coming = outlook.next.last().expect("it is behind the first hundred");
    assert_eq!((coming.job, coming.expected), (small, Some(Time(30 * 60_000))));
    assert_eq!(coming.passes, Some(outlook.next[0].job), "the gangs need two nodes");
    assert_eq!(c.why(small).estimated_start, coming.expected);
}

/// What a cluster can be set to.
fn settings() -> impl Strategy<Value = (u8, u8, bool, u8)> {
    (0u8..4, 0u8..3, any::<bool>(), 0u8..3)
}

fn set((order, reservations, pauses, floor_of): (u8, u8, bool, u8), setup: Setup) -> Setup {
    setup.reservations(u32::from(reservations), 8).policy(|policy| {
        policy.order = [Order::Muster, Order::Fifo, Order::Fair, Order::Srtf][usize::from(order)];
        policy.pausing.on = pauses;
        if floor_of > 0 {
            policy.floor = floor(40 * u32::from(floor_of), minutes(2), minutes(5));
        }
    })
}

proptest! {
    #![proptest_config(always_the_same())]

    /// Whatever the policy, nobody is told two things.
    #[test]
    fn one_job_is_told_what_the_plan_says_of_it(scene in scenes(), settings in settings()) {
        let mut c = scene.play_in(|setup| set(settings, setup));
        agree(&mut c);
        c.advance(minutes(7));
        agree(&mut c);
    }

    /// Where nobody is paused, nothing is held and all jobs last as long as predicted, all that is
    /// foreseen comes true, however many ends later.
    #[test]
    fn the_whole_future_comes_true_where_nothing_intervenes(
        jobs in prop::collection::vec((1u32..=3, 1u32..=8, 1u64..120, any::<bool>()), 4..24),
        nodes in 1u32..=4,
        limit in prop::option::of(8u64..24),
    ) {
        let limited = queue("default").limit(limit.map(quota).unwrap_or_default());
        let mut c = cluster()
            .queue(limited)
            .nodes("n", nodes, "H100x8")
            .without_pausing()
            .policy(|policy| policy.floor.share_ppm = 0)
            .obedient()
            .build();
        for (tasks, gpus, length, is_express) in jobs {
            let class = if is_express { "express" } else { "standard" };
            // Lengths that differ in their seconds: no two jobs end at once.
            let length = minutes(length) + seconds(c.log.len() as u64);
            let spec = gang(tasks, gpus).estimate(length, length + length).class(class);
            c.submit_for(spec, length);
        }
        let outlook = c.engine.outlook(ALL);
        c.forget_starts();
        c.advance(hours(24 * 20));
        for coming in outlook.next {
            let started = c.starts.iter().find(|(_, job)| *job == coming.job).map(|(at, _)| *at);
            prop_assert_eq!(coming.expected, started, "{:?}", coming);
        }
    }
}
