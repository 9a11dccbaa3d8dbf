//! What a restarted server still owes to agents that it has not heard of yet.

mod support;

use std::path::Path;

use muster_api::Announce;
use muster_model::{Millis, NodeSpec};
use muster_server::links::LeaseTerms;
use reqwest::StatusCode;
use support::{Serving, announcing, folder};

/// A server with leases of a length.
async fn serving(folder: &Path, lease: Millis) -> Serving {
    let leases = LeaseTerms { lease, renew: Millis(500) };
    Serving::start(folder, |settings| settings.leases = leases).await
}

/// Announces the node for an agent; the answer.
async fn announce(server: &Serving, instance: &str) -> (StatusCode, serde_json::Value) {
    let instance = instance.to_owned();
    let announce = Announce { instance, ..announcing(NodeSpec::new("node-1", "H100", 8)) };
    let response = server.announce(&announce).await;
    let status = response.status();
    let text = response.text().await.expect("it has a body");
    (status, serde_json::from_str(&text).expect("it is JSON"))
}

#[tokio::test]
async fn node_is_kept_for_its_agent_over_a_restart_with_a_shorter_lease() {
    let folder = folder();
    let long = Millis::hours(100);
    let server = serving(folder.path(), long).await;
    let (status, granted) = announce(&server, "one").await;
    server.stop().await;
    assert_eq!((status, &granted["lease_ms"]), (StatusCode::OK, &long.0.into()));
    // Twice, for a second restart must not forget what the first still knew.
    for _ in 0..2 {
        let server = serving(folder.path(), Millis::seconds(10)).await;
        let (other, own) = (announce(&server, "other").await, announce(&server, "one").await);
        server.stop().await;
        assert_eq!(other.0, StatusCode::CONFLICT, "{}", other.1);
        let detail = other.1["detail"].as_str().expect("it says why");
        assert!(detail.contains("another agent speaks for node node-1 until"), "{detail}");
        assert_eq!(own.0, StatusCode::OK, "{}", own.1);
    }
}
