//! `muster bench cluster` at the smallest: every measurement gives its figures, and its jobs end.
//! How fast anything was is not looked at.

use std::process::Command;

use serde_json::Value;

/// Runs one measurement and returns its figures.
fn measure(what: &str, sizes: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let output = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(["bench", "cluster", "--json", "--only", what, "--data"])
        .arg(folder.path())
        .args(sizes)
        .output()
        .expect("the binary starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let figures: Value = serde_json::from_str(&text).expect("there is one object");
    assert_eq!(figures["measurement"], what);
    let left = std::fs::read_dir(folder.path()).expect("the folder is there").count();
    assert_eq!(left, 0, "nothing is left of the measurement");
    figures
}

/// Figures that must be there and more than nothing.
fn are_positive(figures: &Value, names: &[&str]) {
    for name in names {
        assert!(figures[name].as_f64() > Some(0.0), "{name}: {figures}");
    }
}

#[test]
fn latency_follows_every_job_to_its_start() {
    let figures = measure("latency", &["--latency-jobs", "3"]);
    assert_eq!(figures["jobs"], 3);
    are_positive(&figures, &["submit_to_running_p50_ms", "submit_to_running_p99_ms"]);
    are_positive(&figures, &["submit_to_accepted_p50_ms", "submit_to_ended_p99_ms"]);
}

#[test]
fn submissions_are_counted_and_held() {
    let figures = measure("submit", &["--submissions", "20", "--clients", "4"]);
    assert_eq!((&figures["jobs"], &figures["clients"]), (&20.into(), &4.into()));
    are_positive(&figures, &["submissions_per_s", "submission_p99_ms"]);
}

#[test]
fn simulated_jobs_all_complete() {
    let figures = measure("starts", &["--starts", "50", "--clients", "4"]);
    assert_eq!((&figures["jobs"], &figures["jobs_failed"]), (&50.into(), &0.into()));
    are_positive(&figures, &["starts_per_s", "submissions_per_s"]);
}

#[test]
fn real_processes_all_complete() {
    let figures = measure("processes", &["--processes", "12", "--clients", "4"]);
    assert_eq!((&figures["jobs"], &figures["jobs_failed"]), (&12.into(), &0.into()));
    are_positive(&figures, &["jobs_per_s"]);
}

#[test]
fn agents_are_watched_while_jobs_arrive() {
    let sizes = ["--agents", "5", "--arrivals", "10", "--seconds", "1"];
    let figures = measure("agents", &sizes);
    assert_eq!((&figures["agents"], &figures["gpus"]), (&5.into(), &40.into()));
    assert_eq!(figures["jobs_submitted"], 10);
    assert!(figures["nodes_lost_count"].is_number(), "{figures}");
    are_positive(&figures, &["read_p99_ms", "read_jobs_p99_ms", "read_nodes_p99_ms"]);
}

#[test]
fn metrics_of_many_queues_are_read_beside_passes() {
    let figures = measure("metrics", &["--nodes", "6", "--queues", "9"]);
    assert_eq!((&figures["nodes"], &figures["gpus"]), (&6.into(), &48.into()));
    assert_eq!((&figures["queues"], &figures["jobs_active"]), (&9.into(), &6.into()));
    assert!(figures["jobs_pending"].as_u64() >= Some(9), "a gang in each queue: {figures}");
    are_positive(&figures, &["scrape_bytes", "scrape_p50_ms", "scrape_p99_ms", "first_scrape_ms"]);
    are_positive(&figures, &["passes_count", "pass_mean_us", "scrape_per_pass"]);
}

#[test]
fn a_server_starts_again_on_what_was_left_by_a_stop_and_by_a_crash() {
    let figures = measure("restart", &["--finished", "40", "--live", "10"]);
    assert_eq!((&figures["jobs_finished"], &figures["jobs_live"]), (&40.into(), &10.into()));
    assert_eq!(figures["clean_replayed_entries"], 0);
    are_positive(&figures, &["clean_ready_s", "crash_ready_s", "crash_replayed_entries"]);
}

#[test]
fn people_get_a_table_with_aims() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let output = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(["bench", "cluster", "--only", "submit", "--submissions", "4", "--data"])
        .arg(folder.path())
        .output()
        .expect("the binary starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("submit\n"), "{text}");
    assert!(text.contains("at least 1000"), "{text}");
}
