//! Single cases: launching, ending, failing, resizing, leases, restarts.

use muster_api::report::Report;
use muster_engine::command::{Exit, Refusal};

use super::stage::{
    LEASE_MS, done, end, ended, finish, mind, of, reports, run, running, stop, task, work,
};
use crate::mind::{Found, FoundTask, Happening, Heard, Mind, Order};

#[test]
fn an_attempt_has_started_when_all_its_tasks_run_and_ended_when_all_have() {
    let mut mind = mind();
    let job = of(7, 1);
    mind.hear(0, 1, 1, true, &[run(job, 1, work(&[0, 1]))]);
    let orders = mind.take_orders();
    assert!(
        matches!(&orders[..], [Order::Launch { tasks, is_growth: false, .. }] if tasks.len() == 2),
        "{orders:?}"
    );
    mind.happened(1, Happening::Launched { of: job, rank: 0 });
    assert_eq!(reports(&mut mind), []);
    mind.happened(1, Happening::Launched { of: job, rank: 1 });
    assert_eq!(reports(&mut mind), [Report::Started(job)]);
    end(&mut mind, 2, job, 0, Exit::Code(0));
    assert_eq!(finish(&mut mind), []);
    end(&mut mind, 2, job, 1, Exit::Code(0));
    assert_eq!(finish(&mut mind), [Order::Finish { of: job }]);
    assert_eq!(reports(&mut mind), [ended(job, Exit::Code(0))]);
}

#[test]
fn an_attempt_that_ended_is_told_again_and_never_launched_twice() {
    let mut mind = running(&[0]);
    let job = of(7, 1);
    end(&mut mind, 1, job, 0, Exit::Code(3));
    finish(&mut mind);
    reports(&mut mind);
    mind.hear(2, 1, 2, true, &[run(job, 1, work(&[0]))]);
    assert_eq!(mind.take_orders(), []);
    assert_eq!(reports(&mut mind), [ended(job, Exit::Code(3))]);
    mind.hear(3, 1, 3, false, &[stop(job, 3, 0)]);
    assert_eq!(reports(&mut mind), [ended(job, Exit::Code(3))]);
    mind.hear(4, 1, 4, false, &[done(job, 4)]);
    assert_eq!(mind.take_orders(), [Order::Forget { of: job }]);
    // A line that comes late is older than what was heard.
    mind.hear(5, 1, 1, false, &[run(job, 1, work(&[0]))]);
    assert_eq!((mind.take_orders(), reports(&mut mind)), (vec![], vec![]));
}

#[test]
fn what_never_was_here_is_told_to_be_over() {
    let mut mind = mind();
    mind.hear(0, 1, 1, false, &[stop(of(7, 1), 1, 1_000)]);
    assert_eq!(reports(&mut mind), [ended(of(7, 1), Exit::Stopped)]);
    mind.hear(0, 1, 2, false, &[run(of(7, 1), 2, work(&[0]))]);
    assert_eq!(mind.take_orders(), [], "who was stopped does not start");
}

#[test]
fn stopping_asks_first_and_forces_when_the_time_is_over() {
    let mut mind = running(&[0, 1]);
    let job = of(7, 1);
    mind.hear(100, 1, 2, false, &[stop(job, 2, 1_000)]);
    let term = Order::Signal { of: job, ranks: vec![0, 1], signal: 15 };
    assert_eq!(mind.take_orders(), [term]);
    assert_eq!(mind.due_ms(), Some(1_100));
    end(&mut mind, 500, job, 0, Exit::Signal(15));
    mind.tick(1_099);
    assert_eq!(mind.take_orders(), []);
    mind.tick(1_100);
    assert_eq!(mind.take_orders(), [Order::Kill { of: job, ranks: vec![1] }]);
    end(&mut mind, 1_101, job, 1, Exit::Signal(9));
    finish(&mut mind);
    assert_eq!(reports(&mut mind), [ended(job, Exit::Stopped)]);
}

#[test]
fn a_task_that_fails_takes_the_others_with_it_and_is_the_reason() {
    let mut mind = running(&[0, 1, 2]);
    let job = of(7, 1);
    end(&mut mind, 1, job, 1, Exit::Code(9));
    let term = Order::Signal { of: job, ranks: vec![0, 2], signal: 15 };
    assert_eq!(mind.take_orders(), [term]);
    end(&mut mind, 2, job, 0, Exit::Signal(15));
    end(&mut mind, 2, job, 2, Exit::Code(0));
    finish(&mut mind);
    assert_eq!(reports(&mut mind), [ended(job, Exit::Code(9))]);
}

