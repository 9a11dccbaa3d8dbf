//! Nodes, the cluster at a glance, and whether the server is well.

use std::time::Duration;

use axum::http::StatusCode;
use muster_api::view::{ClusterView, NodeView};
use muster_api::{Page, Problem};
use muster_engine::command::Command;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, Refused, accepted, done, unknown};
use crate::access::{Caller, Verb};
use crate::entry::Entry;

/// By then a pass that takes too long is known as such.
const GRACE: Duration = Duration::from_millis(100);

#[utoipa::path(
    get,
    path = "/v1/nodes",
    operation_id = "nodes_list",
    tag = "cluster",
    summary = "List nodes",
    responses((status = 200, description = "All nodes", body = Page<NodeView>), Problems)
)]
pub(crate) async fn list(app: Shared, caller: Caller) -> Answered<Json<Page<NodeView>>> {
    caller.must(Verb::Look, None, None)?;
    let items = app.driver.shared().read().nodes();
    Ok(Json(Page { items, next: None }))
}

#[utoipa::path(
    get,
    path = "/v1/nodes/{name}",
    operation_id = "nodes_show",
    tag = "cluster",
    summary = "Show one node",
    params(("name" = String, Path, description = "Its name")),
    responses((status = 200, description = "The node", body = NodeView), Problems)
)]
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

/// What can be done to a node.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NodeVerb {
    Drain,
    Resume,
    Forget,
}

#[utoipa::path(
    post,
    path = "/v1/nodes/{name}/{verb}",
    operation_id = "nodes_change",
    tag = "cluster",
    summary = "Keep new work off a node, let it on again, or forget one that is gone",
    params(("name" = String, Path, description = "Its name"),
           ("verb" = inline(NodeVerb), Path, description = "What to do")),
    responses((status = 202, description = "It is done"), Problems)
)]
pub(crate) async fn change(
    app: Shared,
    caller: Caller,
    Path((name, verb)): Path<(String, NodeVerb)>,
) -> Answered<(StatusCode, Json<serde_json::Value>)> {
    caller.must(Verb::ChangeNode, None, None)?;
    let node = app.driver.shared().read().node_named(&name);
    let node = node.ok_or_else(|| unknown("node", &name))?;
    let entry = match verb {
        NodeVerb::Drain => Entry::Told(Command::NodeDrained { node }),
        NodeVerb::Resume => Entry::Told(Command::NodeResumed { node }),
        NodeVerb::Forget => Entry::Forgotten { node, by: caller.user.clone() },
    };
    accepted(app.driver.record_one(entry).await?)?;
    Ok((StatusCode::ACCEPTED, done()))
}

#[utoipa::path(
    get,
    path = "/v1/cluster",
    operation_id = "nodes_cluster",
    tag = "cluster",
    summary = "The cluster at a glance",
    responses((status = 200, description = "Counts", body = ClusterView), Problems)
)]
pub(crate) async fn cluster(app: Shared, caller: Caller) -> Answered<Json<ClusterView>> {
    caller.must(Verb::Look, None, None)?;
    let shared = app.driver.shared();
    let sequence = shared.sequence();
    Ok(Json(shared.read().glance(sequence)))
}

/// The process answers.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "nodes_healthy",
    tag = "health",
    summary = "Whether the process answers",
    responses((status = 200, description = "It does", body = String, content_type = "text/plain"))
)]
pub(crate) async fn healthy() -> &'static str {
    "ok\n"
}

/// The journal takes entries, and the driver works.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "nodes_ready",
    tag = "health",
    summary = "Whether the journal takes entries and the driver works",
    responses(
        (status = 200, description = "They do", body = String, content_type = "text/plain"),
        Problems
    )
)]
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
