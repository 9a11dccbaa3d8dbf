//! A server that hands out duties, keeps what it is told, and can forget or refuse on request.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use muster_api::duty::{Duty, RunWork, Work};
use muster_api::{Announce, Announced, Directive, LogOrder, Problem, Received, Report, Reports};
use muster_engine::command::Running;
use tokio::sync::mpsc;

/// However slow the machine is, something that is to happen has happened by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server.
pub(super) struct Server {
    pub(super) url: String,
    shared: Arc<Shared>,
    // The server ends with it.
    _runtime: tokio::runtime::Runtime,
}

#[derive(Default)]
struct Shared {
    kept: Mutex<Kept>,
    changed: Condvar,
}

/// What the server knows.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) announces: Vec<Announce>,
    pub(super) reports: Vec<Report>,
    pub(super) logs: BTreeMap<u64, String>,
    pub(super) lease_ms: u64,
    /// While set, every request is answered with an error.
    pub(super) is_down: bool,
    session: u64,
    next: u64,
    version: u64,
    wanted: BTreeMap<Running, Duty>,
    stream: Option<mpsc::UnboundedSender<Directive>>,
}

impl Server {
    pub(super) fn start(lease_ms: u64) -> Server {
        let shared = Arc::new(Shared::default());
        shared.kept.lock().unwrap().lease_ms = lease_ms;
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/v1/agent/announce", post(announce))
            .route("/v1/agent/directives", get(directives))
            .route("/v1/agent/reports", post(reports))
            .route("/v1/agent/logs/{request}", post(logs))
            .with_state(Arc::clone(&shared));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Server { url, shared, _runtime: runtime }
    }

    /// Wants an attempt to have these tasks.
    pub(super) fn run(&self, of: Running, run: RunWork) {
        self.want(of, Work::Run(Box::new(run)));
    }

    pub(super) fn stop(&self, of: Running, grace_ms: u64) {
        self.want(of, Work::Stop { grace_ms, why: None });
    }

    fn want(&self, of: Running, work: Work) {
        let mut kept = self.kept();
        kept.version += 1;
        let version = kept.version;
        let duty = Duty { job: of.job, attempt: of.attempt, version, work };
        kept.wanted.insert(of, duty.clone());
        kept.tell(Directive::Duties { version, all: false, duties: vec![duty] });
    }

    pub(super) fn ask_for_log(&self, order: LogOrder) {
        self.kept().tell(Directive::Log(order));
    }

    /// Forgets the session, as a server does that was started again without its memory of it.
    pub(super) fn forget_session(&self) {
        let mut kept = self.kept();
        kept.session += 1;
        kept.stream = None;
    }

    pub(super) fn set_down(&self, is_down: bool) {
        let mut kept = self.kept();
        kept.is_down = is_down;
        kept.stream = None;
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.shared.kept.lock().unwrap()
    }

    /// Waits until what is kept answers a question.
    pub(super) fn until<T>(&self, mut look: impl FnMut(&Kept) -> Option<T>) -> T {
        let mut kept = self.kept();
        loop {
            if let Some(found) = look(&kept) {
                return found;
            }
            let (held, waited) = self.shared.changed.wait_timeout(kept, PATIENCE).unwrap();
            kept = held;
            assert!(!waited.timed_out(), "it does not come; reports: {:?}", kept.reports);
        }
    }

    /// Waits for a report.
    pub(super) fn until_told(&self, report: &Report) {
        self.until(|kept| kept.reports.contains(report).then_some(()));
    }
}

impl Kept {
    fn tell(&self, directive: Directive) {
        if let Some(stream) = &self.stream {
            let _ = stream.send(directive);
        }
    }

    fn hear(&mut self, reports: Vec<Report>) {
        for report in reports {
            if let Report::Ended { of, .. } | Report::Refused { of, .. } = &report {
                self.wanted.remove(of);
            }
            self.reports.push(report);
        }
    }
}

type Answer = Result<Response, Response>;

fn refuse(status: u16, title: &str) -> Response {
    let status_code = StatusCode::from_u16(status).unwrap();
    (status_code, Json(Problem::new(status, title, ""))).into_response()
}

#[expect(clippy::result_large_err, reason = "a response is what axum wants")]
fn open(shared: &Shared) -> Result<MutexGuard<'_, Kept>, Response> {
    let kept = shared.kept.lock().unwrap();
    if kept.is_down { Err(refuse(503, "down")) } else { Ok(kept) }
}

async fn announce(State(shared): State<Arc<Shared>>, Json(announce): Json<Announce>) -> Answer {
    let mut kept = open(&shared)?;
    kept.session += 1;
    kept.next = 0;
    kept.hear(announce.reports.clone());
    kept.announces.push(announce);
    shared.changed.notify_all();
    let (session, lease_ms) = (kept.session, kept.lease_ms);
    let renew_ms = (lease_ms / 5).clamp(20, 500);
    Ok(Json(Announced { session, lease_ms, renew_ms }).into_response())
}

async fn reports(State(shared): State<Arc<Shared>>, Json(reports): Json<Reports>) -> Answer {
    let mut kept = open(&shared)?;
    if reports.session != kept.session {
        return Err(refuse(409, "unknown session"));
    }
    let known = usize::try_from(kept.next.saturating_sub(reports.first)).unwrap();
    assert!(reports.first <= kept.next, "reports were left out");
    let new: Vec<Report> = reports.reports.into_iter().skip(known).collect();
    kept.next += u64::try_from(new.len()).unwrap();
    kept.hear(new);
    shared.changed.notify_all();
    Ok(Json(Received { next: kept.next, lease_ms: kept.lease_ms }).into_response())
}

async fn directives(
    State(shared): State<Arc<Shared>>,
    Query(asked): Query<BTreeMap<String, u64>>,
) -> Answer {
    let mut kept = open(&shared)?;
    if asked.get("session") != Some(&kept.session) {
        return Err(refuse(409, "unknown session"));
    }
    let (sender, receiver) = mpsc::unbounded_channel();
    let duties = kept.wanted.values().cloned().collect();
    sender.send(Directive::Duties { version: kept.version, all: true, duties }).unwrap();
    let beats = sender.clone();
    let every = Duration::from_millis((kept.lease_ms / 5).clamp(20, 500));
    tokio::spawn(async move {
        while beats.send(Directive::Beat).is_ok() {
            tokio::time::sleep(every).await;
        }
    });
    kept.stream = Some(sender);
    Ok(Body::from_stream(Lines(receiver)).into_response())
}

async fn logs(
    State(shared): State<Arc<Shared>>,
    Path(request): Path<u64>,
    body: Bytes,
) -> StatusCode {
    let text = String::from_utf8(body.to_vec()).unwrap();
    shared.kept.lock().unwrap().logs.insert(request, text);
    shared.changed.notify_all();
    StatusCode::OK
}

struct Lines(mpsc::UnboundedReceiver<Directive>);

impl futures_core::Stream for Lines {
    type Item = Result<String, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let line = |directive| Ok(format!("{}\n", serde_json::to_string(&directive).unwrap()));
        self.0.poll_recv(context).map(|next| next.map(line))
    }
}
