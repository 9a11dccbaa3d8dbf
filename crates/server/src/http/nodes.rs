//! Nodes, the cluster at a glance, and whether the server is well.

use std::time::Duration;

use axum::extract::Path;
use axum::http::StatusCode;
use muster_api::view::{ClusterView, NodeView};
use muster_api::{Page, Problem};
use muster_engine::command::Command;

use super::Shared;
use super::answer::{Answered, Json, Refused, accepted, unknown};
use crate::access::{Caller, Verb};
use crate::entry::Entry;

/// By then a pass that takes too long is known as such.
const GRACE: Duration = Duration::from_millis(100);

pub(crate) async fn list(app: Shared, caller: Caller) -> Answered<Json<Page<NodeView>>> {
    caller.must(Verb::Look, None, None)?;
    let items = app.driver.shared().read().nodes();
    Ok(Json(Page { items, next: None }))
}

pub(crate) async fn show(
    app: Shared,
    caller: Caller,
    Path(name): Path<String>,
) -> Answered<Json<NodeView>> {
    caller.must(Verb::Look, None, None)?;
    let control = app.driver.shared().read();
    let view = control.node_named(&name).and_then(|node| control.node_view(node));
    view.map(Json).ok_or_else(|| unknown("node", name))
}

pub(crate) async fn change(
    app: Shared,
    caller: Caller,
    Path((name, verb)): Path<(String, String)>,
) -> Answered<(StatusCode, Json<serde_json::Value>)> {
    caller.must(Verb::ChangeNode, None, None)?;
    let node = app.driver.shared().read().node_named(&name);
    let node = node.ok_or_else(|| unknown("node", &name))?;
    let command = match verb.as_str() {
        "drain" => Command::NodeDrained { node },
        "resume" => Command::NodeResumed { node },
        other => return Err(unknown("way to change a node called", other)),
    };
    accepted(app.driver.record_one(Entry::Told(command)).await?)?;
    Ok((StatusCode::ACCEPTED, Json(serde_json::json!({}))))
}

pub(crate) async fn cluster(app: Shared, caller: Caller) -> Answered<Json<ClusterView>> {
    caller.must(Verb::Look, None, None)?;
    let shared = app.driver.shared();
    let sequence = shared.sequence();
    Ok(Json(shared.read().glance(sequence)))
}

/// The process answers.
pub(crate) async fn healthy() -> &'static str {
    "ok\n"
}

/// The journal takes entries, and the driver works.
pub(crate) async fn ready(app: Shared) -> Answered<&'static str> {
    let pulse = app.driver.shared().pulse();
    let stalled = || pulse.stalled(app.stall).map(|stall| stall.to_string());
    let not_ready = |why: String| Refused(Problem::new(503, "not ready", why));
    if let Some(why) = stalled() {
        return Err(not_ready(why));
    }
    let tick = app.driver.record_one(Entry::Told(Command::Tick));
    match tokio::time::timeout(app.stall + GRACE, tick).await {
        Ok(Ok(_)) => Ok("ready\n"),
        Ok(Err(error)) => Err(not_ready(error.to_string())),
        Err(_) => {
            let busy = || "the driver has not come to an entry in time".to_owned();
            Err(not_ready(stalled().unwrap_or_else(busy)))
        }
    }
}
