//! Output of tasks: a reader asks the server, the server asks the agent, and the agent's bytes
//! are passed on as they come.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use muster_api::view::JobState;
use muster_api::{LogOrder, Problem};
use muster_model::{Attempt, JobId, NodeId};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::Stream;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Path, Problems, Query, Refused, unknown};
use crate::access::{Caller, Verb};

/// How long an agent may take to begin its answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Orders that may wait for one agent.
const ORDERS_WAITING: usize = 64;

/// Readers who wait for agents, and agents who listen for orders.
#[derive(Debug, Default)]
pub(crate) struct LogDesk {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    waiting: BTreeMap<u64, oneshot::Sender<Passing>>,
    agents: BTreeMap<NodeId, mpsc::Sender<LogOrder>>,
}

impl LogDesk {
    /// Orders for a node, from now on to this listener.
    pub(crate) fn listen(&self, node: NodeId) -> mpsc::Receiver<LogOrder> {
        let (sender, receiver) = mpsc::channel(ORDERS_WAITING);
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).agents.insert(node, sender);
        receiver
    }

    /// Sends an order to a node and waits for the bytes.
    async fn order(&self, node: NodeId, mut order: LogOrder) -> Option<Passing> {
        let (answer, answered) = oneshot::channel();
        let agent = {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.next += 1;
            order.request = inner.next;
            inner.waiting.insert(order.request, answer);
            inner.agents.get(&node).cloned()
        };
        let request = order.request;
        let sent = match agent {
            Some(agent) => agent.send(order).await.is_ok(),
            None => false,
        };
        let passing = match sent {
            true => tokio::time::timeout(PATIENCE, answered).await.ok().and_then(Result::ok),
            false => None,
        };
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).waiting.remove(&request);
        passing
    }

    fn take(&self, request: u64) -> Option<oneshot::Sender<Passing>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).waiting.remove(&request)
    }
}

/// An agent's bytes on their way to a reader. The agent's request ends when this is dropped.
#[derive(Debug)]
struct Passing {
    bytes: BodyDataStream,
    _done: oneshot::Sender<()>,
}

impl Stream for Passing {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.bytes).poll_next(context)
    }
}

/// An agent brings what it was asked for.
pub(crate) async fn answer(
    app: Shared,
    caller: Caller,
    Path(request): Path<u64>,
    body: Body,
) -> Answered<StatusCode> {
    caller.must(Verb::Serve, None, None)?;
    let reader = app.logs.take(request).ok_or_else(|| unknown("request", request))?;
    let (done, ended) = oneshot::channel();
    let passing = Passing { bytes: body.into_data_stream(), _done: done };
    if reader.send(passing).is_ok() {
        // Ends when the reader has everything or has gone away.
        let _ = ended.await;
    }
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Of this attempt; of the latest by default.
    attempt: Option<u32>,
    /// Of the task with this rank.
    #[serde(default)]
    task: u32,
    /// What it wrote to standard error, where that is apart.
    #[serde(default)]
    error: bool,
    /// From this byte on; a negative one is counted from the end.
    #[serde(default)]
    from: i64,
    /// Go on until the task has ended.
    #[serde(default)]
    follow: bool,
}

/// A reader wants what a task has written.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/logs",
    operation_id = "logs_show",
    tag = "jobs",
    summary = "Read what a task has written",
    params(("id" = u64, Path, description = "The number of the job"), Wanted),
    responses(
        (status = 200, description = "The bytes", body = String, content_type = "text/plain"),
        Problems
    )
)]
pub(crate) async fn show(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
    Query(wanted): Query<Wanted>,
) -> Answered<Response> {
    caller.must(Verb::Look, None, None)?;
    if wanted.follow && wanted.attempt.is_none() {
        started(&app, JobId(id)).await;
    }
    let (node, attempt) = find(&app, id, &wanted).await?;
    let order = LogOrder {
        request: 0,
        job: JobId(id),
        attempt,
        rank: wanted.task,
        error: wanted.error,
        from: wanted.from,
        follow: wanted.follow,
    };
    let name = app.driver.shared().read().node_name(node);
    let passing = app.logs.order(node, order).await.ok_or_else(|| {
        let detail = format!("node {name}, which has this output, does not answer");
        Refused(Problem::new(504, "out of reach", detail).hint("look at it with `muster nodes`"))
    })?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, Body::from_stream(passing)).into_response())
}

/// Waits until a job has something to show: it runs, or it has ended. One that is not in memory
/// has ended long ago.
async fn started(app: &Shared, job: JobId) {
    let mut commits = app.driver.shared().commits();
    loop {
        commits.mark_unchanged();
        let state = app.driver.shared().read().job(job).map(|job| JobState::from(job.state));
        let comes =
            matches!(state, Some(JobState::Waiting | JobState::Queued | JobState::Launching));
        if !comes || commits.changed().await.is_err() {
            return;
        }
    }
}

/// The node that has a task's output, and the attempt it is of.
async fn find(app: &Shared, id: u64, wanted: &Wanted) -> Answered<(NodeId, Attempt)> {
    let in_memory = {
        let control = app.driver.shared().read();
        control.job(JobId(id)).map(|job| {
            let is_current = wanted.attempt.is_none_or(|attempt| attempt == job.attempt.0);
            let node = is_current.then(|| control.task_node(JobId(id), wanted.task)).flatten();
            (job.attempt, node)
        })
    };
    if let Some((attempt, Some(node))) = in_memory {
        return Ok((node, attempt));
    }
    let latest = in_memory.map(|(attempt, _)| attempt.0);
    let asked = (wanted.attempt, wanted.task);
    let found = app.past.ask(move |past| place_of(past, id, asked, latest)).await?;
    let nothing = || {
        let detail = format!("task {} of job {id} has not started", wanted.task);
        Refused(Problem::new(404, "nothing written", detail))
    };
    let (name, attempt) = found.ok_or_else(nothing)?;
    let node = app.driver.shared().read().node_named(&name).ok_or_else(nothing)?;
    Ok((node, Attempt(attempt)))
}

/// Where a task of an attempt was, by the history; of the latest attempt where none is named.
fn place_of(
    past: &dyn muster_store::HistoryReader,
    id: u64,
    (attempt, task): (Option<u32>, u32),
    latest: Option<u32>,
) -> muster_store::Result<Option<(String, u32)>> {
    let attempts = past.attempts(id)?;
    let last = attempts.last().and_then(|row| u32::try_from(row.attempt).ok());
    let Some(attempt) = attempt.or(last).or(latest.filter(|attempt| *attempt > 0)) else {
        return Ok(None);
    };
    let most = muster_store::history::PAGE_ROWS_MAX;
    let rows = past.placements(id, u64::from(attempt), None, most)?;
    // Rows are in the order of groups and ranks, which is that of tasks.
    let place = usize::try_from(task).ok().and_then(|task| rows.get(task));
    Ok(place.map(|row| (row.node.clone(), attempt)))
}
