//! The HTTP API: one router for people, agents and machines that watch.

mod activity;
mod agents;
mod alerts;
mod amend;
mod answer;
mod audit;
mod auth;
mod bygone;
mod events;
mod idle;
mod inside;
mod jobs;
mod join;
mod logs;
mod map;
mod metrics;
mod nodes;
mod openapi;
mod past;
mod queues;
mod slurm;
mod steps;
mod submit;
mod tokens;
mod usage;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Door;
use crate::activity::Activity;
use crate::driver::Driver;
use crate::limit::Limiter;
use crate::links::Links;
use crate::oidc::Oidc;
use crate::picture::Picture;

pub(crate) use bygone::Bygone;
pub(crate) use logs::LogDesk;
#[cfg(test)]
pub(crate) use nodes::{healthy, ready};
pub use openapi::openapi;
pub(crate) use past::Past;

/// The largest request: a job with its script, or a batch of reports.
const BODY_MAX: usize = 4 * 1024 * 1024;

/// What every handler can reach.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) driver: Driver,
    pub(crate) links: Links,
    pub(crate) door: Door,
    /// By which tokens of jobs are made and known.
    pub(crate) job_key: crate::access::JobKey,
    pub(crate) past: Past,
    pub(crate) bygone: Bygone,
    pub(crate) logs: LogDesk,
    pub(crate) activity: Activity,
    pub(crate) picture: Picture,
    /// The cluster's own certificate authority, where it has one.
    pub(crate) authority: Option<muster_api::Authority>,
    pub(crate) limiter: Limiter,
    /// How long one pass of the driver may take.
    pub(crate) stall: std::time::Duration,
    pub(crate) oidc: Option<Oidc>,
    /// How the cluster looks to those who use Slurm's commands.
    pub(crate) slurm: muster_api::SlurmSettings,
    /// What GPUs cost.
    pub(crate) prices: crate::prices::Prices,
    /// How long a node that is gone counts as owned.
    pub(crate) gone_ms: u64,
    /// Who may read `/metrics`.
    pub(crate) metrics: crate::metrics::MetricsSettings,
    /// What asks for attention.
    pub(crate) alerts: crate::alerts::Desk,
    /// Sums of GPU time since the start.
    pub(crate) tally: crate::metrics::Tally,
    /// The folder of the journal and the history.
    pub(crate) data: std::path::PathBuf,
    /// Held for reading while an agent announces itself, for writing while lost nodes are named,
    /// so that a node that has just come back is not called lost after it.
    pub(crate) sight: tokio::sync::RwLock<()>,
}

pub(crate) type Shared = axum::extract::State<Arc<App>>;

/// The whole API.
pub(crate) fn router(app: Arc<App>) -> Router {
    let agents = Router::new()
        .route("/v1/agent/join", post(join::join))
        .route("/v1/agent/announce", post(agents::announce))
        .route("/v1/agent/directives", get(agents::directives))
        .route("/v1/agent/reports", post(agents::reports))
        .route("/v1/agent/logs/{request}", post(logs::answer).layer(DefaultBodyLimit::disable()));
    let (people, _) = described().split_for_parts();
    people
        .merge(agents)
        .merge(muster_web::router())
        .route("/v1/openapi.json", get(openapi::show))
        .fallback(answer::nothing_here)
        .layer(from_fn_with_state(Arc::clone(&app), audit::record))
        .layer(from_fn_with_state(Arc::clone(&app), metrics::count))
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .with_state(app)
}

/// What people and their programs use, each route with its description.
fn described() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(openapi::head())
        .routes(routes!(submit::submit, jobs::list))
        .routes(routes!(submit::foresee))
        .routes(routes!(jobs::show, amend::amend))
        .routes(routes!(jobs::why))
        .routes(routes!(jobs::wait))
        .routes(routes!(logs::show))
        .routes(routes!(amend::change))
        .routes(routes!(inside::signal))
        .routes(routes!(inside::end))
        .routes(routes!(steps::start))
        .routes(routes!(steps::list))
        .routes(routes!(steps::wait))
        .routes(routes!(steps::signal))
        .routes(routes!(nodes::list))
        .routes(routes!(nodes::show))
        .routes(routes!(nodes::change))
        .routes(routes!(nodes::cluster))
        .routes(routes!(idle::preview))
        .routes(routes!(map::show))
        .routes(routes!(map::stream))
        .routes(routes!(map::plan))
        .routes(routes!(queues::list))
        .routes(routes!(queues::set))
        .routes(routes!(queues::policy, queues::configure))
        .routes(routes!(queues::bookings))
        .routes(routes!(queues::book, queues::unbook))
        .routes(routes!(events::list))
        .routes(routes!(events::stream))
        .routes(routes!(tokens::list, tokens::create))
        .routes(routes!(join::create))
        .routes(routes!(join::authority))
        .routes(routes!(tokens::revoke))
        .routes(routes!(tokens::whoami))
        .routes(routes!(audit::list))
        .routes(routes!(usage::report))
        .routes(routes!(usage::waste))
        .routes(routes!(usage::job))
        .routes(routes!(activity::job))
        .routes(routes!(slurm::show))
        .routes(routes!(slurm::jobs))
        .routes(routes!(nodes::healthy))
        .routes(routes!(nodes::ready))
        .routes(routes!(metrics::show))
        .routes(routes!(alerts::list))
}
