//! The agents' side of the API: announcing a node, hearing its duties, reporting.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use muster_api::session::PROTOCOL;
use muster_api::usage::{GpuSpan, UsageSpan, thousandths};
use muster_api::{Announce, Announced, Directive, LogOrder, Problem, Received, Reports};
use muster_model::NodeId;
use muster_store::history::{Change, GpuSample, SampleRow};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::answer::{Answered, Json, Query, Refused, accepted};
use super::{App, Shared};
use crate::access::{Caller, Verb};
use crate::control::Answer;
use crate::entry::Entry;
use crate::idle;

/// Lines that may wait for a slow agent.
const LINES_WAITING: usize = 16;

/// How far ahead of the server's a node's clock may be.
const CLOCKS_APART_MS: u64 = 600_000;

pub(crate) async fn announce(
    app: Shared,
    caller: Caller,
    Json(announce): Json<Announce>,
) -> Answered<Json<Announced>> {
    caller.must(Verb::Serve, None, None)?;
    if announce.protocol != PROTOCOL {
        let detail = format!(
            "the agent speaks version {} of the protocol, the server version {PROTOCOL}",
            announce.protocol
        );
        let hint = "run the same release of muster on both";
        return Err(Problem::new(409, "versions differ", detail).hint(hint).into());
    }
    let _sight = app.sight.read().await;
    let now = app.driver.now();
    let known = app.driver.shared().read().node_named(announce.spec.name.as_str());
    let mut entries = Vec::new();
    if let Some(node) = known {
        app.links.may_announce(node, &announce.instance, now).map_err(|taken| {
            let detail = format!(
                "another agent speaks for node {} until {}",
                announce.spec.name,
                muster_api::Moment(taken.ends)
            );
            let hint = "stop the other agent, or give this node another name with --name";
            Refused(Problem::new(409, "taken", detail).hint(hint))
        })?;
        entries.extend(announce.reports.iter().map(|report| Entry::told(node, report)));
    }
    entries.push(Entry::Announced {
        spec: Box::new(announce.spec),
        address: announce.address,
        running: announce.running,
        instance: announce.instance.clone(),
        number: announce.number,
    });
    let answer = app.driver.record(entries).await?.pop().unwrap_or_default();
    let Answer::Node(node) = accepted(answer)? else {
        return Err(Problem::new(500, "not accepted", "the node was not accepted").into());
    };
    app.driver.shared().meters().announced();
    let session = app.links.announced(node, &announce.instance, app.driver.now());
    let terms = app.links.terms();
    Ok(Json(Announced { session, lease_ms: terms.lease.0, renew_ms: terms.renew.0 }))
}

pub(crate) async fn reports(
    app: Shared,
    caller: Caller,
    Json(reports): Json<Reports>,
) -> Answered<Json<Received>> {
    caller.must(Verb::Serve, None, None)?;
    let (node, next) =
        app.links.heard(reports.session, app.driver.now()).ok_or_else(unknown_session)?;
    if reports.first > next {
        let detail = format!("reports from {} came, those from {next} are missing", reports.first);
        return Err(Problem::new(400, "a gap", detail).into());
    }
    let known = usize::try_from(next - reports.first).unwrap_or(usize::MAX);
    let fresh = reports.reports.iter().skip(known).map(|report| Entry::told(node, report));
    let fresh: Vec<Entry> = fresh.collect();
    let count = fresh.len();
    app.driver.record(fresh).await?;
    app.driver.shared().meters().reported(count);
    let next = next.max(reports.first + reports.reports.len() as u64);
    app.links.on_disk(reports.session, next);
    // Most reports only renew the lease: those need not look at the state.
    if !reports.usage.is_empty() {
        let below = idle::thresholds(&app.driver.shared().read(), &reports.usage);
        app.activity.hear(app.driver.now(), node, &reports.usage, |job| below.get(&job).copied());
        app.driver.add(used(&app, node, &reports.usage));
    }
    Ok(Json(Received { next, lease_ms: app.links.terms().lease.0 }))
}

