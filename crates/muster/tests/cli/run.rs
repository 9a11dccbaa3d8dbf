//! `muster run`: logs of several tasks, exit codes, Ctrl-C.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use axum::extract::Query;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fake::{cluster, job, said};

fn attempt() -> Value {
    let place = |node: &str, rank| json!({"node": node, "group": 0, "rank": rank, "gpus": [0]});
    json!({
        "attempt": 1, "launched": "2026-01-31T08:00:00Z", "started": "2026-01-31T08:00:01Z",
        "places": [place("node-1", 0), place("node-2", 1)],
    })
}

fn detail(over: &Value, attempts: &[Value]) -> Json<Value> {
    Json(json!({"job": job(7, over), "attempts": attempts, "spec": null, "program": null}))
}

fn submitted() -> Router {
    let submit = || async { (StatusCode::CREATED, Json(json!({"id": 7, "elements": 0}))) };
    Router::new().route("/v1/jobs", post(submit))
}

#[derive(Deserialize)]
struct Wanted {
    task: u32,
    attempt: u32,
}

#[test]
fn lines_carry_the_rank_of_their_task_and_the_exit_code_is_that_of_the_job() {
    let looks = Arc::new(AtomicU32::new(0));
    let show = move || {
        let look = looks.fetch_add(1, Ordering::Relaxed);
        async move {
            match look {
                0 => detail(&json!({}), &[]),
                1 => detail(&json!({"state": "running", "attempt": 1}), &[attempt()]),
                _ => {
                    let over = json!({"state": "ended", "outcome": "failed", "exit_code": 3});
                    detail(&over, &[attempt()])
                }
            }
        }
    };
    let logs = |Query(wanted): Query<Wanted>| async move {
        assert_eq!(wanted.attempt, 1);
        format!("hello\nfrom {}", wanted.task)
    };
    let router = submitted().route("/v1/jobs/7", get(show)).route("/v1/jobs/7/logs", get(logs));
    let home = cluster("ranks", router);
    let said = home.muster(&["run", "--tasks", "2", "--gpus", "1", "--", "train"]);
    let mut lines: Vec<&str> = said.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["[0] from 0", "[0] hello", "[1] from 1", "[1] hello"]);
    assert_eq!(said.err, "submitted job 7\njob 7 failed with exit code 3\n");
    assert_eq!(said.code, Some(3));
}

#[test]
fn interrupt_cancels_the_job_and_waits_for_its_end() {
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_cancelled);
    let show = move || {
        let over = match seen.load(Ordering::Relaxed) {
            false => json!({"state": "queued"}),
            true => json!({"state": "ended", "outcome": "cancelled"}),
        };
        async move { detail(&over, &[]) }
    };
    let cancel = move || {
        is_cancelled.store(true, Ordering::Relaxed);
        async { (StatusCode::ACCEPTED, Json(json!({}))) }
    };
    let router =
        submitted().route("/v1/jobs/7", get(show)).route("/v1/jobs/7/cancel", post(cancel));
    let home = cluster("interrupt", router);
    let mut command = home.command(&["run", "--", "train"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the binary was built");
    let mut first = String::new();
    let mut err = BufReader::new(child.stderr.take().expect("it is piped"));
    err.read_line(&mut first).expect("it says that the job was submitted");
    assert_eq!(first, "submitted job 7\n");
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT).expect("it is still there");
    let rest: Vec<String> = err.lines().map(|line| line.expect("text")).collect();
    let words = ["cancelling job 7; once more to stop watching it", "job 7 was cancelled"];
    assert_eq!(rest, words);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(said(&output).code, Some(130));
}

#[test]
fn array_is_not_run_as_one() {
    let said = cluster("array", submitted()).muster(&["run", "--array", "0-3", "--", "train"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.ends_with("hint: hand it in with `muster submit`\n"), "{}", said.err);
}
