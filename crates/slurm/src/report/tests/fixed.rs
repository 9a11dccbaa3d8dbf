//! Jobs that never change.

use muster_model::Time;

use crate::report::{Elements, JobFacts, Wants};
use crate::words::{ExitCode, Reason, State};
use crate::{Command, Request};

/// 2026-11-16T07:56:45.
pub(super) const NOW: Time = Time(1_794_815_805_000);

/// A job on two nodes that has run for three seconds.
pub(super) fn running() -> JobFacts {
    let words = ["--nodes=2", "--gres=gpu:h100:2", "--time=10", "--mem-per-cpu=100M"];
    let request = Request::from_words(Command::Sbatch, words.map(str::to_owned));
    JobFacts {
        id: 2,
        array: None,
        name: "s.sh".to_owned(),
        user: "root".to_owned(),
        uid: 0,
        group: "root".to_owned(),
        gid: 0,
        partition: "main".to_owned(),
        account: "root".to_owned(),
        qos: "normal".to_owned(),
        state: State::Running,
        reason: Reason::None,
        exit: ExitCode::default(),
        batch_exit: ExitCode::default(),
        cancelled_by: None,
        nodes: vec!["n1".to_owned(), "n2".to_owned()],
        wants: Wants {
            nodes: 2,
            tasks: 2,
            cpus: 2,
            cpus_first: 1,
            gpus: 4,
            gpus_first: 2,
            memory_mib: 200,
            memory_first_mib: 100,
        },
        request: request.expect("good options").request,
        submitted: Time(NOW.0 - 3000),
        started: Some(Time(NOW.0 - 3000)),
        ended: None,
        expected: None,
        begin: None,
        deadline: None,
        limit_s: Some(600),
        restarts: 0,
        requeue: true,
        priority: 1000,
        directory: "/tmp/work".to_owned(),
        command: "/tmp/work/s.sh".to_owned(),
        line: "sbatch -N2 s.sh".to_owned(),
        output: "/tmp/work/slurm-2.out".to_owned(),
        error: "/tmp/work/slurm-2.out".to_owned(),
        input: "/dev/null".to_owned(),
        host: "localhost".to_owned(),
        cluster: "compare".to_owned(),
        is_batch: true,
        steps: Vec::new(),
        measured: None,
        note: None,
    }
}

/// An element of array 4 that waits for its throttle.
pub(super) fn element(index: u32) -> JobFacts {
    let words = ["--array=1-5%2"].map(str::to_owned);
    let request = Request::from_words(Command::Sbatch, words);
    JobFacts {
        id: 4 + u64::from(index),
        array: Some((4, Elements::One(index))),
        state: State::Pending,
        reason: Reason::JobArrayTaskLimit,
        nodes: Vec::new(),
        wants: Wants { nodes: 1, tasks: 1, cpus: 1, cpus_first: 1, ..Wants::default() },
        request: request.expect("good options").request,
        started: None,
        limit_s: None,
        ..running()
    }
}