/// What a node says was used on it, by attempts that may have been there.
fn used(app: &App, node: NodeId, spans: &[UsageSpan]) -> Vec<Change> {
    let latest_ms = app.driver.now().0 + CLOCKS_APART_MS;
    let control = app.driver.shared().read();
    let name = control.node_name(node).to_string();
    let is_known = |span: &&UsageSpan| {
        let job = control.job(span.of.job);
        let was_there = job.is_some_and(|job| job.attempt >= span.of.attempt);
        was_there && span.from_ms < span.to_ms && span.to_ms <= latest_ms
    };
    let row = |span: &UsageSpan| {
        Change::Sample(SampleRow {
            job_id: span.of.job.0,
            attempt: u64::from(span.of.attempt.0),
            node: name.clone(),
            from_ms: span.from_ms,
            to_ms: span.to_ms,
            held_gpu_ms: span.held_gpu_ms(),
            active_gpu_ms: span.active_gpu_ms().map(|active| active.min(span.held_gpu_ms())),
            gpus: span.gpus.iter().filter_map(gpu_sample).collect(),
        })
    };
    spans.iter().filter(is_known).map(row).collect()
}

/// How busy a GPU was while it was held, if it was.
fn gpu_sample(span: &GpuSpan) -> Option<GpuSample> {
    let GpuSpan { gpu, held_gpu_ms: held, active_gpu_ms } = *span;
    let busy = active_gpu_ms.and_then(|active| thousandths(active, held));
    (held > 0).then_some(GpuSample { gpu, busy })
}

fn unknown_session() -> Refused {
    let problem = Problem::new(409, "unknown session", "the server does not know this session");
    Refused(problem.hint("announce the node again"))
}

#[derive(Debug, Deserialize)]
pub(crate) struct Listening {
    session: u64,
    after: Option<u64>,
}

pub(crate) async fn directives(
    app: Shared,
    caller: Caller,
    Query(listening): Query<Listening>,
) -> Answered<Response> {
    caller.must(Verb::Serve, None, None)?;
    let session = listening.session;
    let node = app.links.node_of(session).ok_or_else(unknown_session)?;
    let (lines, receiver) = mpsc::channel(LINES_WAITING);
    let orders = app.logs.listen(node);
    let app = Arc::clone(&app);
    tokio::spawn(async move {
        let speaking = Speaking { app, node, session, lines };
        speaking.run(listening.after, orders).await;
    });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// One open stream of directives.
struct Speaking {
    app: Arc<App>,
    node: NodeId,
    session: u64,
    lines: mpsc::Sender<Result<Vec<u8>, Infallible>>,
}

impl Speaking {
    /// Speaks until the agent has gone or has another session.
    async fn run(self, mut after: Option<u64>, mut orders: mpsc::Receiver<LogOrder>) {
        let mut bell = self.app.driver.shared().bell(self.node);
        let beat = Duration::from_millis(self.app.links.terms().renew.0);
        let mut is_first = true;
        // An order for output waits until the agent has heard of the task.
        let mut pending: Option<LogOrder> = None;
        while self.app.links.node_of(self.session) == Some(self.node) {
            bell.mark_unchanged();
            let mut directive = self.app.driver.shared().read().directive(self.node, after);
            self.app.job_key.sign(&mut directive);
            let Directive::Duties { version, duties, .. } = &directive else { return };
            after = Some(*version);
            let has_news = is_first || !duties.is_empty();
            if has_news && !self.say(&directive).await {
                return;
            }
            is_first = false;
            if let Some(order) = pending.take()
                && !self.say(&Directive::Log(order)).await
            {
                return;
            }
            tokio::select! {
                changed = bell.changed() => if changed.is_err() { return },
                order = orders.recv() => {
                    let Some(order) = order else { return };
                    pending = Some(order);
                }
                () = tokio::time::sleep(beat) => if !self.say(&Directive::Beat).await { return },
                () = self.lines.closed() => return,
            }
        }
    }

    async fn say(&self, directive: &Directive) -> bool {
        let mut line = serde_json::to_vec(directive).expect("directives are made of plain data");
        line.push(b'\n');
        self.lines.send(Ok(line)).await.is_ok()
    }
}
