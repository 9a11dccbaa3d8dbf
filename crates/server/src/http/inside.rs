//! What is done inside a job that runs: signals to its processes, and the end of one that only
//! holds its places.

use axum::http::StatusCode;
use muster_api::signal::NUMBER_MAX;
use muster_api::{EndRequest, Problem, SignalRequest};
use muster_engine::command::Exit;
use muster_model::JobId;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, accepted, done, unknown};
use crate::access::{Caller, Verb};
use crate::entry::{Entry, Inside};

type Done = (StatusCode, Json<serde_json::Value>);

#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/signal",
    operation_id = "jobs_signal",
    tag = "jobs",
    summary = "Send a signal to the processes of a job",
    params(("id" = u64, Path, description = "The number of the job")),
    request_body = SignalRequest,
    responses((status = 202, description = "It will be sent"), Problems)
)]
pub(crate) async fn signal(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
    Json(SignalRequest { signal, to }): Json<SignalRequest>,
) -> Answered<Done> {
    let job = mine(&app, &caller, id)?;
    check_signal(signal)?;
    record(&app, Inside::Signalled { job, signal, to }).await
}

#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/end",
    operation_id = "jobs_end",
    tag = "jobs",
    summary = "End a job that only holds its places",
    params(("id" = u64, Path, description = "The number of the job")),
    request_body = EndRequest,
    responses((status = 202, description = "It will end"), Problems)
)]
pub(crate) async fn end(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
    Json(EndRequest { code }): Json<EndRequest>,
) -> Answered<Done> {
    let job = mine(&app, &caller, id)?;
    record(&app, Inside::Ended { job, exit: Exit::Code(code) }).await
}

/// The job, which is the caller's to change.
pub(super) fn mine(app: &Shared, caller: &Caller, id: u64) -> Answered<JobId> {
    let job = JobId(id);
    let owner = app.driver.shared().read().owner(job);
    let (user, queue) = owner.ok_or_else(|| unknown("job that has not ended,", id))?;
    caller.must(Verb::ChangeJob, Some(&user), Some(&queue))?;
    Ok(job)
}

pub(super) fn check_signal(signal: u8) -> Answered<()> {
    if (1..=NUMBER_MAX).contains(&signal) {
        return Ok(());
    }
    let detail = format!("signals have numbers from 1 to {NUMBER_MAX}, not {signal}");
    Err(Problem::new(400, "not understood", detail).into())
}

pub(super) async fn record(app: &Shared, inside: Inside) -> Answered<Done> {
    accepted(app.driver.record_one(Entry::Inside(inside)).await?)?;
    Ok((StatusCode::ACCEPTED, done()))
}
