//! Elements of arrays by their index.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use muster_api::JobFile;
use muster_client::Client;
use serde_json::json;

use crate::fake;

/// A server that knows array 12 with the elements 0, 10 and 20, and job 30.
async fn show(Path(id): Path<u64>) -> Response {
    let text = "command: [a]\narray: 0-20:10\n";
    let file = JobFile::read(text, muster_api::job_file::Format::Yaml).expect("a job file");
    let spec = file.into_job("user-a").expect("a job").spec;
    let (array, spec) = match id {
        13..=15 => (Some(12), Some(spec)),
        30 => (None, None),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let job = json!({
        "id": id, "name": "a", "user": "user-a", "queue": "default", "class": "standard",
        "state": "queued", "array": array, "tasks": 1, "gpus_milli": 0, "models": [],
        "attempt": 0, "nodes": [], "submitted": "2026-01-31T08:00:00Z",
    });
    Json(json!({"job": job, "attempts": [], "spec": spec, "program": null})).into_response()
}

async fn server() -> Client {
    fake::client(Router::new().route("/v1/jobs/{id}", get(show))).await
}

#[tokio::test]
async fn element_is_found_by_its_index() {
    let client = server().await;
    assert_eq!(client.element(12, 0).await.expect("there is one"), 13);
    assert_eq!(client.element(12, 20).await.expect("there is one"), 15);
}

#[tokio::test]
async fn element_that_does_not_exist_is_told_with_those_that_do() {
    let error = server().await.element(12, 3).await.expect_err("there is none");
    assert_eq!(error.to_string(), "array 12 has no element 3; it has 0 to 20");
}

#[tokio::test]
async fn job_that_is_no_array_has_no_elements() {
    let client = server().await;
    for id in [29, 50] {
        let error = client.element(id, 0).await.expect_err("it is no array");
        assert_eq!(error.to_string(), format!("{id} is not an array"));
    }
}
