//! A writer that is killed: what it acknowledged is there, in order, and nothing else than what it
//! wrote.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use muster_store::{Journal, SqliteJournal, StoreError};
use support::{Folder, entries, entry, snapshot};

/// The folder the child writes to.
const FOLDER: &str = "MUSTER_STORE_TEST_FOLDER";

/// Writers killed, each after another number of acknowledgements.
const KILLS: usize = 8;

#[test]
fn acknowledged_entries_survive_the_death_of_their_writer() {
    let folder = Folder::new();
    let mut acknowledged = 0;
    for kill in 0..KILLS {
        let mut child = writer(folder.path());
        let output = child.stdout.take().expect("the child's output is a pipe");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let is_told = |line: &String| line.starts_with("kept ");
        let seen = lines.by_ref().filter(is_told).take(3 + kill * 17).last();
        assert!(seen.is_some(), "the writer got somewhere");
        let refused = SqliteJournal::open(folder.path()).unwrap_err();
        assert!(
            matches!(refused, StoreError::InUse { holder, .. } if holder == Some(child.id())),
            "{refused}"
        );
        child.kill().unwrap();
        child.wait().unwrap();
        // What it told between the last line seen and its death counts too.
        let last = lines.filter(is_told).last().or(seen).expect("a line was seen");
        let told: u64 = last["kept ".len()..].parse().unwrap();
        assert!(told > acknowledged, "it went on where the last one was killed");
        acknowledged = told;

        let journal = folder.journal();
        let last = journal.last().unwrap();
        assert!(last >= acknowledged, "told of {acknowledged}, kept up to {last}");
        check(&journal);
    }
}

/// Starts this very test binary as a writer.
fn writer(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writes_until_it_is_killed", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Every entry that is left says what was written under its number.
fn check(journal: &SqliteJournal) {
    let covered = journal.snapshot_latest().unwrap().snapshot;
    assert_eq!(covered, covered.as_ref().map(|found| snapshot(found.sequence)));
    let mut after = journal.first().unwrap().expect("something was written") - 1;
    loop {
        let page = journal.read(after, 500).unwrap();
        let Some(last) = page.last() else { break };
        assert!(page.iter().all(|found| *found == entry(found.sequence)));
        after = last.sequence;
    }
    assert_eq!(after, journal.last().unwrap());
}

#[test]
#[ignore = "the child of another test: writes without end"]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut journal = SqliteJournal::open(Path::new(&folder)).unwrap().journal;
    let mut output = std::io::stdout().lock();
    for round in 1_u64.. {
        let first = journal.last().unwrap() + 1;
        let last = journal.append(&entries(first, first + round % 5)).unwrap();
        writeln!(output, "kept {last}").unwrap();
        if round.is_multiple_of(7) {
            journal.snapshot_save(&snapshot(last)).unwrap();
            journal.prune(last).unwrap();
        }
    }
}
