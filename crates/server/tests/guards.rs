//! What keeps one caller from hurting all others: limits on rate and size, and tokens.

use muster_model::ClusterSpec;
use muster_server::access::Role;
use muster_server::limit::Limits;
use muster_server::links::LeaseTerms;
use muster_server::{Server, ServerSettings};
use reqwest::{Client, Response, StatusCode};
use tokio::sync::oneshot;

/// A server with its tokens, until the test is over.
struct Guarded {
    url: String,
    one: String,
    other: String,
    agent: String,
    stop: oneshot::Sender<()>,
    serving: tokio::task::JoinHandle<Result<(), muster_server::ServerError>>,
    _folder: tempfile::TempDir,
}

impl Guarded {
    async fn start(limits: Limits) -> Guarded {
        // Whichever test comes first installs it for all.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let settings = ServerSettings {
            data: folder.path().to_owned(),
            listen: "127.0.0.1:0".parse().expect("this is an address"),
            cluster: ClusterSpec::default(),
            leases: LeaseTerms::default(),
            limits,
        };
        let server = Server::start(settings).await.expect("a new folder can be used");
        let token = |user, role| server.token(user, role, None, "").expect("tokens can be made");
        let (one, other) = (token("user-a", Role::User), token("user-b", Role::User));
        let agent = token("agents", Role::Agent);
        let url = format!("http://{}", server.address().expect("it listens"));
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(server.serve(async {
            let _ = stopped.await;
        }));
        Guarded { url, one, other, agent, stop, serving, _folder: folder }
    }

    async fn get(&self, path: &str, token: &str) -> Response {
        let request = Client::new().get(format!("{}{path}", self.url)).bearer_auth(token);
        request.send().await.expect("the server answers")
    }

    async fn stop(self) {
        self.stop.send(()).expect("it still serves");
        self.serving.await.expect("it does not panic").expect("it stops cleanly");
    }
}

#[tokio::test]
async fn user_who_asks_too_much_is_told_to_wait_and_nobody_else_is() {
    let guarded = Guarded::start(Limits { requests_per_second: 1, burst: 3 }).await;
    let mut turned_away = None;
    // Only a machine that needs a second for each of these would see no end.
    for _ in 0..100 {
        let response = guarded.get("/v1/whoami", &guarded.one).await;
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
    assert_eq!(guarded.get("/v1/whoami", &guarded.other).await.status(), StatusCode::OK);
    guarded.stop().await;
}

#[tokio::test]
async fn agents_are_never_kept_from_renewing_their_leases() {
    let guarded = Guarded::start(Limits { requests_per_second: 1, burst: 1 }).await;
    for _ in 0..20 {
        assert_eq!(guarded.get("/v1/whoami", &guarded.agent).await.status(), StatusCode::OK);
    }
    guarded.stop().await;
}

#[tokio::test]
async fn request_that_is_too_large_is_refused() {
    let guarded = Guarded::start(Limits::default()).await;
    let request = Client::new().post(format!("{}/v1/jobs", guarded.url)).bearer_auth(&guarded.one);
    let body = format!("{{\"spec\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    let sent = request.header("content-type", "application/json").body(body).send().await;
    // The server may close the connection before all is sent; then there is no answer to read.
    if let Ok(response) = sent {
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
    let after = guarded.get("/v1/whoami", &guarded.one).await;
    assert_eq!(after.status(), StatusCode::OK, "the server goes on");
    guarded.stop().await;
}

#[tokio::test]
async fn nobody_gets_in_without_a_good_token() {
    let guarded = Guarded::start(Limits::default()).await;
    for token in ["", "muster", "muster_000000000000_00", &guarded.one[..guarded.one.len() - 1]] {
        let response = guarded.get("/v1/jobs", token).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{token}");
    }
    guarded.stop().await;
}
