//! Places that are held without a program, on a real machine.

use std::sync::Arc;

use muster_agent::launch::folder::Entry;
use muster_api::Runs;
use muster_api::duty::RunWork;
use muster_api::report::Report;
use muster_engine::command::Exit;

use super::machine::{Machine, of, script};
use super::server::Server;

const LEASE_MS: u64 = 600_000;

fn held(runs: Runs, text: &str) -> RunWork {
    let mut work = script(text, 3);
    Arc::make_mut(&mut work.program).runs = runs;
    work
}

#[test]
fn the_first_place_runs_alone_and_sees_what_all_places_have() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    let seen = machine.path("seen");
    let text = format!("echo $CUDA_VISIBLE_DEVICES [$RANK] >>{}; exit 3", seen.display());
    server.run(of(7, 1), held(Runs::First, &text));
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Code(3) });
    assert_eq!(std::fs::read_to_string(seen).unwrap(), "0,1,2 []\n");
}

#[test]
fn a_killed_agent_finds_what_it_held_and_holds_it_until_it_is_told_to_stop() {
    let (server, mut machine) = (Server::start(LEASE_MS), Machine::new());
    machine.start(&server);
    server.run(of(7, 1), held(Runs::Nowhere, ""));
    server.until_told(&Report::Started(of(7, 1)));
    machine.kill();
    machine.start(&server);
    server.until(|kept| kept.announces.get(1).map(|said| assert_eq!(said.running, [of(7, 1)])));
    server.stop(of(7, 1), 1_000);
    server.until_told(&Report::Ended { of: of(7, 1), exit: Exit::Stopped });
    let folder = machine.folder(of(7, 1), 2);
    assert!(folder.has(Entry::Exit) && !folder.has(Entry::Launcher), "it had no process");
}