#[test]
fn a_refused_task_takes_the_attempt_back() {
    let mut mind = mind();
    let job = of(7, 1);
    mind.hear(0, 1, 1, false, &[run(job, 1, work(&[0, 1]))]);
    mind.happened(1, Happening::Launched { of: job, rank: 0 });
    mind.take_orders();
    let refusal = Refusal::Node("disk-failed".into());
    let detail = "no room".to_owned();
    let happening = Happening::NotLaunched {
        of: job,
        rank: 1,
        refusal: refusal.clone(),
        detail: detail.clone(),
    };
    mind.happened(1, happening);
    assert_eq!(mind.take_orders(), [Order::Kill { of: job, ranks: vec![0] }]);
    assert_eq!(reports(&mut mind), [], "something of it still runs");
    end(&mut mind, 2, job, 0, Exit::Signal(9));
    finish(&mut mind);
    assert_eq!(reports(&mut mind), [Report::Refused { of: job, refusal, detail }]);
}

#[test]
fn a_newer_attempt_waits_until_the_older_has_gone() {
    let mut mind = running(&[0]);
    mind.hear(1, 1, 2, false, &[run(of(7, 2), 2, work(&[0]))]);
    assert_eq!(mind.take_orders(), [Order::Kill { of: of(7, 1), ranks: vec![0] }]);
    end(&mut mind, 2, of(7, 1), 0, Exit::Signal(9));
    finish(&mut mind);
    let orders = mind.take_orders();
    assert!(matches!(&orders[..], [Order::Launch { of: it, .. }] if *it == of(7, 2)), "{orders:?}");
    // The older one is a thing of the past, whatever is still said of it.
    mind.hear(3, 1, 3, false, &[run(of(7, 1), 3, work(&[0]))]);
    assert_eq!(mind.take_orders(), []);
}

#[test]
fn nothing_runs_after_the_lease_and_everything_until_then() {
    let mut mind = running(&[0]);
    let job = of(7, 1);
    mind.session_lost();
    assert_eq!(mind.due_ms(), Some(LEASE_MS));
    mind.tick(LEASE_MS - 1);
    assert_eq!(mind.take_orders(), []);
    mind.tick(LEASE_MS);
    assert_eq!(mind.take_orders(), [Order::Kill { of: job, ranks: vec![0] }]);
    end(&mut mind, LEASE_MS, job, 0, Exit::Signal(9));
    finish(&mut mind);
    let said = mind.announcement();
    assert_eq!((said.running, said.reports), (vec![], vec![ended(job, Exit::Stopped)]));
    mind.granted(2, LEASE_MS, 0, 1);
    mind.hear(LEASE_MS, 2, 1, true, &[run(of(8, 1), 1, work(&[0]))]);
    assert_eq!(mind.take_orders(), [Order::Forget { of: job }], "no lease, no launch");
    mind.acknowledged(2, 0, LEASE_MS, 1_000);
    mind.tick(LEASE_MS + 1);
    assert!(mind.take_orders().iter().any(|order| matches!(order, Order::Launch { .. })));
}

#[test]
fn what_an_earlier_session_wanted_is_launched_only_when_it_is_said_again() {
    let mut mind = mind();
    // The duty comes too late to be acted on.
    mind.hear(LEASE_MS, 1, 1, false, &[run(of(7, 1), 1, work(&[0]))]);
    mind.session_lost();
    mind.granted(2, LEASE_MS, LEASE_MS, 0);
    mind.tick(LEASE_MS + 1);
    assert_eq!(mind.take_orders(), [Order::Lease { until_ms: 2 * LEASE_MS }]);
    mind.hear(LEASE_MS + 2, 2, 1, true, &[run(of(7, 1), 1, work(&[0]))]);
    let orders = mind.take_orders();
    assert!(matches!(&orders[..], [Order::Launch { .. }]), "{orders:?}");
}

#[test]
fn a_lease_counts_from_when_the_request_was_sent() {
    let mut mind = running(&[0]);
    mind.acknowledged(1, 0, 30_000, LEASE_MS);
    assert_eq!(mind.take_orders(), [Order::Lease { until_ms: 90_000 }]);
    mind.acknowledged(1, 0, 20_000, LEASE_MS);
    assert_eq!(mind.take_orders(), [], "an answer that comes late takes nothing back");
    mind.acknowledged(99, 0, 90_000, LEASE_MS);
    assert_eq!(mind.due_ms(), Some(90_000), "another session renews nothing");
}

#[test]
fn what_is_not_named_in_all_duties_is_stopped() {
    let mut mind = running(&[0]);
    mind.hear(1, 1, 2, true, &[]);
    let term = Order::Signal { of: of(7, 1), ranks: vec![0], signal: 15 };
    assert_eq!(mind.take_orders(), [term]);
    mind.hear(2, 1, 1, true, &[run(of(9, 1), 1, work(&[0]))]);
    assert_eq!(mind.take_orders(), [], "an older list is not heard");
}

