//! The HTTP API: one router for people, agents and machines that watch.

mod agents;
mod answer;
mod audit;
mod auth;
mod bygone;
mod events;
mod jobs;
mod join;
mod logs;
mod nodes;
mod past;
mod queues;
mod tokens;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post, put};

use crate::access::Door;
use crate::driver::Driver;
use crate::limit::Limiter;
use crate::links::Links;
use crate::oidc::Oidc;

pub(crate) use bygone::Bygone;
pub(crate) use logs::LogDesk;
#[cfg(test)]
pub(crate) use nodes::{healthy, ready};
pub(crate) use past::Past;

/// The largest request: a job with its script, or a batch of reports.
const BODY_MAX: usize = 4 * 1024 * 1024;

/// What every handler can reach.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) driver: Driver,
    pub(crate) links: Links,
    pub(crate) door: Door,
    pub(crate) past: Past,
    pub(crate) bygone: Bygone,
    pub(crate) logs: LogDesk,
    /// The cluster's own certificate authority, where it has one.
    pub(crate) authority: Option<muster_api::Authority>,
    pub(crate) limiter: Limiter,
    /// How long one pass of the driver may take.
    pub(crate) stall: std::time::Duration,
    pub(crate) oidc: Option<Oidc>,
    /// Held for reading while an agent announces itself, for writing while lost nodes are named,
    /// so that a node that has just come back is not called lost after it.
    pub(crate) sight: tokio::sync::RwLock<()>,
}

pub(crate) type Shared = axum::extract::State<Arc<App>>;

/// The whole API.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/v1/ca", get(join::authority))
        .route("/v1/agent/join", post(join::join))
        .route("/v1/agent/announce", post(agents::announce))
        .route("/v1/agent/directives", get(agents::directives))
        .route("/v1/agent/reports", post(agents::reports))
        .route("/v1/agent/logs/{request}", post(logs::answer).layer(DefaultBodyLimit::disable()))
        .route("/v1/jobs", post(jobs::submit).get(jobs::list))
        .route("/v1/jobs/{id}", get(jobs::show))
        .route("/v1/jobs/{id}/why", get(jobs::why))
        .route("/v1/jobs/{id}/wait", get(jobs::wait))
        .route("/v1/jobs/{id}/logs", get(logs::show))
        .route("/v1/jobs/{id}/{verb}", post(jobs::change))
        .route("/v1/nodes", get(nodes::list))
        .route("/v1/nodes/{name}", get(nodes::show))
        .route("/v1/nodes/{name}/{verb}", post(nodes::change))
        .route("/v1/queues", get(queues::list))
        .route("/v1/queues/{*name}", put(queues::set))
        .route("/v1/policy", get(queues::policy).put(queues::configure))
        .route("/v1/bookings", get(queues::bookings))
        .route("/v1/bookings/{name}", put(queues::book).delete(queues::unbook))
        .route("/v1/cluster", get(nodes::cluster))
        .route("/v1/events", get(events::list))
        .route("/v1/events/stream", get(events::stream))
        .route("/v1/tokens", get(tokens::list).post(tokens::create))
        .route("/v1/tokens/join", post(join::create))
        .route("/v1/tokens/{id}", delete(tokens::revoke))
        .route("/v1/audit", get(audit::list))
        .route("/v1/whoami", get(tokens::whoami))
        .route("/healthz", get(nodes::healthy))
        .route("/readyz", get(nodes::ready))
        .fallback(answer::nothing_here)
        .layer(from_fn_with_state(Arc::clone(&app), audit::record))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(app)
}
