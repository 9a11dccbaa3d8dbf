//! Files for the binary to read, and calls of it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The keys of figures that every run has.
pub(super) const FIGURES: [&str; 13] = [
    "jobs",
    "mean_jct_s",
    "p50_jct_s",
    "p99_jct_s",
    "mean_queue_s",
    "p99_queue_s",
    "p999_queue_s",
    "max_gap_s",
    "makespan_s",
    "allocated_share",
    "useful_share",
    "preemptions",
    "gpu_hours_lost",
];

/// A file below the target folder.
pub(super) fn path(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sim");
    fs::create_dir_all(&folder).expect("a folder can be made below the target folder");
    folder.join(name).display().to_string()
}

pub(super) fn file(name: &str, text: &str) -> String {
    let path = path(name);
    fs::write(&path, text).expect("a file can be written in the tests' folder");
    path
}

pub(super) fn sim(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
    command.arg("sim").args(arguments).output().expect("the binary was built for this test")
}

pub(super) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is said of a call that fails.
pub(super) fn refused(arguments: &[&str]) -> String {
    let output = sim(arguments);
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}