#[test]
fn a_resize_adds_and_removes_tasks_and_is_answered_by_its_number() {
    let mut mind = running(&[0, 1]);
    let job = of(7, 1);
    let mut duty = work(&[0, 2]);
    duty.resize = Some(1);
    mind.hear(1, 1, 2, false, &[run(job, 2, duty.clone())]);
    let orders = mind.take_orders();
    assert_eq!(orders[0], Order::Signal { of: job, ranks: vec![1], signal: 15 });
    assert!(
        matches!(&orders[1], Order::Launch { tasks, is_growth: true, .. } if tasks == &[task(2)]),
        "{orders:?}"
    );
    mind.happened(2, Happening::Launched { of: job, rank: 2 });
    assert_eq!(reports(&mut mind), []);
    end(&mut mind, 3, job, 1, Exit::Signal(15));
    assert_eq!(mind.take_orders(), [Order::Left { of: job, rank: 1 }]);
    assert_eq!(reports(&mut mind), [Report::Resized { of: job, resize: 1 }]);
    let mut none = work(&[]);
    none.resize = Some(2);
    mind.hear(4, 1, 3, false, &[run(job, 3, none)]);
    mind.take_orders();
    end(&mut mind, 5, job, 0, Exit::Code(0));
    end(&mut mind, 5, job, 2, Exit::Code(0));
    assert_eq!(reports(&mut mind), [Report::Resized { of: job, resize: 2 }]);
    assert_eq!(mind.alive(), []);
}

#[test]
fn a_task_that_cannot_be_added_leaves_the_others_alone() {
    let mut mind = running(&[0]);
    let job = of(7, 1);
    let mut duty = work(&[0, 1]);
    duty.resize = Some(1);
    mind.hear(1, 1, 2, false, &[run(job, 2, duty)]);
    mind.take_orders();
    let refusal = Refusal::Node("disk-failed".into());
    let detail = String::new();
    let happening = Happening::NotLaunched { of: job, rank: 1, refusal, detail };
    mind.happened(2, happening);
    assert_eq!(mind.take_orders(), []);
    assert!(matches!(reports(&mut mind)[..], [Report::Refused { .. }]));
    mind.tick(3);
    assert_eq!(mind.take_orders(), [], "it is not tried again until something else is wanted");
    let mut back = work(&[0]);
    back.resize = Some(2);
    mind.hear(4, 1, 3, false, &[run(job, 3, back)]);
    assert_eq!(reports(&mut mind), [Report::Resized { of: job, resize: 2 }]);
}

#[test]
fn a_restarted_agent_goes_on_with_what_it_finds() {
    let place = |rank| task(rank).place;
    let found = |attempt, is_whole, exits: &[Option<Exit>]| Found {
        of: of(7, attempt),
        tasks: exits
            .iter()
            .zip(0..)
            .map(|(exit, rank)| FoundTask { rank, place: place(rank), is_held: false, exit: *exit })
            .collect(),
        is_whole,
        heard: Heard::default(),
        steps: Vec::new(),
    };
    let whole = Mind::new(0, vec![found(1, true, &[None, Some(Exit::Code(0))])], LEASE_MS);
    assert_eq!(whole.announcement().running, [of(7, 1)]);
    let mut half = Mind::new(0, vec![found(1, false, &[None])], LEASE_MS);
    assert_eq!(half.announcement().running, [], "the server still waits for its start");
    half.granted(1, 0, LEASE_MS, 0);
    half.hear(0, 1, 1, true, &[run(of(7, 1), 1, work(&[0, 1]))]);
    let orders = half.take_orders();
    assert!(
        orders.iter().any(|order| matches!(
        order, Order::Launch { tasks, .. } if tasks == &[task(1)])),
        "{orders:?}"
    );
    half.happened(1, Happening::Launched { of: of(7, 1), rank: 1 });
    assert_eq!(reports(&mut half), [Report::Started(of(7, 1))]);
    let mut over = Mind::new(0, vec![found(1, true, &[Some(Exit::Code(4))])], LEASE_MS);
    finish(&mut over);
    assert_eq!(over.announcement().reports, [ended(of(7, 1), Exit::Code(4))]);
}

#[test]
fn reports_are_kept_until_they_are_acknowledged_and_told_in_a_new_session() {
    let mut mind = mind();
    for job in 1..=3 {
        mind.hear(0, 1, job, false, &[stop(of(job, 1), job, 0)]);
    }
    let (first, batch) = mind.reports(2);
    assert_eq!((first, batch.len()), (0, 2));
    mind.acknowledged(1, 1, 0, 0);
    assert_eq!(mind.reports(9).0, 1);
    mind.session_lost();
    assert_eq!(mind.announcement().reports.len(), 2);
    mind.hear(0, 1, 9, false, &[stop(of(9, 1), 9, 0)]);
    assert_eq!(mind.announcement().reports.len(), 2, "nothing is heard outside a session");
    mind.granted(2, 0, LEASE_MS, 2);
    assert!(!mind.has_reports());
}
