//! Time has no unit: a world in which everything takes twice as long runs the same, half as fast.

use proptest::prelude::*;

use super::plan::{Event, Plan, calm_events, calm_pausing_plans, config, is_simple, orders};
use super::play::{Schedule, happen, schedule};
use crate::support::*;

/// Powers of two, for which the fixed-point logarithm is exact.
fn factors() -> impl Strategy<Value = u64> {
    proptest::sample::select(vec![2, 4, 8])
}

fn scaled(event: &Event, by: u64) -> Event {
    match *event {
        Event::Submit(mut job) => {
            job.estimate *= by;
            job.runs *= by;
            job.deadline = job.deadline.map(|deadline| deadline * by);
            for cost in [&mut job.pauses.suspend, &mut job.pauses.save, &mut job.pauses.requeue] {
                *cost = cost.map(|cost| cost * by);
            }
            Event::Submit(job)
        }
        Event::Pass { minutes } => Event::Pass { minutes: minutes * by },
        other => other,
    }
}

fn scale_policy(policy: &mut Policy, by: u64) {
    for span in [
        &mut policy.usage_half_life,
        &mut policy.floor.wait,
        &mut policy.floor.quantum,
        &mut policy.limit_max,
        &mut policy.estimate_default,
        &mut policy.launch_timeout,
        &mut policy.stop_grace,
        &mut policy.retry_pause,
        &mut policy.remember_ended,
        &mut policy.pausing.run_min,
        &mut policy.pausing.interval,
        &mut policy.pausing.reclaim,
        &mut policy.pausing.rest,
        &mut policy.elastic.interval,
        &mut policy.elastic.stay,
        &mut policy.reservations.grace,
        &mut policy.reservations.slip_max,
        &mut policy.defragmentation.interval,
        &mut policy.defragmentation.loss_max,
        &mut policy.failures.crash_within,
        &mut policy.failures.hazard_half_life,
        &mut policy.failures.repair_time,
    ] {
        span.0 *= by;
    }
    for limit in &mut policy.las_limits {
        limit.0 *= by;
    }
}

fn run(plan: &Plan, by: u64) -> Schedule {
    let mut world = plan.setup().policy(|policy| scale_policy(policy, by)).build();
    for event in &plan.events {
        happen(&mut world, plan, &scaled(event, by));
    }
    schedule(&world)
}

/// One queue: shares of several are rounded to steps, which need not fall alike. Nothing elastic:
/// what a change of size costs is a fixed time.
fn plans() -> impl Strategy<Value = Plan> {
    let floors = proptest::sample::select(vec![0, 10, 50]);
    (proptest::collection::vec(1..=3u32, 1..=3), orders(), floors, calm_events(40)).prop_map(
        |(racks, order, floor, mut events)| {
            events.retain(is_simple);
            Plan { racks, queues: 1, order, floor, pausing: false, events }
        },
    )
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn scaling_all_times_scales_the_schedule(plan in plans(), by in factors()) {
        let mut expected = run(&plan, 1);
        for (at, _, _) in &mut expected {
            at.0 *= by;
        }
        prop_assert_eq!(run(&plan, by), expected);
    }

    #[test]
    fn scaling_all_times_scales_the_pauses(plan in calm_pausing_plans(), by in factors()) {
        let mut expected = run(&plan, 1);
        for (at, _, _) in &mut expected {
            at.0 *= by;
        }
        prop_assert_eq!(run(&plan, by), expected);
    }
}
