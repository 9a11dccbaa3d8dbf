//! The audit: who changed what, or tried to, written down as requests pass.
//!
//! Accepted jobs are not in it, because the journal has them; nor is what agents report.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use muster_api::Page;
use muster_api::moment::Moment;
use muster_api::view::AuditView;
use muster_model::Time;
use muster_store::{AuditEntry, AuditRow};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Json, Problems, Query, broken, page, page_size};
use super::auth::{Identified, identify};
use crate::access::{Caller, Verb};

/// What a request was about, where its address does not say so.
#[derive(Clone, Debug)]
pub(crate) struct Touched(pub(crate) String);

/// Writes down what was asked and what came of it.
pub(crate) async fn record(app: Shared, mut request: Request, next: Next) -> Response {
    let now = app.driver.now();
    let act = Act::of(request.method(), request.uri().path());
    let mut who = None;
    if act.is_some() {
        let identified = identify(&app, request.headers()).await;
        who = identified.as_ref().ok().map(|caller| caller.user.clone());
        request.extensions_mut().insert(Identified(identified));
    }
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let source = from.map(|ConnectInfo(address)| address.ip().to_string());
    let response = next.run(request).await;
    // Nobody who has no token may fill the audit.
    let (Some(act), Some(who)) = (act, who) else { return response };
    let status = response.status();
    if act.is_submission && status != StatusCode::FORBIDDEN {
        return response;
    }
    let touched = response.extensions().get::<Touched>();
    let entry = AuditEntry {
        time_ms: now.0,
        who,
        verb: act.verb,
        object: touched.map_or(act.object, |Touched(object)| object.clone()),
        outcome: if status.is_success() { "done".to_owned() } else { format!("refused {status}") },
        source: source.unwrap_or_default(),
    };
    let app = Arc::clone(&app);
    let written = tokio::task::spawn_blocking(move || app.door.audit(entry)).await;
    if let Ok(Err(error)) = written {
        // What was done is done; that it cannot be written down must not go unseen.
        tracing::error!("cannot write to the audit: {error}");
    }
    response
}

/// Something that changes the cluster.
#[derive(Debug, PartialEq, Eq)]
struct Act {
    verb: String,
    object: String,
    is_submission: bool,
}

impl Act {
    /// What a request does, by its address; nothing where it only looks or is an agent's.
    fn of(method: &Method, path: &str) -> Option<Act> {
        let path = path.strip_prefix("/v1/")?;
        let parts: Vec<&str> = path.split('/').collect();
        let word = match *method {
            Method::POST => "create",
            Method::PUT => "set",
            Method::DELETE => "delete",
            _ => return None,
        };
        let (verb, object) = match parts.as_slice() {
            ["agent", ..] | ["foresee"] => return None,
            [kind @ ("jobs" | "nodes"), name, verb] => (*verb, format!("{kind}/{name}")),
            _ => (word, path.to_owned()),
        };
        let is_submission = parts == ["jobs"];
        Some(Act { verb: verb.to_owned(), object, is_submission })
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only entries before this one.
    before: Option<u64>,
    /// At most so many.
    limit: Option<usize>,
}

/// The audit, newest first.
#[utoipa::path(
    get,
    path = "/v1/audit",
    operation_id = "audit_list",
    tag = "access",
    summary = "List who changed what, newest first",
    params(Wanted),
    responses((status = 200, description = "A page of entries", body = Page<AuditView>), Problems)
)]
pub(crate) async fn list(
    app: Shared,
    caller: Caller,
    Query(wanted): Query<Wanted>,
) -> Answered<Json<Page<AuditView>>> {
    caller.must(Verb::Audit, None, None)?;
    let most = page_size(wanted.limit);
    let app = Arc::clone(&app);
    let read = tokio::task::spawn_blocking(move || app.door.audited(wanted.before, most));
    let rows = read.await.map_err(broken)?.map_err(broken)?;
    let items = rows.into_iter().map(view).collect();
    Ok(page(items, most, |entry: &AuditView| entry.number))
}

fn view(row: AuditRow) -> AuditView {
    let AuditRow { number, entry } = row;
    let AuditEntry { time_ms, who, verb, object, outcome, source } = entry;
    let source = Some(source).filter(|source| !source.is_empty());
    AuditView { number, time: Moment(Time(time_ms)), who, verb, object, outcome, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(method: &Method, path: &str) -> Option<(String, String)> {
        Act::of(method, path).map(|act| (act.verb, act.object))
    }

    #[test]
    fn acts_are_named_by_their_address() {
        let told = |verb: &str, object: &str| Some((verb.to_owned(), object.to_owned()));
        assert_eq!(act(&Method::POST, "/v1/jobs/12/cancel"), told("cancel", "jobs/12"));
        assert_eq!(act(&Method::POST, "/v1/nodes/n-1/drain"), told("drain", "nodes/n-1"));
        assert_eq!(act(&Method::PUT, "/v1/queues/lab/vision"), told("set", "queues/lab/vision"));
        assert_eq!(act(&Method::DELETE, "/v1/tokens/ab"), told("delete", "tokens/ab"));
        assert_eq!(act(&Method::PUT, "/v1/policy"), told("set", "policy"));
    }

    #[test]
    fn looking_and_agents_are_no_acts() {
        assert_eq!(act(&Method::GET, "/v1/jobs/12"), None);
        assert_eq!(act(&Method::POST, "/v1/agent/reports"), None);
        assert_eq!(act(&Method::POST, "/v1/foresee"), None);
        assert_eq!(act(&Method::POST, "/healthz"), None);
    }
}
