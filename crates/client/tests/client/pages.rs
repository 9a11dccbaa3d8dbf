//! Lists come whole, whatever the size of a page.

use axum::extract::Query;
use axum::routing::get;
use axum::{Json, Router};
use muster_api::Page;
use muster_api::view::JobState;
use muster_client::{EventFilter, JobFilter};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fake;

#[derive(Debug, Deserialize)]
struct Wanted {
    after: Option<u64>,
    before: Option<u64>,
    limit: u64,
    node: Option<String>,
}

/// A server with 25 events that gives at most ten at once.
async fn events(Query(wanted): Query<Wanted>) -> Json<Page<Value>> {
    assert_eq!(wanted.node.as_deref(), Some("node-1"));
    let most = wanted.limit.min(10);
    let ids: Vec<u64> = match (wanted.after, wanted.before) {
        (Some(after), _) => (after + 1..=25.min(after + most)).collect(),
        (None, before) => {
            let before = before.unwrap_or(26);
            (1.max(before.saturating_sub(most))..before).rev().collect()
        }
    };
    let event = |id| json!({"id": id, "at": "2026-01-31T08:00:00Z", "kind": "node", "text": ""});
    let next = ids.last().filter(|&&id| id != 25 && id != 1).map(ToString::to_string);
    Json(Page { items: ids.into_iter().map(event).collect(), next })
}

#[tokio::test]
async fn pages_make_one_list() {
    let client = fake::client(Router::new().route("/v1/events", get(events))).await;
    let mut filter = EventFilter { node: Some("node-1".to_owned()), ..EventFilter::default() };
    let ids = |events: Vec<muster_api::view::EventView>| -> Vec<u64> {
        events.iter().map(|event| event.id).collect()
    };
    let all = ids(client.events(&filter).await.expect("it answers"));
    assert_eq!(all, (1..=25).collect::<Vec<_>>());
    filter.most = Some(13);
    let latest = ids(client.events(&filter).await.expect("it answers"));
    assert_eq!(latest, (13..=25).collect::<Vec<_>>());
    filter.after = Some(0);
    let first = ids(client.events(&filter).await.expect("it answers"));
    assert_eq!(first, (1..=13).collect::<Vec<_>>());
}

#[tokio::test]
async fn list_that_turns_in_circles_is_refused() {
    let circle = || async { Json(json!({"items": [], "next": "1"})) };
    let client = fake::client(Router::new().route("/v1/events", get(circle))).await;
    let error = client.events(&EventFilter::default()).await.expect_err("it never ends");
    assert!(error.to_string().contains("does not end"), "{error}");
}

#[tokio::test]
async fn filter_of_jobs_is_part_of_the_question() {
    let jobs = |query: axum::extract::RawQuery| async move {
        let query = query.0.expect("there is a question");
        let expected = "state=running%2Cqueued&user=user-a&array=12&reasons=true&limit=7";
        assert_eq!(query, expected);
        Json(json!({"items": []}))
    };
    let client = fake::client(Router::new().route("/v1/jobs", get(jobs))).await;
    let filter = JobFilter {
        states: vec![JobState::Running, JobState::Queued],
        user: Some("user-a".to_owned()),
        array: Some(12),
        reasons: true,
        most: Some(7),
        ..JobFilter::default()
    };
    assert_eq!(client.jobs(&filter).await.expect("it answers"), []);
}
