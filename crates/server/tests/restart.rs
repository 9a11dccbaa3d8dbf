//! What a restarted server still owes to agents that it has not heard of yet.

use std::path::Path;

use muster_api::Announce;
use muster_api::session::PROTOCOL;
use muster_model::{Millis, NodeSpec};
use muster_server::access::Role;
use muster_server::config::ServerFile;
use muster_server::links::LeaseTerms;
use muster_server::{Server, ServerSettings};
use reqwest::{Client, StatusCode};

/// Runs a server while `work` asks it something.
async fn serving<T>(
    folder: &Path,
    lease: Millis,
    work: impl AsyncFnOnce(String, String) -> T,
) -> T {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let settings = ServerSettings {
        data: folder.to_owned(),
        listen: "127.0.0.1:0".parse().expect("this is an address"),
        leases: LeaseTerms { lease, renew: Millis(500) },
        ..ServerFile::default().settings()
    };
    let server = Server::start(settings).await.expect("the folder can be used");
    let token = server.token("agents", Role::Agent, None, "").expect("tokens can be made");
    let url = format!("http://{}", server.address().expect("it listens"));
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(server.serve(async {
        let _ = stopped.await;
    }));
    let done = work(url, token).await;
    stop.send(()).expect("it still serves");
    task.await.expect("it does not panic").expect("it stops cleanly");
    done
}

/// Announces the node for an agent; the answer.
async fn announce(url: &str, token: &str, instance: &str) -> (StatusCode, serde_json::Value) {
    let announce = Announce {
        protocol: PROTOCOL,
        spec: NodeSpec::new("node-1", "H100", 8),
        address: "127.0.0.1".to_owned(),
        instance: instance.to_owned(),
        number: 0,
        running: Vec::new(),
        reports: Vec::new(),
        offers: Vec::new(),
    };
    let request = Client::new().post(format!("{url}/v1/agent/announce")).bearer_auth(token);
    let body = serde_json::to_vec(&announce).expect("it is plain data");
    let request = request.header("content-type", "application/json").body(body);
    let response = request.send().await.expect("the server answers");
    let status = response.status();
    let text = response.text().await.expect("it has a body");
    (status, serde_json::from_str(&text).expect("it is JSON"))
}

#[tokio::test]
async fn node_is_kept_for_its_agent_over_a_restart_with_a_shorter_lease() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let long = Millis::hours(100);
    let first =
        serving(folder.path(), long, async |url, token| announce(&url, &token, "one").await);
    let (status, granted) = first.await;
    assert_eq!((status, &granted["lease_ms"]), (StatusCode::OK, &long.0.into()));
    // Twice, for a second restart must not forget what the first still knew.
    for _ in 0..2 {
        let short = Millis::seconds(10);
        let (other, own) = serving(folder.path(), short, async |url, token| {
            (announce(&url, &token, "other").await, announce(&url, &token, "one").await)
        })
        .await;
        assert_eq!(other.0, StatusCode::CONFLICT, "{}", other.1);
        let detail = other.1["detail"].as_str().expect("it says why");
        assert!(detail.contains("another agent speaks for node node-1 until"), "{detail}");
        assert_eq!(own.0, StatusCode::OK, "{}", own.1);
    }
}
