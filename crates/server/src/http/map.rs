//! The cluster as a picture, live, and what runs next.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Sse};
use muster_api::view::{MapChange, MapView, PlanView};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::answer::{Answered, Json, Problems, broken};
use super::{App, Shared};
use crate::access::{Caller, Verb};
use crate::picture;

/// Pictures that may wait for a slow reader.
const WAITING: usize = 4;

/// A line that says nothing, so that proxies keep the stream open.
const ALIVE: Duration = Duration::from_secs(15);

#[utoipa::path(
    get,
    path = "/v1/map",
    operation_id = "map_show",
    tag = "cluster",
    summary = "Every GPU, who has it, and how busy it is",
    responses((status = 200, description = "The picture", body = MapView), Problems)
)]
pub(crate) async fn show(app: Shared, caller: Caller) -> Answered<Json<MapView>> {
    caller.must(Verb::Look, None, None)?;
    Ok(Json(picture::draw(&app.driver, &app.activity)))
}

/// The whole picture first, as `whole`, then what changes in it, as `change`, at most once a
/// second. Who falls behind is told the whole again.
#[utoipa::path(
    get,
    path = "/v1/map/stream",
    operation_id = "map_stream",
    tag = "cluster",
    summary = "Watch the picture change, as server-sent events",
    responses(
        (status = 200, description = "The picture, then one change after another",
         body = MapChange, content_type = "text/event-stream"),
        Problems
    )
)]
pub(crate) async fn stream(app: Shared, caller: Caller) -> Answered<impl IntoResponse> {
    caller.must(Verb::Look, None, None)?;
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(tell(Arc::clone(&app), sender));
    let alive = KeepAlive::new().interval(ALIVE);
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(alive))
}

async fn tell(app: Arc<App>, sender: mpsc::Sender<Result<Event, Infallible>>) {
    loop {
        let (whole, mut changes) = app.picture.watch(&app.driver, &app.activity);
        let text = serde_json::to_string(&*whole).expect("a picture is plain data");
        let mut next = Event::default().event("whole").data(text);
        loop {
            if sender.send(Ok(next)).await.is_err() {
                return;
            }
            let heard = tokio::select! {
                heard = changes.recv() => heard,
                () = sender.closed() => return,
            };
            match heard {
                Ok(change) => next = Event::default().event("change").data(&*change),
                Err(RecvError::Lagged(_)) => break,
                Err(RecvError::Closed) => return,
            }
        }
    }
}

#[utoipa::path(
    get,
    path = "/v1/plan",
    operation_id = "map_plan",
    tag = "cluster",
    summary = "What runs next, as far as it can be foreseen",
    responses((status = 200, description = "Ends, starts and bookings", body = PlanView), Problems)
)]
pub(crate) async fn plan(app: Shared, caller: Caller) -> Answered<Json<PlanView>> {
    caller.must(Verb::Look, None, None)?;
    let plan = app.picture.plan(&app.driver).await.map_err(broken)?;
    Ok(Json(PlanView::clone(&plan)))
}
