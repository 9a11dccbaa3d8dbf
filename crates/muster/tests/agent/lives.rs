//! Agents, launchers and servers that go away, and what becomes of tasks.

use muster_agent::clock;
use muster_agent::launch::folder::Entry;
use muster_api::report::Report;
use muster_engine::command::Exit;

use super::machine::{Machine, of, script};
use super::server::Server;
use crate::patience::await_some;

const LEASE_MS: u64 = 600_000;

/// A job that runs until a file is there.
fn waiting(machine: &Machine, tasks: u32) -> muster_api::duty::RunWork {
    let go = machine.path("go");
    script(&format!("while ! [ -e {} ]; do sleep 0.01; done; exit 6", go.display()), tasks)
}

#[test]
fn a_killed_agent_finds_its_tasks_again() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    server.run(of(7, 1), waiting(&machine, 2));
    server.until_told(&Report::Started(of(7, 1)));
    let child = machine.process(of(7, 1), 0, Entry::Child);
    machine.kill();
    assert!(child.is_alive(), "a task goes on without its agent");
    machine.start(&server);
    server.until(|kept| kept.announces.get(1).map(|said| assert_eq!(said.running, [of(7, 1)])));
    assert!(child.is_alive(), "a task goes on with its next agent");
    std::fs::write(machine.path("go"), "").unwrap();
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(6) });
    let started = Report::Started(of(7, 1));
    let starts = server.kept().reports.iter().filter(|said| **said == started).count();
    assert_eq!(starts, 1, "nothing was launched twice");
}

#[test]
fn what_ended_while_no_agent_looked_is_told_by_the_next() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    server.run(of(7, 1), waiting(&machine, 1));
    server.until_told(&Report::Started(of(7, 1)));
    machine.kill();
    std::fs::write(machine.path("go"), "").unwrap();
    let folder = machine.folder(of(7, 1), 0);
    await_some(|| folder.has(Entry::Exit).then_some(()));
    machine.start(&server);
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(6) });
}

#[test]
fn a_killed_launcher_takes_its_task_with_it_and_that_is_told() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let orphan = machine.path("orphan");
    let text =
        format!("setsid sh -c 'echo $$ >{}; exec sleep 1000' & exec sleep 1000", orphan.display());
    server.run(of(7, 1), script(&text, 1));
    server.until_told(&Report::Started(of(7, 1)));
    let number = await_some(|| {
        let text = std::fs::read_to_string(&orphan).ok()?;
        text.ends_with('\n').then(|| text.trim().parse().unwrap())
    });
    let orphan = muster_agent::launch::Process::with_number(number).unwrap();
    let child = machine.process(of(7, 1), 0, Entry::Child);
    let launcher = machine.process(of(7, 1), 0, Entry::Launcher);
    assert!(launcher.signal_group(9));
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Stopped });
    assert!(!child.is_alive() && !orphan.is_alive(), "something outlived its launcher");
}

#[test]
fn a_server_that_forgot_the_agent_is_told_again_and_tasks_go_on() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    server.run(of(7, 1), waiting(&machine, 1));
    server.until_told(&Report::Started(of(7, 1)));
    let child = machine.process(of(7, 1), 0, Entry::Child);
    server.forget_session();
    server.until(|kept| kept.announces.get(1).map(|said| assert_eq!(said.running, [of(7, 1)])));
    assert!(child.is_alive());
    std::fs::write(machine.path("go"), "").unwrap();
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(6) });
}

#[test]
fn an_agent_without_its_server_ends_its_tasks_with_the_lease_and_not_before() {
    let (server, mut machine) = (Server::start(1_500), Machine::new());
    machine.start(&server);
    server.run(of(7, 1), waiting(&machine, 1));
    server.until_told(&Report::Started(of(7, 1)));
    let child = machine.process(of(7, 1), 0, Entry::Child);
    let lease = muster_agent::launch::lease::LeaseFile::at(machine.path("lease"));
    server.set_down(true);
    await_some(|| (!child.is_alive()).then_some(()));
    assert!(clock::boot_ms() >= lease.until_ms(), "it was ended before its time");
    server.set_down(false);
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Stopped });
}

#[test]
fn tasks_of_a_dead_agent_end_with_the_lease() {
    let (server, mut machine) = (Server::start(1_500), Machine::new());
    machine.start(&server);
    server.run(of(7, 1), waiting(&machine, 1));
    server.until_told(&Report::Started(of(7, 1)));
    let child = machine.process(of(7, 1), 0, Entry::Child);
    machine.kill();
    let lease = muster_agent::launch::lease::LeaseFile::at(machine.path("lease"));
    await_some(|| (!child.is_alive()).then_some(()));
    assert!(clock::boot_ms() >= lease.until_ms(), "it was ended before its time");
    let folder = machine.folder(of(7, 1), 0);
    await_some(|| folder.has(Entry::Exit).then_some(()));
    machine.start(&server);
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Stopped });
}

#[test]
fn a_second_agent_does_not_use_the_folder_of_another() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    server.until(|kept| kept.announces.first().map(|_| ()));
    let mut second = std::process::Command::new(env!("CARGO_BIN_EXE_muster"));
    second.args(["agent", "--name", "node-2", "--gpus", "none", "--server", &server.url]);
    let second = second.arg("--data").arg(machine.path("")).output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && said.contains("another agent runs"), "{said}");
}
