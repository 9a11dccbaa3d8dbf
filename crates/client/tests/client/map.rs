//! The picture follows what the server tells, over connections that break.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use muster_api::view::{HeldGpu, MapNode, MapView, NodeState};
use muster_client::{Error, Watched, Watching};
use serde_json::json;
use tokio_stream::iter;

use crate::fake;

/// A picture with so many nodes, all of whose GPUs are held.
fn picture(nodes: u32) -> MapView {
    let mut view: MapView = serde_json::from_value(json!({
        "sequence": 1, "at": "2026-01-31T08:00:00Z", "levels": [], "nodes": [], "jobs": [],
        "largest": [],
        "cluster": {"nodes": nodes, "nodes_unseen": 0, "gpus": nodes * 8, "gpus_used_milli": 0,
                    "pending": 0, "active": 0, "ended": 0, "sequence": 1},
    }))
    .expect("a picture");
    let held = |gpu| HeldGpu { gpu, job: 1_000_000, milli: 1000, busy: Some(1000) };
    view.nodes = (0..nodes)
        .map(|number| MapNode {
            name: format!("node-{number:06}"),
            domains: vec!["block-0001".to_owned(), "rack-0001".to_owned()],
            state: NodeState::Up,
            drained: false,
            model: Some("H100-SXM5-80GB".to_owned()),
            gpus: 8,
            unhealthy: Vec::new(),
            held: (0..8).map(held).collect(),
        })
        .collect();
    view
}

fn told(kind: &str, what: &impl serde::Serialize) -> Event {
    Event::default().event(kind).json_data(what).expect("plain data")
}

async fn seen(watching: &mut Watching) -> usize {
    match watching.next().await {
        Watched::Picture(picture) => picture.nodes.len(),
        Watched::Lost(error) => panic!("a picture was expected: {error}"),
    }
}

#[tokio::test]
async fn picture_follows_the_changes_and_starts_anew_with_each_connection() {
    // Each connection has more nodes than the one before, tells one change, and ends.
    static CONNECTIONS: AtomicU32 = AtomicU32::new(0);
    let stream = || async {
        let nodes = 10 * (CONNECTIONS.fetch_add(1, Ordering::Relaxed) + 1);
        let (whole, later) = (picture(nodes), picture(nodes + 1));
        let change = later.since(&whole).expect("there is one more");
        Sse::new(iter([told("whole", &whole), told("change", &change)].map(Ok::<_, Infallible>)))
    };
    let client = fake::client(Router::new().route("/v1/map/stream", get(stream))).await;
    let mut watching = client.watch();
    for nodes in [10, 11, 0, 20, 21, 0] {
        match nodes {
            0 => assert!(matches!(watching.next().await, Watched::Lost(Error::Answer { .. }))),
            nodes => assert_eq!(seen(&mut watching).await, nodes),
        }
    }
}

#[tokio::test]
async fn refusal_is_told_and_tried_again() {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let stream = || async {
        let answer: Response = match ASKED.fetch_add(1, Ordering::Relaxed) {
            0 => StatusCode::FORBIDDEN.into_response(),
            _ => Sse::new(iter([Ok::<_, Infallible>(told("whole", &picture(1)))])).into_response(),
        };
        answer
    };
    let client = fake::client(Router::new().route("/v1/map/stream", get(stream))).await;
    let mut watching = client.watch();
    let refused = |problem: &muster_api::Problem| problem.status == 403;
    assert!(matches!(watching.next().await, Watched::Lost(Error::Refused(told)) if refused(&told)));
    assert_eq!(seen(&mut watching).await, 1);
}

#[tokio::test]
async fn change_without_a_picture_is_not_understood() {
    let change = picture(1).since(&picture(0)).expect("there is one more");
    let stream = move || {
        let event = told("change", &change);
        async { Sse::new(iter([Ok::<_, Infallible>(event)])) }
    };
    let client = fake::client(Router::new().route("/v1/map/stream", get(stream))).await;
    assert!(matches!(client.watch().next().await, Watched::Lost(Error::Answer { .. })));
}

#[tokio::test]
async fn picture_of_a_hundred_thousand_gpus_is_taken() {
    let stream =
        || async { Sse::new(iter([Ok::<_, Infallible>(told("whole", &picture(12_500)))])) };
    let client = fake::client(Router::new().route("/v1/map/stream", get(stream))).await;
    assert_eq!(seen(&mut client.watch()).await, 12_500);
}
