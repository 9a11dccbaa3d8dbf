//! Steps inside an attempt: launched once, signalled once, ended when they are not wanted, and
//! always before their attempt is over.

use std::sync::Arc;

use muster_api::duty::{RunWork, SignalOrder, StopReason};
use muster_api::report::Report;
use muster_api::step::{StepDuty, StepLayout, StepReport, StepRequest, StepTask, Took};
use muster_api::{Reach, Runs};
use muster_engine::command::Exit;
use muster_model::GpuSet;

use super::explaining::explain;
use super::stage::{LEASE_MS, end, ended, finish, mind, of, reports, run, stop, task, work_in};
use crate::mind::{Found, FoundStep, FoundTask, Happening, Heard, Mind, Order};

pub(super) fn step(number: u32, ranks: &[u32]) -> StepDuty {
    let task = |rank: &u32| StepTask {
        rank: *rank,
        local_rank: *rank,
        gpus: GpuSet::EMPTY,
        cpus_milli: 0,
        memory_mib: 0,
    };
    StepDuty {
        step: number,
        request: Arc::new(StepRequest::default()),
        tasks: ranks.iter().map(task).collect(),
        layout: StepLayout::default(),
        signal: None,
        end_grace_ms: None,
    }
}

fn work(steps: &[StepDuty]) -> RunWork {
    let mut work = work_in(Runs::First, &[0, 1]);
    work.steps = steps.iter().cloned().map(Arc::new).collect();
    work
}

/// A mind in which attempt 1 of job 7 is up with step 0 in two tasks.
pub(super) fn stepping() -> Mind {
    let mut mind = mind();
    mind.hear(0, 1, 1, false, &[run(of(7, 1), 1, work(&[step(0, &[0, 1])]))]);
    assert!(!launches(&mind.take_orders()), "its tasks are not up yet");
    for rank in 0..2 {
        mind.happened(0, Happening::Launched { of: of(7, 1), rank });
    }
    assert!(launches(&mind.take_orders()));
    for rank in 0..2 {
        mind.happened(1, Happening::StepLaunched { of: of(7, 1), step: 0, rank });
    }
    let started = Report::Step(StepReport::Started { of: of(7, 1), step: 0 });
    assert_eq!(reports(&mut mind), [Report::Started(of(7, 1)), started]);
    mind
}

fn launches(orders: &[Order]) -> bool {
    orders.iter().any(|order| matches!(order, Order::LaunchStep { .. }))
}

pub(super) fn signal(step: u32, ranks: &[u32], signal: u8) -> Order {
    Order::SignalStep { of: of(7, 1), step, ranks: ranks.to_vec(), signal }
}

fn ends(mind: &mut Mind, at_ms: u64, rank: u32, exit: Exit) {
    let (of, step, detail) = (of(7, 1), 0, String::new());
    mind.happened(at_ms, Happening::StepEnded { of, step, rank, exit, detail });
}

fn told(rank: u32, exit: Exit) -> Report {
    let (of, step, detail) = (of(7, 1), 0, String::new());
    Report::Step(StepReport::Ended { of, step, rank, exit, detail, took: None })
}

#[test]
fn a_step_is_launched_once_its_ends_are_told_and_it_is_forgotten_once_heard() {
    let mut mind = stepping();
    mind.hear(2, 1, 2, false, &[run(of(7, 1), 2, work(&[step(0, &[0, 1])]))]);
    assert_eq!(mind.take_orders(), [], "a duty that is said twice changes nothing");
    ends(&mut mind, 3, 1, Exit::Code(4));
    ends(&mut mind, 3, 1, Exit::Code(9));
    ends(&mut mind, 4, 0, Exit::Code(0));
    assert_eq!(reports(&mut mind), [told(1, Exit::Code(4)), told(0, Exit::Code(0))]);
    mind.hear(5, 1, 3, false, &[run(of(7, 1), 3, work(&[step(0, &[0, 1])]))]);
    assert!(!launches(&mind.take_orders()), "what has ended is not launched again");
    mind.hear(6, 1, 4, false, &[run(of(7, 1), 4, work(&[]))]);
    assert_eq!(mind.take_orders(), [Order::ForgetStep { of: of(7, 1), step: 0 }]);
}

#[test]
fn what_a_task_took_is_told_with_its_end_and_of_the_job_itself_before_it() {
    let mut mind = stepping();
    let took = Took { memory_peak_kib: 4_096, user_ms: 70, system_ms: 5 };
    let step = Some(0);
    mind.happened(2, Happening::Took { of: of(7, 1), step, rank: 1, took });
    assert_eq!(reports(&mut mind), [], "it is said with the end");
    ends(&mut mind, 3, 1, Exit::Code(0));
    let (exit, detail) = (Exit::Code(0), String::new());
    let told = StepReport::Ended { of: of(7, 1), step: 0, rank: 1, exit, detail, took: Some(took) };
    assert_eq!(reports(&mut mind), [Report::Step(told)]);
    mind.happened(4, Happening::Took { of: of(7, 1), step: None, rank: 0, took });
    let own = StepReport::Took { of: of(7, 1), rank: 0, took };
    assert_eq!(reports(&mut mind), [Report::Step(own)]);
}

