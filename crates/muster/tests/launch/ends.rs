//! Tasks that are ended, and what they leave behind.

use muster_agent::clock;
use muster_agent::launch::Word;
use muster_engine::command::Exit;

use super::bench::{Bench, await_end};

#[test]
fn what_a_task_leaves_behind_ends_with_it() {
    let bench = Bench::new();
    let (plain, own) = (bench.path("plain"), bench.path("own"));
    // One orphan in the task's session, and one that has made a session of its own.
    let script = format!(
        "(sleep 1000 & echo $! >{}) ; setsid sh -c 'echo $$ >{}; exec sleep 1000' & \
         while ! [ -s {} ]; do sleep 0.01; done; while ! [ -e go ]; do sleep 0.01; done",
        plain.display(),
        own.display(),
        own.display()
    );
    let mut launched = bench.launch(&bench.task(&script));
    let (plain, own) = (launched.process_in(&plain), launched.process_in(&own));
    assert!(plain.is_alive() && own.is_alive());
    std::fs::write(bench.path("go"), "").unwrap();
    assert_eq!(launched.exit(), Exit::Code(0));
    assert!(!plain.is_alive(), "an orphan outlived its task");
    assert!(!own.is_alive(), "an orphan with a session of its own outlived its task");
}

#[test]
fn a_task_does_not_outlive_its_launcher() {
    let bench = Bench::new();
    let mut launched = bench.launch(&bench.task("exec sleep 1000"));
    assert_eq!(launched.word, Some(Word::Started));
    let child = launched.child();
    assert!(child.is_alive());
    launched.launcher.kill().unwrap();
    launched.launcher.wait().unwrap();
    await_end(&child);
}

#[test]
fn a_launcher_ends_its_task_when_the_lease_ends_and_not_before() {
    let bench = Bench::new();
    let until_ms = clock::boot_ms() + 700;
    bench.lease.set(until_ms).unwrap();
    let mut launched = bench.launch(&bench.task("trap '' TERM; sleep 1000 & wait"));
    assert_eq!(launched.word, Some(Word::Started));
    assert_eq!(launched.exit(), Exit::Stopped);
    assert!(clock::boot_ms() >= until_ms, "it was ended before its time");
}

#[test]
fn a_lease_that_is_renewed_keeps_the_task_going() {
    let bench = Bench::new();
    bench.lease.set(clock::boot_ms() + 300).unwrap();
    let done = bench.path("done");
    let script = format!("while ! [ -e {} ]; do sleep 0.01; done", done.display());
    let mut launched = bench.launch(&bench.task(&script));
    assert_eq!(launched.word, Some(Word::Started));
    let first = clock::boot_ms() + 300;
    bench.lease.set(clock::boot_ms() + 600_000).unwrap();
    while clock::boot_ms() <= first {
        std::thread::yield_now();
    }
    std::fs::write(done, "").unwrap();
    assert_eq!(launched.exit(), Exit::Code(0));
}

#[test]
fn a_second_launcher_leaves_a_task_alone_that_another_has() {
    let bench = Bench::new();
    let mut launched = bench.launch(&bench.task("exec sleep 1000"));
    let mut second = std::process::Command::new(env!("CARGO_BIN_EXE_muster"));
    let second = second.arg("launch").arg(launched.folder.path()).output().unwrap();
    assert!(second.status.success() && second.stdout.is_empty(), "{second:?}");
    assert!(launched.child().is_alive());
    assert!(launched.child().signal_group(15));
    assert_eq!(launched.exit(), Exit::Signal(15));
}
