//! Duties in few words, and a mind to tell them to.

use std::sync::Arc;

use muster_api::duty::{Duty, Gang, RunWork, Work};
use muster_api::report::Report;
use muster_api::{Program, Runs, Save, TaskDuty};
use muster_engine::action::TaskPlace;
use muster_engine::command::{Exit, Running};
use muster_model::{Attempt, GpuSet, JobId, Name, QueueName};

use crate::mind::{Happening, Mind, Order};

pub(super) const LEASE_MS: u64 = 60_000;

pub(super) fn of(job: u64, attempt: u32) -> Running {
    Running { job: JobId(job), attempt: Attempt(attempt) }
}

pub(super) fn task(rank: u32) -> TaskDuty {
    let place = TaskPlace { group: 0, rank, gpus: GpuSet::one(rank), share: None };
    TaskDuty { place, rank, local_rank: rank, cpus_milli: 0, memory_mib: 0 }
}

pub(super) fn work(ranks: &[u32]) -> RunWork {
    let gang = Gang {
        name: Name::from("train"),
        user: Name::from("user-a"),
        queue: QueueName::from("vision"),
        element: None,
        tasks: u32::try_from(ranks.len()).unwrap(),
        nodes: vec![Name::from("node-1")],
        node_rank: 0,
        rendezvous: None,
        shares: Vec::new(),
        launched_ms: None,
        restarts: 0,
        limit_ms: None,
    };
    let save = Some(Save { signal: 10, within_ms: 1_000 });
    let program = Arc::new(Program { save, ..Program::default() });
    let tasks = ranks.iter().map(|rank| task(*rank)).collect();
    RunWork {
        tasks,
        gang,
        program,
        resize: None,
        pause: None,
        signal: None,
        steps: Vec::new(),
        token: None,
    }
}

/// The same with a program that runs in these places only.
pub(super) fn work_in(runs: Runs, ranks: &[u32]) -> RunWork {
    let mut work = work(ranks);
    Arc::make_mut(&mut work.program).runs = runs;
    work
}

pub(super) fn run(of: Running, version: u64, work: RunWork) -> Duty {
    Duty { job: of.job, attempt: of.attempt, version, work: Work::Run(Box::new(work)) }
}

pub(super) fn stop(of: Running, version: u64, grace_ms: u64) -> Duty {
    Duty { job: of.job, attempt: of.attempt, version, work: Work::Stop { grace_ms, why: None } }
}

pub(super) fn done(of: Running, version: u64) -> Duty {
    Duty { job: of.job, attempt: of.attempt, version, work: Work::Done }
}

/// A mind with a session and a lease from time 0.
pub(super) fn mind() -> Mind {
    let mut mind = Mind::new(0, Vec::new(), 0);
    mind.granted(1, 0, LEASE_MS, 0);
    assert_eq!(mind.take_orders(), [Order::Lease { until_ms: LEASE_MS }]);
    mind
}

/// A mind that runs tasks of attempt 1 of job 7, told in version 1, all up at time 0.
pub(super) fn running(ranks: &[u32]) -> Mind {
    let mut mind = mind();
    mind.hear(0, 1, 1, false, &[run(of(7, 1), 1, work(ranks))]);
    for rank in ranks {
        mind.happened(0, Happening::Launched { of: of(7, 1), rank: *rank });
    }
    mind.take_orders();
    assert_eq!(reports(&mut mind), [Report::Started(of(7, 1))]);
    mind
}

/// All that the mind has to say, which is then acknowledged.
pub(super) fn reports(mind: &mut Mind) -> Vec<Report> {
    let (first, reports) = mind.reports(usize::MAX);
    let next = first + u64::try_from(reports.len()).unwrap();
    let session = mind.session().unwrap();
    mind.acknowledged(session, next, 0, 0);
    reports
}

pub(super) fn ended(of: Running, exit: Exit) -> Report {
    Report::Ended { of, exit }
}

/// A task ends, and with it whatever follows.
pub(super) fn end(mind: &mut Mind, now_ms: u64, of: Running, rank: u32, exit: Exit) {
    mind.happened(now_ms, Happening::Ended { of, rank, exit });
}

/// The host does what follows attempts.
pub(super) fn finish(mind: &mut Mind) -> Vec<Order> {
    let orders = mind.take_orders();
    for order in &orders {
        if let Order::Finish { of } = order {
            mind.happened(0, Happening::Finished { of: *of });
        }
    }
    orders
}
