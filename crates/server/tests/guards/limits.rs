//! Limits on rate and size, and tokens that are none.

use std::sync::Arc;

use muster_api::program::Account;
use muster_api::{Program, Submission};
use muster_model::{JobSpec, Name};
use muster_server::limit::Limits;
use reqwest::{Client, Method, StatusCode};

use super::server::guarded;

#[tokio::test]
async fn user_who_asks_too_much_is_told_to_wait_and_nobody_else_is() {
    let (guarded, _folder) = guarded(Limits { requests_per_second: 1, burst: 3 }, None).await;
    let mut turned_away = None;
    // Only a machine that needs a second for each of these would see no end.
    for _ in 0..100 {
        let response = guarded.get("/v1/whoami", &guarded.tokens.user_a).await;
        if response.status() != StatusCode::OK {
            turned_away = Some(response);
            break;
        }
    }
    let response = turned_away.expect("there is a limit");
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.headers()["retry-after"], "1");
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let text = response.text().await.expect("it has a body");
    assert!(text.contains("array"), "it says what to do: {text}");
    assert_eq!(guarded.get("/v1/whoami", &guarded.tokens.user_b).await.status(), StatusCode::OK);
    guarded.stop().await;
}

#[tokio::test]
async fn agents_are_never_kept_from_renewing_their_leases() {
    let (guarded, _folder) = guarded(Limits { requests_per_second: 1, burst: 1 }, None).await;
    for _ in 0..20 {
        assert_eq!(guarded.get("/v1/whoami", &guarded.tokens.agent).await.status(), StatusCode::OK);
    }
    guarded.stop().await;
}

#[tokio::test]
async fn request_that_is_too_large_is_refused() {
    let (guarded, _folder) = guarded(Limits::default(), None).await;
    let request =
        Client::new().post(format!("{}/v1/jobs", guarded.url)).bearer_auth(&guarded.tokens.user_a);
    let body = format!("{{\"spec\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    let sent = request.header("content-type", "application/json").body(body).send().await;
    // The server may close the connection before all is sent; then there is no answer to read.
    if let Ok(response) = sent {
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
    let after = guarded.get("/v1/whoami", &guarded.tokens.user_a).await;
    assert_eq!(after.status(), StatusCode::OK, "the server goes on");
    guarded.stop().await;
}

#[tokio::test]
async fn nobody_gets_in_without_a_good_token() {
    let (guarded, _folder) = guarded(Limits::default(), None).await;
    for token in [
        "",
        "muster",
        "muster_000000000000_00",
        &guarded.tokens.user_a[..guarded.tokens.user_a.len() - 1],
    ] {
        let response = guarded.get("/v1/jobs", token).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{token}");
    }
    guarded.stop().await;
}

#[tokio::test]
async fn nobody_runs_a_job_under_the_account_of_somebody_else() {
    let (guarded, _folder) = guarded(Limits::default(), None).await;
    let submit = async |account: &str| {
        let spec = JobSpec::gang("train", 1, 8);
        let spec = JobSpec { user: Name::from("user-a"), ..spec };
        let account = Some(Account { name: account.to_owned() });
        let program = Program { command: vec!["true".to_owned()], account, ..Program::default() };
        let submission = Submission { spec: Arc::new(spec), program: Arc::new(program) };
        guarded.send(Method::POST, "/v1/jobs", &guarded.tokens.user_a, &submission).await
    };
    let refused = submit("user-b").await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let text = refused.text().await.expect("it has a body");
    assert!(text.contains("a job of user-a would run as user-b"), "{text}");
    assert_eq!(submit("user-a").await.status(), StatusCode::CREATED);
    guarded.stop().await;
}
