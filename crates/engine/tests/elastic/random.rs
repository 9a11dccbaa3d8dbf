//! Random streams of rigid and elastic jobs: growing delays nobody, nothing useful stays idle for
//! long, and all that was borrowed comes back.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::*;

/// One job of a stream: after so many minutes, of so many one-GPU tasks, perhaps more, for so long.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    after: u64,
    tasks: u32,
    more: u32,
    runs: u64,
}

fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let more = prop_oneof![1 => Just(0u32), 1 => 1..8u32];
    let one = (0..100u64, 1..5u32, more, 2..150u64);
    let one = one.prop_map(|(after, tasks, more, runs)| Arrival { after, tasks, more, runs });
    vec(one, 1..30)
}

fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases / 2, failure_persistence: None, ..usual }
}

/// One node of eight GPUs, on which only the number of free GPUs matters.
fn one_node(order: Order, stay: Millis) -> Setup {
    cluster().nodes("n", 1, "H100x8").obedient().policy(|policy| {
        policy.order = order;
        policy.floor = floor(0, hours(1), hours(1));
        policy.elastic.interval = minutes(1);
        policy.elastic.stay = stay;
    })
}

impl Arrival {
    fn spec(&self) -> JobSpec {
        let estimate = minutes(self.runs);
        let spec = gang(1, 1).elastic(self.tasks, self.tasks + self.more);
        spec.estimate(estimate, estimate).resize(Millis::ZERO)
    }
}

fn play(setup: Setup, arrivals: &[Arrival]) -> World {
    let mut c = setup.build();
    for arrival in arrivals {
        c.advance(minutes(arrival.after));
        c.submit_for(arrival.spec(), minutes(arrival.runs));
    }
    c
}

/// When each job was first launched.
fn starts(c: &World) -> Vec<(JobId, Option<Time>)> {
    let jobs = c.snapshot().jobs;
    jobs.iter().map(|job| (job.id, c.started_at(job.id))).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn growing_delays_nobody(arrivals in arrivals(), fifo in any::<bool>()) {
        let order = if fifo { Order::Fifo } else { Order::Muster };
        let mut growing = play(one_node(order, hours(1)), &arrivals);
        let mut still = play(one_node(order, Millis::ZERO), &arrivals);
        growing.play_out(days(5));
        still.play_out(days(5));
        prop_assert_eq!(starts(&growing), starts(&still));
    }

    #[test]
    fn nothing_useful_stays_idle_for_longer_than_the_interval(arrivals in arrivals()) {
        let mut c = play(one_node(Order::Muster, hours(1)), &arrivals);
        // The interval, and as much again for one that ran only from now on.
        c.advance(minutes(2));
        let snapshot = c.snapshot();
        let waits = snapshot.jobs.iter().any(|job| job.state == JobState::Queued);
        let could_grow = snapshot.jobs.iter().any(|job| {
            let elastic = job.run.as_ref().and_then(|run| run.elastic.as_ref());
            let is_free = elastic.is_some_and(|elastic| elastic.grow_at.is_none());
            let tasks = job.run.iter().flat_map(|run| &run.nodes).map(|part| part.tasks.len());
            let size = u32::try_from(tasks.sum::<usize>()).expect("few tasks");
            is_free && job.state == JobState::Running && size < job.spec.groups[0].tasks.max
        });
        let idle = c.free_total();
        prop_assert!(waits || idle == 0 || !could_grow, "{idle} GPUs are idle");
    }

    #[test]
    fn all_that_was_taken_is_given_back(arrivals in arrivals()) {
        let mut c = play(one_node(Order::Muster, hours(1)), &arrivals);
        c.play_out(days(5));
        prop_assert_eq!((c.free_total(), c.used("default")), (8, 0));
        prop_assert!(c.snapshot().plans.is_empty());
        prop_assert_eq!(c.engine.next_wake(), None);
    }
}

/// Guards the properties: a stream in which nothing grows and nothing is given back proves nothing.
#[test]
fn the_streams_make_jobs_grow_and_give_back() {
    let arrivals: Vec<Arrival> = (0..40)
        .map(|number| Arrival {
            after: 17 * (number % 4),
            tasks: 1 + u32::try_from(number * 5 % 4).expect("small"),
            more: u32::try_from(number * 3 % 8).expect("small"),
            runs: 15 + number * 37 % 90,
        })
        .collect();
    let c = play(one_node(Order::Muster, hours(1)), &arrivals);
    let actions = || c.log.iter().flat_map(|(.., actions)| actions);
    let resizes = actions().filter(|action| matches!(action, Action::Resize { .. })).count();
    assert!(resizes > 20, "only {resizes}");
    let held = c.log.iter().any(|(_, command, actions)| {
        matches!(command, Command::Resized { .. })
            && actions.iter().any(|action| matches!(action, Action::Launch { .. }))
    });
    assert!(held, "nobody started on what another gave up");
}
