//! Logs and events go on where they were when a connection breaks.

use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use muster_api::Moment;
use muster_api::view::EventView;
use muster_client::{LogOptions, Logs};
use muster_model::Time;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::iter;
use tokio_stream::wrappers::ReceiverStream;

use crate::fake;

#[derive(Deserialize)]
struct After {
    after: Option<u64>,
}

fn event(id: u64) -> EventView {
    EventView {
        id,
        at: Moment(Time(id)),
        kind: "job".to_owned(),
        job: Some(1),
        node: None,
        text: "ran\nwell".to_owned(),
    }
}

#[tokio::test]
async fn events_go_on_after_the_last_one_seen() {
    // Each connection tells two events and ends, as when a server restarts.
    let stream = |Query(After { after }): Query<After>| async move {
        let first = after.unwrap_or(0) + 1;
        let tell = |id: u64| Event::default().id(id.to_string()).json_data(event(id));
        Sse::new(iter([first, first + 1].map(tell)))
    };
    let client = fake::client(Router::new().route("/v1/events/stream", get(stream))).await;
    let mut events = client.event_stream(None);
    for id in 1..=5 {
        assert_eq!(events.next().await.expect("they go on"), event(id));
    }
}

#[tokio::test]
async fn event_that_is_none_ends_the_stream() {
    let stream = || async {
        Sse::new(iter([Ok::<_, Infallible>(Event::default().data("{\"id\": \"odd\"}"))]))
    };
    let client = fake::client(Router::new().route("/v1/events/stream", get(stream))).await;
    let error = client.event_stream(None).next().await.expect_err("it is no event");
    assert!(error.to_string().contains("something else than expected"), "{error}");
}

#[derive(Deserialize)]
struct Wanted {
    task: u32,
    from: usize,
    follow: bool,
}

/// What task 3 writes.
const WRITTEN: &str = "hello world\nand the rest\n";

/// Gives a few bytes of the log, and then breaks off unless that was all.
async fn piece(Query(wanted): Query<Wanted>) -> Response {
    assert!(wanted.follow && wanted.task == 3);
    let rest = &WRITTEN[wanted.from..];
    let piece = &rest[..rest.len().min(10)];
    let is_all = piece.len() == rest.len();
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        let bytes = Ok(Bytes::from_static(piece.as_bytes()));
        sender.send(bytes).await.expect("the answer waits for it");
        // There is room for more once the bytes were taken: they are on their way.
        let room = sender.reserve().await;
        if let (Ok(room), false) = (room, is_all) {
            room.send(Err(io::Error::other("broken")));
        }
    });
    Body::from_stream(ReceiverStream::new(receiver)).into_response()
}

async fn whole(mut logs: Logs) -> String {
    let mut text = Vec::new();
    while let Some(bytes) = logs.next().await.expect("it goes on") {
        text.extend(bytes);
    }
    String::from_utf8(text).expect("text")
}

#[tokio::test]
async fn log_goes_on_at_the_byte_where_it_broke() {
    let client = fake::client(Router::new().route("/v1/jobs/{id}/logs", get(piece))).await;
    let options = LogOptions { task: 3, follow: true, ..LogOptions::default() };
    assert_eq!(whole(client.logs(7, options)).await, WRITTEN);
}

#[tokio::test]
async fn log_that_does_not_exist_is_told_once() {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let none = || async {
        ASKED.fetch_add(1, Ordering::Relaxed);
        StatusCode::NOT_FOUND
    };
    let client = fake::client(Router::new().route("/v1/jobs/{id}/logs", get(none))).await;
    let error = client.logs(7, LogOptions::default()).next().await.expect_err("there is none");
    assert!(error.is_no_log());
    assert_eq!(ASKED.load(Ordering::Relaxed), 1);
}
