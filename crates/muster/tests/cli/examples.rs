//! The job files that come with Muster are jobs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::fake::{cluster, home, said};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn every_example_is_a_job_and_in_the_list() {
    let home = home("examples");
    let list = fs::read_to_string(folder().join("README.md")).expect("the examples have a list");
    let mut jobs = 0;
    for entry in fs::read_dir(folder()).expect("there are examples") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        assert!(name == "README.md" || list.contains(name), "{name} is not in the list");
        if name == "README.md" || name.ends_with(".sh") {
            continue;
        }
        let said = home.muster(&["submit", "--dry-run", path.to_str().expect("a plain path")]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{name}");
        jobs += 1;
    }
    assert!(jobs >= 6, "{jobs}");
}

#[test]
fn chain_submits_two_jobs_of_which_the_second_waits() {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&sent);
    let submit = move |Json(body): Json<Value>| {
        let mut seen = seen.lock().expect("no test panics with it");
        seen.push(body);
        let id = seen.len() + 40;
        async move { (StatusCode::CREATED, Json(json!({"id": id, "elements": 0}))) }
    };
    let home = cluster("chain", Router::new().route("/v1/jobs", post(submit)));
    let muster = home.command(&[]);
    let mut script = Command::new("/bin/sh");
    script.arg(folder().join("chain.sh")).current_dir(home.folder());
    let variables = muster.get_envs().filter_map(|(name, value)| Some((name, value?)));
    script.env_clear().envs(variables).env("MUSTER", muster.get_program());
    let said = said(&script.output().expect("there is a shell"));
    assert_eq!((said.out.as_str(), said.code), ("41 42\n", Some(0)), "{}", said.err);
    let sent = sent.lock().expect("no test panics with it");
    assert_eq!(sent[1]["spec"]["after"], json!([{"on": {"job": 41, "kind": "after-ok"}}]));
}
