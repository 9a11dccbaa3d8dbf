//! Whatever a job is told of its latest start, whenever it asks, holds; the judge remembers.

use proptest::prelude::*;

use super::plan::{Event, Plan, calm_events, config, orders};
use super::play::happen;
use crate::support::*;

fn plans() -> impl Strategy<Value = Plan> {
    let floors = proptest::sample::select(vec![5, 25, 100]);
    let size = (proptest::collection::vec(1..=3u32, 1..=3), 1..=3u32);
    (size, orders(), floors, calm_events(60)).prop_map(|((racks, queues), order, floor, events)| {
        Plan { racks, queues, order, floor, pausing: false, events }
    })
}

/// Every queued job asks; those told nothing cannot ever run.
fn all_ask(world: &mut World) {
    for job in world.snapshot().jobs {
        if job.state == JobState::Queued {
            let why = world.why(job.id);
            let is_possible = why.reasons.iter().all(|reason| reason.code() != "impossible");
            assert_eq!(why.latest_start.is_some(), is_possible, "job {}: {why:?}", job.id);
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_job_waits_longer_than_it_was_ever_told(plan in plans()) {
        let mut world = plan
            .setup()
            .policy(|policy| {
                policy.limit_max = hours(1);
                policy.floor.wait = minutes(30);
                policy.floor.quantum = minutes(20);
            })
            .build();
        for event in &plan.events {
            if let Event::Submit(mut job) = *event {
                // Estimates beyond the limit are fine; runs end at it.
                job.runs = job.runs.max(30);
                happen(&mut world, &plan, &Event::Submit(job));
            } else {
                happen(&mut world, &plan, event);
            }
            all_ask(&mut world);
        }
        for _ in 0..96 {
            world.advance(minutes(45));
            all_ask(&mut world);
        }
    }
}
