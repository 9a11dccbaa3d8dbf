//! Places that are held without a program: they are there at once, hear no signals, and go when the
//! program has ended, when they are told to, or with the lease.

use muster_api::duty::SignalOrder;
use muster_api::report::Report;
use muster_api::{Reach, Runs};
use muster_engine::command::Exit;

use super::stage::{LEASE_MS, end, ended, finish, mind, of, reports, run, stop, task, work_in};
use crate::mind::{Found, FoundTask, Happening, Heard, Mind, Order};

/// A mind that has these places of attempt 1 of job 7.
fn holding(runs: Runs, ranks: &[u32]) -> Mind {
    let mut mind = mind();
    mind.hear(0, 1, 1, false, &[run(of(7, 1), 1, work_in(runs, ranks))]);
    for rank in ranks {
        mind.happened(0, Happening::Launched { of: of(7, 1), rank: *rank });
    }
    mind.take_orders();
    assert_eq!(reports(&mut mind), [Report::Started(of(7, 1))]);
    mind
}

#[test]
fn held_places_of_a_node_go_with_the_first_task_of_it_and_its_exit_counts() {
    for (exit, told) in [(Exit::Code(0), Exit::Code(0)), (Exit::Code(3), Exit::Code(3))] {
        let mut mind = holding(Runs::First, &[0, 1, 2]);
        let job = of(7, 1);
        end(&mut mind, 5, job, 0, exit);
        assert_eq!(mind.take_orders(), [Order::Release { of: job, ranks: vec![1, 2] }]);
        end(&mut mind, 6, job, 1, Exit::Code(0));
        assert_eq!(finish(&mut mind), [], "one place is still held");
        end(&mut mind, 6, job, 2, Exit::Code(0));
        assert_eq!(finish(&mut mind), [Order::Finish { of: job }]);
        assert_eq!(reports(&mut mind), [ended(job, told)]);
    }
}

#[test]
fn a_node_with_held_places_only_keeps_them_until_it_is_told_to_stop() {
    let mut mind = holding(Runs::First, &[1, 2]);
    let job = of(7, 1);
    mind.tick(LEASE_MS - 1);
    assert_eq!((mind.take_orders(), reports(&mut mind)), (vec![], vec![]));
    mind.hear(10, 1, 2, false, &[stop(job, 2, 1_000)]);
    assert_eq!(mind.take_orders(), [Order::Release { of: job, ranks: vec![1, 2] }]);
    end(&mut mind, 11, job, 1, Exit::Code(0));
    end(&mut mind, 11, job, 2, Exit::Code(0));
    finish(&mut mind);
    assert_eq!(reports(&mut mind), [ended(job, Exit::Stopped)]);
}

#[test]
fn held_places_hear_no_signals_and_the_first_task_only_those_meant_for_it() {
    let cases = [
        (Reach::All, vec![vec![0]]),
        (Reach::First, vec![vec![0]]),
        (Reach::Steps, Vec::<Vec<u32>>::new()),
    ];
    for (to, expected) in cases {
        let mut mind = holding(Runs::First, &[0, 1]);
        let mut work = work_in(Runs::First, &[0, 1]);
        work.signal = Some(SignalOrder { number: 1, signal: 12, to });
        mind.hear(1, 1, 2, false, &[run(of(7, 1), 2, work)]);
        let sent: Vec<Vec<u32>> = mind
            .take_orders()
            .into_iter()
            .filter_map(|order| match order {
                Order::Signal { ranks, signal: 12, .. } => Some(ranks),
                Order::SignalFirst { signal: 12, .. } => Some(vec![0]),
                _ => None,
            })
            .collect();
        assert_eq!(sent, expected, "{to:?}");
    }
}

#[test]
fn held_places_end_with_the_lease() {
    let mut mind = holding(Runs::Nowhere, &[0, 1]);
    assert_eq!(mind.due_ms(), Some(LEASE_MS));
    mind.tick(LEASE_MS);
    assert_eq!(mind.take_orders(), [Order::Release { of: of(7, 1), ranks: vec![0, 1] }]);
    end(&mut mind, LEASE_MS, of(7, 1), 0, Exit::Code(0));
    end(&mut mind, LEASE_MS, of(7, 1), 1, Exit::Code(0));
    finish(&mut mind);
    assert_eq!(reports(&mut mind), [ended(of(7, 1), Exit::Stopped)]);
}

#[test]
fn an_agent_that_starts_again_finds_what_is_held_and_goes_on_holding_it() {
    let found = |exit| Found {
        of: of(7, 1),
        tasks: (1..3)
            .map(|rank| FoundTask { rank, place: task(rank).place, is_held: true, exit })
            .collect(),
        is_whole: true,
        heard: Heard::default(),
        steps: Vec::new(),
    };
    let mut mind = Mind::new(5, vec![found(None)], LEASE_MS);
    assert_eq!(mind.announcement().running, [of(7, 1)]);
    mind.granted(1, 5, LEASE_MS, 0);
    mind.take_orders();
    mind.hear(6, 1, 1, true, &[run(of(7, 1), 1, work_in(Runs::First, &[1, 2]))]);
    assert_eq!((mind.take_orders(), reports(&mut mind)), (vec![], vec![]));
    // Nothing is held any more where the lease has ended in between.
    let mut late = Mind::new(LEASE_MS, vec![found(None)], LEASE_MS);
    assert_eq!(late.take_orders(), [Order::Release { of: of(7, 1), ranks: vec![1, 2] }]);
    // A machine that was started anew holds nothing.
    let mut anew = Mind::new(5, vec![found(Some(Exit::Stopped))], 0);
    finish(&mut anew);
    assert_eq!(anew.announcement().reports, [ended(of(7, 1), Exit::Stopped)]);
}
