//! Refusals, strange answers and silence, in words.

use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post};
use axum::{Json, Router};
use muster_api::Problem;
use muster_api::answer::Identity;
use muster_client::{Client, Error, Order, Target};
use tokio::net::TcpListener;

use crate::fake;

fn refusal(problem: &Problem) -> Router {
    let status = StatusCode::from_u16(problem.status).expect("a status");
    let body = serde_json::to_string(problem).expect("a problem");
    let kind = [(header::CONTENT_TYPE, "application/problem+json")];
    Router::new().route("/v1/jobs/{id}/{verb}", post(move || async move { (status, kind, body) }))
}

#[tokio::test]
async fn problem_of_the_server_is_told_with_its_hint() {
    let problem = Problem::new(409, "conflict", "job 3 has ended").hint("submit it again");
    let client = fake::client(refusal(&problem)).await;
    let error = client.order(3, Order::Cancel).await.expect_err("it is refused");
    assert_eq!(error.to_string(), "job 3 has ended");
    assert_eq!(error.hint().as_deref(), Some("submit it again"));
    assert!(matches!(error, Error::Refused(told) if told == problem));
}

#[tokio::test]
async fn refused_token_leads_to_login() {
    let client = fake::client(refusal(&Problem::new(401, "who are you?", ""))).await;
    let error = client.order(3, Order::Hold).await.expect_err("it is refused");
    assert_eq!(error.to_string(), "who are you?");
    assert!(error.hint().expect("there is a way").contains("muster login"));
}

#[tokio::test]
async fn page_of_a_proxy_is_not_shown_as_if_it_were_ours() {
    let page = || async { (StatusCode::BAD_GATEWAY, "<html>bad gateway</html>") };
    let client = fake::client(Router::new().route("/v1/cluster", get(page))).await;
    let error = client.cluster().await.expect_err("it is refused");
    assert_eq!(error.to_string(), "the server answered 502 bad gateway");
}

#[tokio::test]
async fn answer_of_another_form_is_told_as_such() {
    let client = fake::client(Router::new().route("/v1/cluster", get(|| async { "hello" }))).await;
    let error = client.cluster().await.expect_err("it is not understood");
    assert!(matches!(error, Error::Answer { .. }), "{error}");
}

#[tokio::test]
async fn server_that_is_gone_is_told_with_its_process() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has free ports");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    drop(listener);
    let error = fake::connect(&url, Some(4321)).cluster().await.expect_err("nothing listens");
    let said = format!("cannot reach the server at {url}: connection refused");
    assert_eq!(error.to_string(), said);
    let hint = error.hint().expect("there is a way");
    assert!(hint.contains("4321") && hint.contains("muster up"), "{hint}");
}

#[tokio::test]
async fn token_is_shown_to_the_server_and_to_nobody_else() {
    let whoami = |headers: HeaderMap| async move {
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        assert_eq!(shown, Some("Bearer open sesame"));
        Json(Identity { user: "user-a".to_owned(), grants: Vec::new() })
    };
    let client = fake::client(Router::new().route("/v1/whoami", get(whoami))).await;
    assert_eq!(client.whoami().await.expect("it answers").user, "user-a");
    assert!(!format!("{client:?}").contains("sesame"));
}

#[tokio::test]
async fn names_stay_one_part_of_the_address() {
    let drain = |path: axum::extract::Path<String>| async move {
        assert_eq!(path.0, "../policy?x=/y");
        StatusCode::ACCEPTED
    };
    let client = fake::client(Router::new().route("/v1/nodes/{name}/drain", post(drain))).await;
    client.drain("../policy?x=/y").await.expect("it is one name");
}

#[test]
fn address_that_is_none_is_refused() {
    for url in ["", "localhost", "localhost:7070", "ftp://host", "http://user:secret@host"] {
        let target = Target { url: url.to_owned(), token: None, ca: None, pid: None };
        let error = Client::new(&target).expect_err("it is no address");
        assert!(matches!(error, Error::Address { .. }), "{url}: {error}");
    }
}
