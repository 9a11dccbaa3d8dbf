//! `muster submit`: files, flags on top of them, and what goes along.

use std::io::Write;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::fake::{Home, cluster, home, said};

fn dry(home: &Home, arguments: &[&str]) -> Value {
    let all = [&["submit", "--dry-run", "--json"], arguments].concat();
    let said = home.muster(&all);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{arguments:?}");
    serde_json::from_str(&said.out).expect("it prints JSON")
}

#[test]
fn flags_go_before_what_the_file_says() {
    let home = home("flags");
    let file = "name: filed\ntasks: 2\ngpus: 4\nqueue: research\nenv: {A: 1, B: 2, LANG: de}\n\
                command: [train]\ndirectory: deep\nhold: true\n";
    home.write("job.yaml", file);
    let arguments =
        ["job.yaml", "--gpus", "H100x8", "--name", "flagged", "--env", "B=3", "--", "other", "-x"];
    let job = dry(&home, &arguments);
    let spec = &job["spec"];
    assert_eq!(spec["name"], "flagged");
    assert_eq!(spec["queue"], "research");
    assert_eq!(spec["hold"], true);
    assert_eq!(spec["groups"][0]["tasks"], json!({"min": 2, "max": 2}));
    assert_eq!(spec["groups"][0]["task"]["gpus"], 8);
    assert_eq!(spec["groups"][0]["task"]["models"], json!(["H100"]));
    let program = &job["program"];
    assert_eq!(program["command"], json!(["other", "-x"]));
    assert_eq!(program["directory"], json!(home.folder().join("deep")));
    let own = home.folder().to_str();
    let environment =
        json!({"A": "1", "B": "3", "HOME": own, "LANG": "de", "PATH": "/usr/bin:/bin"});
    assert_eq!(program["environment"], environment);
    assert!(program["umask"].is_u64());
    assert_eq!(program["account"]["name"], spec["user"]);
}

#[test]
fn environment_goes_along_only_where_it_is_named() {
    let home = home("environment");
    let mut command = home.command(&["submit", "--dry-run", "--json", "--env", "GIVEN", "--", "a"]);
    command.env("GIVEN", "this").env("SECRET", "not this");
    let said = said(&command.output().expect("the binary was built"));
    let job: Value = serde_json::from_str(&said.out).expect("it prints JSON");
    assert_eq!(job["program"]["environment"]["GIVEN"], "this");
    assert!(!said.out.contains("not this"));
    assert_eq!(job["program"]["directory"], json!(home.folder()));
}

#[test]
fn job_comes_from_standard_input_too() {
    let home = home("stdin");
    let mut command = home.command(&["submit", "--dry-run", "--json", "-", "--format", "toml"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the binary was built");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(b"command = [\"a\"]\ntime = \"2h\"\n").expect("it reads");
    drop(stdin);
    let said = said(&child.wait_with_output().expect("it ends"));
    let job: Value = serde_json::from_str(&said.out).expect("it prints JSON");
    assert_eq!(job["spec"]["timing"]["limit"], 7_200_000);
}

#[test]
fn number_is_printed_and_the_job_is_sent() {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&sent);
    let submit = move |Json(body): Json<Value>| {
        seen.lock().expect("no test panics with it").push(body);
        async { (StatusCode::CREATED, Json(json!({"id": 12, "elements": 10}))) }
    };
    let home = cluster("number", Router::new().route("/v1/jobs", post(submit)));
    let said = home.muster(&["submit", "--array", "0-9%2", "--after", "afterok:3", "--", "a"]);
    assert_eq!((said.out.as_str(), said.code), ("12\n", Some(0)));
    assert_eq!(said.err, "submitted array 12 with 10 elements\n");
    let sent = sent.lock().expect("no test panics with it");
    assert_eq!(sent[0]["spec"]["array"]["throttle"], 2);
    assert_eq!(sent[0]["spec"]["after"].as_array().map(Vec::len), Some(1));
}

#[test]
fn every_mistake_in_a_job_is_told() {
    let said =
        home("mistakes").muster(&["submit", "--memory", "lots", "--time", "soon", "--", "a"]);
    assert_eq!((said.out.as_str(), said.code), ("", Some(1)));
    assert!(said.err.starts_with("error: memory: "), "{}", said.err);
    assert!(said.err.contains("\ntime: "), "{}", said.err);
}

#[test]
fn calls_that_make_no_sense_exit_with_two_and_a_hint() {
    let home = home("usage");
    home.write("job.yaml", "command: [a]\n");
    let calls: [&[&str]; 4] =
        [&["submit"], &["submit", "train.py"], &["submit", "job.yaml", "--env", "NONE"], &["run"]];
    for call in calls {
        let said = home.muster(call);
        assert_eq!((said.out.as_str(), said.code), ("", Some(2)), "{call:?}");
        assert!(said.err.starts_with("error: ") && said.err.contains("\nhint: "), "{}", said.err);
    }
    assert_eq!(home.muster(&["submit", "--gpu", "1"]).code, Some(2));
}
