//! What happened, as a list and as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Sse};
use muster_api::Page;
use muster_api::view::EventView;
use muster_store::history::{EventFilter, EventPage};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Json, PAGE_MAX, Problems, Query, page, page_size};
use crate::access::{Caller, Verb};
use crate::history::{event_position, event_view};

/// Events that may wait for a slow reader.
const WAITING: usize = 256;

/// A line that says nothing, so that proxies keep the stream open.
const ALIVE: Duration = Duration::from_secs(15);

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only events after this one.
    after: Option<u64>,
    /// Only events before this one.
    before: Option<u64>,
    /// Only events of this job.
    job: Option<u64>,
    /// Only events of this node.
    node: Option<String>,
    /// At most so many.
    limit: Option<usize>,
}

impl Wanted {
    fn wants(&self, event: &EventView) -> bool {
        self.job.is_none_or(|job| event.job == Some(job))
            && self.node.as_ref().is_none_or(|node| event.node.as_ref() == Some(node))
    }
}

#[utoipa::path(
    get,
    path = "/v1/events",
    operation_id = "events_list",
    tag = "events",
    summary = "List what happened",
    params(Wanted),
    responses((status = 200, description = "A page of events", body = Page<EventView>), Problems)
)]
pub(crate) async fn list(
    app: Shared,
    caller: Caller,
    Query(wanted): Query<Wanted>,
) -> Answered<Json<Page<EventView>>> {
    caller.must(Verb::Look, None, None)?;
    let most = page_size(wanted.limit);
    let part = match (wanted.after, wanted.before) {
        (Some(after), _) => EventPage::After(event_position(after)),
        (None, Some(before)) => EventPage::Before(event_position(before)),
        (None, None) => EventPage::Latest,
    };
    let filter = EventFilter { job_id: wanted.job, node: wanted.node };
    let rows = app.past.ask(move |past| past.events(&filter, part, most)).await?;
    Ok(page(rows.iter().map(event_view).collect(), most, |event: &EventView| event.id))
}

/// Events from now on; with `after`, first those the reader missed.
#[utoipa::path(
    get,
    path = "/v1/events/stream",
    operation_id = "events_stream",
    tag = "events",
    summary = "Hear what happens, as server-sent events",
    params(Wanted),
    responses(
        (status = 200, description = "One event after another, each with its number",
         body = EventView, content_type = "text/event-stream"),
        Problems
    )
)]
pub(crate) async fn stream(
    app: Shared,
    caller: Caller,
    Query(wanted): Query<Wanted>,
) -> Answered<impl IntoResponse> {
    caller.must(Verb::Look, None, None)?;
    let (sender, receiver) = mpsc::channel(WAITING);
    let app = Arc::clone(&app);
    tokio::spawn(tell(app, wanted, sender));
    let alive = KeepAlive::new().interval(ALIVE);
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(alive))
}

async fn tell(
    app: Arc<super::App>,
    wanted: Wanted,
    sender: mpsc::Sender<Result<Event, Infallible>>,
) {
    let mut live = app.driver.shared().listen();
    let mut last = wanted.after;
    loop {
        // What was missed comes from the history; after it, what happens now.
        while let Some(after) = last {
            let page = EventPage::After(event_position(after));
            let found =
                app.past.ask(move |past| past.events(&EventFilter::default(), page, PAGE_MAX));
            let Ok(rows) = found.await else { return };
            if rows.is_empty() {
                break;
            }
            for event in rows.iter().map(event_view) {
                last = Some(event.id);
                if wanted.wants(&event) && sender.send(Ok(line(&event))).await.is_err() {
                    return;
                }
            }
        }
        loop {
            let heard = tokio::select! {
                heard = live.recv() => heard,
                () = sender.closed() => return,
            };
            match heard {
                Ok(event) => {
                    let is_new = last.is_none_or(|last| event.id > last);
                    last = Some(event.id.max(last.unwrap_or_default()));
                    if is_new
                        && wanted.wants(&event)
                        && sender.send(Ok(line(&event))).await.is_err()
                    {
                        return;
                    }
                }
                Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => break,
                Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
            }
        }
    }
}

fn line(event: &EventView) -> Event {
    let data = serde_json::to_string(event).expect("events are plain data");
    Event::default().id(event.id.to_string()).event("event").data(data)
}
