//! Steps on a real machine: their tasks are found again, write where they are told, and end with
//! their job.

use std::sync::Arc;

use muster_agent::launch::folder::Entry;
use muster_agent::launch::{Folder, Process};
use muster_api::Runs;
use muster_api::duty::RunWork;
use muster_api::report::Report;
use muster_api::step::{StepDuty, StepLayout, StepReport, StepRequest, StepTask, Streams, Took};
use muster_engine::command::Exit;
use muster_model::{GpuSet, Name};

use super::machine::{Machine, of, script};
use super::server::Server;

const LEASE_MS: u64 = 600_000;

/// A held job with a step of two tasks that runs a line of the shell.
fn stepping(machine: &Machine, line: &str, output: &str) -> RunWork {
    let mut work = script("", 1);
    Arc::make_mut(&mut work.program).runs = Runs::Nowhere;
    let streams = Streams { output: Some(output.to_owned()), ..Streams::default() };
    let request = StepRequest {
        command: ["/bin/sh", "-c", line].map(str::to_owned).to_vec(),
        directory: Some(machine.path("").display().to_string()),
        streams,
        ..StepRequest::default()
    };
    let task = |rank| StepTask {
        rank,
        local_rank: rank,
        gpus: GpuSet::one(rank),
        cpus_milli: 1000,
        memory_mib: 64,
    };
    work.steps = vec![Arc::new(StepDuty {
        step: 3,
        request: Arc::new(request),
        tasks: vec![task(0), task(1)],
        layout: StepLayout {
            nodes: vec![Name::from("node-1")],
            tasks: vec![2],
            node_rank: 0,
            gpus: GpuSet::first(2),
        },
        signal: None,
        end_grace_ms: None,
    })];
    work
}

/// Waits for the end of a task of the step, and returns what it took.
fn until_ended(server: &Server, of_rank: u32, with: Exit) -> Took {
    server.until(|kept| {
        kept.reports.iter().find_map(|report| match report {
            Report::Step(StepReport::Ended { step: 3, rank, exit, took, .. })
                if *rank == of_rank && *exit == with =>
            {
                Some(took.expect("it was measured"))
            }
            _ => None,
        })
    })
}

#[test]
fn tasks_of_a_step_know_who_they_are_and_write_to_their_files() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let line = "echo $SLURM_PROCID/$SLURM_NTASKS $SLURM_STEP_ID $CUDA_VISIBLE_DEVICES; \
                exit $SLURM_PROCID";
    server.run(of(7, 1), stepping(&machine, line, "out-%j.%s.%t"));
    let took = until_ended(&server, 0, Exit::Code(0));
    assert!(took.memory_peak_kib > 0 && took.user_ms + took.system_ms < 60_000, "{took:?}");
    until_ended(&server, 1, Exit::Code(1));
    for rank in 0..2 {
        let text = std::fs::read_to_string(machine.path(&format!("out-7.3.{rank}"))).unwrap();
        assert_eq!(text, format!("{rank}/2 3 {rank}\n"));
    }
    let is_end = |report: &Report| matches!(report, Report::Ended { .. });
    assert!(!server.kept().reports.iter().any(is_end), "the job goes on without its step");
}

#[test]
fn a_killed_agent_finds_its_steps_again_and_they_end_with_their_job() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    server.run(of(7, 1), stepping(&machine, "exec sleep 1000", "out"));
    server.until_told(&Report::Step(StepReport::Started { of: of(7, 1), step: 3 }));
    let folder = |rank| Folder::of_step(&machine.path("tasks"), of(7, 1), 3, rank);
    let children: Vec<Process> =
        (0..2).map(|rank| folder(rank).read(Entry::Child).unwrap().unwrap()).collect();
    machine.kill();
    machine.start(&server);
    server.until(|kept| kept.announces.get(1).map(|said| assert_eq!(said.running, [of(7, 1)])));
    assert!(children.iter().all(Process::is_alive), "steps go on with the next agent");
    server.stop(of(7, 1), 10_000);
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Stopped });
    assert!(!children.iter().any(Process::is_alive), "nothing outlives its job");
    until_ended(&server, 1, Exit::Signal(15));
}

#[test]
fn a_command_that_is_not_there_is_told_with_the_reason() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let mut work = stepping(&machine, "", "out");
    let duty = Arc::make_mut(&mut work.steps[0]);
    Arc::make_mut(&mut duty.request).command = vec!["/no/such/program".to_owned()];
    server.run(of(7, 1), work);
    let why = server.until(|kept| {
        kept.reports.iter().find_map(|report| match report {
            Report::Step(StepReport::Ended { exit: Exit::Code(2), detail, .. }) => {
                Some(detail.clone())
            }
            _ => None,
        })
    });
    assert!(why.contains("/no/such/program"), "{why}");
}
