//! Nodes, the cluster at a glance, and whether the server is well.

use axum::extract::Path;
use axum::http::StatusCode;
use muster_api::view::{ClusterView, NodeView};
use muster_api::{Page, Problem};
use muster_engine::command::Command;

use super::Shared;
use super::answer::{Answered, Json, accepted, unknown};
use crate::access::{Caller, Verb};
use crate::entry::Entry;

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
    let tick = Entry::Told(Command::Tick);
    match app.driver.record_one(tick).await {
        Ok(_) => Ok("ready\n"),
        Err(error) => Err(Problem::new(503, "not ready", error.to_string()).into()),
    }
}
