//! Submissions are accepted once, however often they have to be sent.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use muster_api::{Accepted, JobFile, Problem, Submission};
use tokio::net::TcpListener;

use crate::fake;

/// Keys in the order they came, and how many submissions are answered with `status` first.
type Seen = Arc<Mutex<Vec<String>>>;

fn submission() -> Submission {
    let file = JobFile::read("command: [\"true\"]", muster_api::job_file::Format::Yaml);
    file.expect("a job file").into_job("user-a").expect("a job")
}

fn router(seen: &Seen, refusals: usize, status: StatusCode) -> Router {
    let submit = move |State(seen): State<Seen>, headers: HeaderMap| async move {
        let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok());
        let mut seen = seen.lock().expect("no test panics with it");
        seen.push(key.expect("every submission has a key").to_owned());
        answer(seen.len() > refusals, status)
    };
    Router::new().route("/v1/jobs", post(submit)).with_state(Arc::clone(seen))
}

fn answer(is_accepted: bool, status: StatusCode) -> Response {
    if is_accepted {
        return (StatusCode::CREATED, Json(Accepted { id: 7, elements: 0 })).into_response();
    }
    (status, Json(Problem::new(status.as_u16(), "not now", ""))).into_response()
}

#[tokio::test]
async fn submission_is_sent_again_under_the_same_key() {
    let seen = Seen::default();
    let client = fake::client(router(&seen, 2, StatusCode::SERVICE_UNAVAILABLE)).await;
    let accepted = client.submit(&submission()).await.expect("the third is accepted");
    assert_eq!(accepted, Accepted { id: 7, elements: 0 });
    let keys = seen.lock().expect("no test panics with it").clone();
    assert_eq!(keys.len(), 3);
    assert!(keys.iter().all(|key| *key == keys[0] && key.len() == 32), "{keys:?}");
}

#[tokio::test]
async fn two_submissions_have_two_keys() {
    let seen = Seen::default();
    let client = fake::client(router(&seen, 0, StatusCode::OK)).await;
    client.submit(&submission()).await.expect("accepted");
    client.submit(&submission()).await.expect("accepted");
    let keys = seen.lock().expect("no test panics with it").clone();
    assert_ne!(keys[0], keys[1]);
}

#[tokio::test]
async fn submission_that_is_wrong_is_sent_once() {
    let seen = Seen::default();
    let client = fake::client(router(&seen, 9, StatusCode::UNPROCESSABLE_ENTITY)).await;
    client.submit(&submission()).await.expect_err("it is refused");
    assert_eq!(seen.lock().expect("no test panics with it").len(), 1);
}

#[tokio::test]
async fn connection_that_breaks_is_made_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has free ports");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let seen = Seen::default();
    let router = router(&seen, 0, StatusCode::OK);
    tokio::spawn(async move {
        // The first connection is closed without a word, as by a server that is being killed.
        drop(listener.accept().await);
        axum::serve(listener, router).await
    });
    let accepted = fake::connect(&url, None).submit(&submission()).await;
    assert_eq!(accepted.expect("the second is accepted").id, 7);
}