#[test]
fn a_step_that_is_not_wanted_any_more_is_forced_to_end() {
    let mut mind = stepping();
    mind.hear(5, 1, 2, false, &[run(of(7, 1), 2, work(&[]))]);
    let cancelled = StopReason::Cancelled;
    assert_eq!(mind.take_orders(), [explain(Some(0), cancelled), signal(0, &[0, 1], 9)]);
}

#[test]
fn a_step_that_is_to_end_is_asked_and_then_forced() {
    let mut mind = stepping();
    let ending = StepDuty { end_grace_ms: Some(100), ..step(0, &[0, 1]) };
    mind.hear(10, 1, 2, false, &[run(of(7, 1), 2, work(std::slice::from_ref(&ending)))]);
    let cancelled = StopReason::Cancelled;
    assert_eq!(mind.take_orders(), [explain(Some(0), cancelled), signal(0, &[0, 1], 15)]);
    assert_eq!(mind.due_ms(), Some(110));
    ends(&mut mind, 50, 0, Exit::Signal(15));
    mind.tick(110);
    assert_eq!(mind.take_orders(), [signal(0, &[1], 9)]);
    // One that ended before it began is told to have.
    let late = StepDuty { step: 1, ..ending.clone() };
    mind.hear(120, 1, 3, false, &[run(of(7, 1), 3, work(&[ending, late]))]);
    assert!(!launches(&mind.take_orders()));
    let all = reports(&mut mind);
    let stopped = |report: &&Report| {
        matches!(report, Report::Step(StepReport::Ended { step: 1, exit: Exit::Stopped, .. }))
    };
    assert_eq!(all.iter().filter(stopped).count(), 2);
}

#[test]
fn a_signal_to_a_step_is_sent_once_and_one_to_the_job_goes_where_it_is_meant() {
    let mut mind = stepping();
    let signalled = StepDuty { signal: Some((1, 10)), ..step(0, &[0, 1]) };
    for version in 2..4 {
        let duty = run(of(7, 1), version, work(std::slice::from_ref(&signalled)));
        mind.hear(version, 1, version, false, &[duty]);
        let sent = mind.take_orders().contains(&signal(0, &[0, 1], 10));
        assert_eq!(sent, version == 2);
    }
    for (number, to, expected) in [(1, Reach::First, false), (2, Reach::Steps, true)] {
        let mut work = work(std::slice::from_ref(&signalled));
        work.signal = Some(SignalOrder { number, signal: 12, to });
        let version = 9 + u64::from(number);
        mind.hear(version, 1, version, false, &[run(of(7, 1), version, work)]);
        let orders = mind.take_orders();
        assert_eq!(orders.contains(&signal(0, &[0, 1], 12)), expected, "{to:?}");
        let first = Order::SignalFirst { of: of(7, 1), signal: 12 };
        assert_eq!(orders.contains(&first), !expected, "{to:?}");
    }
}

#[test]
fn an_attempt_is_not_over_before_its_steps_are() {
    let mut mind = stepping();
    let job = of(7, 1);
    end(&mut mind, 5, job, 0, Exit::Code(0));
    let orders = mind.take_orders();
    assert!(orders.contains(&signal(0, &[0, 1], 15)), "steps end with the program: {orders:?}");
    end(&mut mind, 5, job, 1, Exit::Code(0));
    ends(&mut mind, 6, 0, Exit::Signal(15));
    assert_eq!(finish(&mut mind), [], "one task of the step is still there");
    ends(&mut mind, 6, 1, Exit::Signal(15));
    finish(&mut mind);
    assert_eq!(reports(&mut mind).last(), Some(&ended(job, Exit::Code(0))));
}

#[test]
fn steps_end_with_the_lease_and_when_the_job_is_stopped() {
    let mut late = stepping();
    late.tick(LEASE_MS);
    assert!(late.take_orders().contains(&signal(0, &[0, 1], 9)));
    let mut stopped = stepping();
    stopped.hear(5, 1, 2, false, &[stop(of(7, 1), 2, 1_000)]);
    assert!(stopped.take_orders().contains(&signal(0, &[0, 1], 15)));
}

#[test]
fn an_agent_that_starts_again_finds_steps_tells_their_ends_and_launches_what_is_missing() {
    let held = (0..2).map(|rank| FoundTask {
        rank,
        place: task(rank).place,
        is_held: rank > 0,
        exit: None,
    });
    let found = Found {
        of: of(7, 1),
        tasks: held.collect(),
        is_whole: true,
        heard: Heard::default(),
        steps: vec![FoundStep {
            step: 0,
            tasks: vec![(0, None), (1, Some(Exit::Code(3)))],
            signal: 1,
        }],
    };
    let mut mind = Mind::new(5, vec![found], LEASE_MS);
    assert_eq!(mind.announcement().reports, [told(1, Exit::Code(3))]);
    mind.granted(1, 5, LEASE_MS, 1);
    mind.take_orders();
    let duty = StepDuty { signal: Some((1, 10)), ..step(0, &[0, 1, 2]) };
    mind.hear(6, 1, 1, true, &[run(of(7, 1), 1, work(&[duty]))]);
    let orders = mind.take_orders();
    let launched: Vec<u32> = orders
        .iter()
        .filter_map(|order| match order {
            Order::LaunchStep { tasks, .. } => Some(tasks.iter().map(|task| task.rank)),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(launched, [2], "the agent fell before it had launched all");
    assert!(!orders.contains(&signal(0, &[0], 10)), "it was sent before");
}
