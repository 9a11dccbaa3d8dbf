//! What an agent does for jobs when nothing goes wrong with itself.

use std::sync::Arc;

use muster_api::duty::{PauseOrder, SignalOrder};
use muster_api::report::Report;
use muster_api::{LogOrder, Program, Reach, Save};
use muster_engine::command::{Exit, Refusal};
use muster_model::{Attempt, JobId, Rung};

use super::machine::{Machine, of, script};
use super::server::Server;

const LEASE_MS: u64 = 600_000;

fn log(request: u64, follow: bool) -> LogOrder {
    let (job, attempt) = (JobId(7), Attempt(1));
    LogOrder { request, job, attempt, rank: 0, error: false, from: 0, follow }
}

#[test]
fn a_job_is_launched_reported_and_its_output_can_be_read() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    server.until(|kept| kept.announces.first().map(|said| assert_eq!(said.spec.gpus, 4)));
    let text = "echo $MUSTER_JOB_ID $MUSTER_TASK_RANK $CUDA_VISIBLE_DEVICES $RANK; exit 5";
    server.run(of(7, 1), script(text, 1));
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(5) });
    assert!(server.kept().reports.contains(&Report::Started(of(7, 1))));
    server.ask_for_log(log(1, true));
    let output = server.until(|kept| kept.logs.get(&1).cloned());
    assert_eq!(output, "7 0 0\n");
}

#[test]
fn output_can_be_followed_while_it_is_written() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let go = machine.path("go");
    let text = format!("echo one; while ! [ -e {} ]; do sleep 0.01; done; echo two", go.display());
    server.run(of(7, 1), script(&text, 1));
    server.until_told(&Report::Started(of(7, 1)));
    server.ask_for_log(log(1, true));
    server.ask_for_log(log(2, false));
    server.until(|kept| kept.logs.get(&2).cloned());
    std::fs::write(go, "").unwrap();
    assert_eq!(server.until(|kept| kept.logs.get(&1).cloned()), "one\ntwo\n");
}

#[test]
fn a_gang_knows_its_ranks_and_fails_as_one() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let text = "[ $RANK$WORLD_SIZE = 12 ] && exit 4; exec sleep 1000";
    server.run(of(7, 1), script(text, 2));
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(4) });
}

#[test]
fn a_job_that_ignores_being_asked_is_forced_to_end() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let ready = machine.path("ready");
    let text = format!("trap '' TERM; >{}; while :; do sleep 1000; done", ready.display());
    server.run(of(7, 1), script(&text, 1));
    crate::patience::await_some(|| ready.exists().then_some(()));
    server.stop(of(7, 1), 50);
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Stopped });
}

#[test]
fn a_program_is_asked_to_save_and_says_that_it_has() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let ready = machine.path("ready");
    let text = format!(
        "trap '>\"$MUSTER_SAVED_FILE\"' USR1; trap 'exit 9' USR2; >{}; \
         while :; do sleep 0.01; done",
        ready.display()
    );
    let mut run = script(&text, 1);
    let save = Some(Save { signal: 10, within_ms: 60_000 });
    run.program = Arc::new(Program { save, ..(*run.program).clone() });
    server.run(of(7, 1), run.clone());
    crate::patience::await_some(|| ready.exists().then_some(()));
    run.pause = Some(PauseOrder { order: 1, rung: Rung::Checkpoint, undo: false });
    server.run(of(7, 1), run.clone());
    server.until_told(&Report::Saved(of(7, 1)));
    run.signal = Some(SignalOrder { number: 1, signal: 12, to: Reach::All });
    server.run(of(7, 1), run);
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(9) });
}

#[test]
fn what_cannot_be_launched_is_refused_with_the_reason() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::with(&[]));
    machine.start(&server);
    let refusal = |job| {
        server.until(|kept| {
            kept.reports.iter().find_map(|report| match report {
                Report::Refused { of: it, refusal, .. } if *it == of(job, 1) => {
                    Some(refusal.clone())
                }
                _ => None,
            })
        })
    };
    server.run(of(7, 1), script("true", 1));
    assert_eq!(refusal(7), Refusal::Job("no-account".into()));
    let mut run = script("true", 1);
    let name = "no-such-user-here".to_owned();
    let account = Some(muster_api::program::Account { name });
    run.program = Arc::new(Program { account, ..(*run.program).clone() });
    server.run(of(8, 1), run.clone());
    assert_eq!(refusal(8), Refusal::Job("no-such-account".into()));
    let account = Some(muster_api::program::Account { name: "root".to_owned() });
    run.program = Arc::new(Program { account, ..(*run.program).clone() });
    server.run(of(9, 1), run);
    assert_eq!(refusal(9), Refusal::Job("no-root".into()));
}
