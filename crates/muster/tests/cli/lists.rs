//! Lists, and what is asked of several at once.

use axum::extract::{Path, RawQuery};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::fake::{cluster, home, job};

#[test]
fn without_a_cluster_there_is_a_way_to_get_one() {
    for call in [&["jobs"][..], &["status"], &["nodes", "--json"], &["logs", "1"]] {
        let said = home("none").muster(call);
        let err = "error: no cluster is running here\n\
                   hint: start one with `muster up`, or name one with --server or MUSTER_SERVER\n";
        assert_eq!((said.err.as_str(), said.out.as_str(), said.code), (err, "", Some(1)));
    }
}

#[test]
fn jobs_that_ended_are_left_out_unless_asked_for() {
    let jobs = |RawQuery(query): RawQuery| async move {
        let query = query.unwrap_or_default();
        let mut items = vec![job(7, &json!({}))];
        if !query.contains("state=") {
            items.push(job(3, &json!({"state": "ended", "outcome": "completed"})));
        }
        Json(json!({"items": items}))
    };
    let home = cluster("ended", Router::new().route("/v1/jobs", get(jobs)));
    let numbers = |arguments: &[&str]| -> Vec<u64> {
        let said = home.muster(arguments);
        let jobs: Vec<Value> = serde_json::from_str(&said.out).expect("it prints JSON");
        jobs.iter().filter_map(|job| job["id"].as_u64()).collect()
    };
    assert_eq!(numbers(&["jobs", "--json"]), [7]);
    assert_eq!(numbers(&["jobs", "--all", "--json"]), [7, 3]);
    let table = home.muster(&["jobs", "--all"]).out;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("JOB  NAME") && lines[2].contains("completed"), "{table}");
}

#[test]
fn more_jobs_than_were_wanted_are_hinted_at() {
    let jobs = || async {
        let items: Vec<Value> = (0..3).map(|id| job(id, &json!({}))).collect();
        Json(json!({"items": items}))
    };
    let home = cluster("more", Router::new().route("/v1/jobs", get(jobs)));
    let said = home.muster(&["jobs", "--limit", "2"]);
    assert_eq!(said.out.lines().count(), 3);
    assert_eq!(said.err, "hint: these are the newest 2; --limit 0 lists all\n");
    assert_eq!(home.muster(&["jobs", "--limit", "3"]).err, "");
}

#[test]
fn one_refusal_does_not_keep_the_others_from_being_asked() {
    let cancel = |Path(id): Path<u64>| async move {
        let answer: Response = match id {
            2 => {
                let problem = json!({"status": 409, "title": "over", "detail": "it has ended",
                                     "hint": "look at it with `muster job 2`"});
                (StatusCode::CONFLICT, Json(problem)).into_response()
            }
            _ => (StatusCode::ACCEPTED, Json(json!({}))).into_response(),
        };
        answer
    };
    let home = cluster("several", Router::new().route("/v1/jobs/{id}/cancel", post(cancel)));
    assert_eq!(home.muster(&["cancel", "1", "3"]).code, Some(0));
    let said = home.muster(&["cancel", "1", "2", "3"]);
    assert_eq!(said.code, Some(1));
    let err = "error: cannot cancel job 2: it has ended\nhint: look at it with `muster job 2`\n";
    assert_eq!(said.err, err);
    let told = home.muster(&["cancel", "--json", "1", "2"]);
    let told: Value = serde_json::from_str(&told.out).expect("it prints JSON");
    let hint = "look at it with `muster job 2`";
    let refused = json!({"name": "2", "ok": false, "error": "it has ended", "hint": hint});
    assert_eq!(told, json!([{"name": "1", "ok": true}, refused]));
}

#[test]
fn job_that_has_ended_is_said_to_have() {
    let cancel = || async {
        let problem = json!({"status": 422, "title": "not acceptable", "detail": "job: 2 is over"});
        (StatusCode::UNPROCESSABLE_ENTITY, Json(problem))
    };
    let ended = || async {
        let view = job(2, &json!({"state": "ended", "outcome": "failed"}));
        Json(json!({"job": view, "attempts": []}))
    };
    let routes = Router::new().route("/v1/jobs/{id}/cancel", post(cancel));
    let home = cluster("over", routes.route("/v1/jobs/{id}", get(ended)));
    let said = home.muster(&["cancel", "2"]);
    let err = "error: cannot cancel job 2: it has already ended: failed\n";
    assert_eq!((said.err.as_str(), said.code), (err, Some(1)));
}

#[test]
fn policy_is_shown_as_toml_that_can_be_applied_again() {
    let policy = || async { Json(json!({})) };
    let home = cluster("policy", Router::new().route("/v1/policy", get(policy)));
    let shown = home.muster(&["policy", "show"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    home.write("cluster.toml", &shown.out);
    let same = home.muster(&["policy", "diff", "cluster.toml"]);
    assert_eq!((same.out.as_str(), same.err.as_str()), ("", "nothing differs\n"));
    home.write("cluster.toml", &shown.out.replace("order = \"muster\"", "order = \"fifo\""));
    let changed = home.muster(&["policy", "diff", "cluster.toml"]);
    assert_eq!(changed.out, "- policy.order = \"muster\"\n+ policy.order = \"fifo\"\n");
    assert!(shown.out.contains("wait = \"12h\""), "{}", shown.out);
    home.write("cluster.toml", &shown.out.replace("wait = \"12h\"", "wait = \"90m\""));
    let changed = home.muster(&["policy", "diff", "cluster.toml"]);
    let lines = "- policy.floor.wait = \"12h\"\n+ policy.floor.wait = \"1h30m\"\n";
    assert_eq!(changed.out, lines);
    home.write("cluster.toml", "levels = [\"a\", \"a\"]\n");
    let wrong = home.muster(&["policy", "diff", "cluster.toml"]);
    assert_eq!(wrong.code, Some(1));
    home.write("cluster.toml", "[policy.floor]\nwait = \"5 parsecs\"\ncolour = 1\n");
    let wrong = home.muster(&["policy", "apply", "cluster.toml"]);
    let said = "line 2: policy.floor.wait: \"5 parsecs\" is not a duration; write 30s, 10m, 2h or \
                1d\nline 3: policy.floor.colour: there is no such setting; there are share_ppm, \
                wait, quantum\n";
    assert!(wrong.err.ends_with(said), "{}", wrong.err);
}
