//! Steps of a job: started, listed, waited for, signalled and ended.

use std::time::Duration;

use axum::http::StatusCode;
use muster_api::Problem;
use muster_api::step::{StepRequest, StepState, StepView};
use muster_model::JobId;
use muster_store::history::StepRow;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, accepted, unknown};
use super::inside::{check_signal, mine, record};
use crate::access::{Caller, Verb};
use crate::control::Answer;
use crate::entry::{Entry, Inside};

/// How long a request waits for a step to change.
const WAIT: Duration = Duration::from_secs(30);

/// The longest command of a step, with its variables: what Linux passes on.
const WORDS_MAX: usize = 1024 * 1024;

type Done = (StatusCode, Json<serde_json::Value>);

#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/steps",
    operation_id = "steps_start",
    tag = "jobs",
    summary = "Start a step in a running job; it waits while other steps have what it needs",
    params(("id" = u64, Path, description = "The number of the job")),
    request_body = StepRequest,
    responses((status = 201, description = "The step as it is now", body = StepView), Problems)
)]
pub(crate) async fn start(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
    Json(request): Json<StepRequest>,
) -> Answered<(StatusCode, Json<StepView>)> {
    let job = mine(&app, &caller, id)?;
    let words = request.command.iter().map(String::len);
    let variables = request.environment.iter().map(|(name, value)| name.len() + value.len());
    if words.chain(variables).sum::<usize>() > WORDS_MAX {
        let detail = format!("a step's command and variables have at most {WORDS_MAX} bytes");
        return Err(Problem::new(400, "too large", detail).into());
    }
    if let Some(Err(wrong)) = request.container.as_ref().map(|container| container.validate()) {
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        return Err(Problem::new(400, "bad container", wrong.join("; ")).into());
    }
    let started = Entry::Inside(Inside::Step { job, request: request.into() });
    let Answer::Step(step) = accepted(app.driver.record_one(started).await?)? else {
        return Err(Problem::new(500, "not accepted", "the step was not accepted").into());
    };
    let view = app.driver.shared().read().step_view(job, step);
    let view = view.ok_or_else(|| unknown("step", format!("{id}.{step}")))?;
    Ok((StatusCode::CREATED, Json(view)))
}

#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/steps",
    operation_id = "steps_list",
    tag = "jobs",
    summary = "The steps of a job, also once it has ended",
    params(("id" = u64, Path, description = "The number of the job")),
    responses((status = 200, description = "The steps by attempt and number", body = [StepView]),
              Problems)
)]
pub(crate) async fn list(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
) -> Answered<Json<Vec<StepView>>> {
    caller.must(Verb::Look, None, None)?;
    let present = app.driver.shared().read().step_views(JobId(id));
    let rows = app.past.ask(move |past| past.steps(id)).await?;
    Ok(Json(with_past(&rows, present)))
}

/// Steps that are in memory with those that are in the history only, by attempt and number.
pub(super) fn with_past(rows: &[StepRow], present: Vec<StepView>) -> Vec<StepView> {
    let mut steps: Vec<StepView> = rows.iter().filter_map(read).collect();
    let is_present = |step: &StepView| {
        present.iter().any(|it| (it.attempt, it.step) == (step.attempt, step.step))
    };
    steps.retain(|step| !is_present(step));
    steps.extend(present);
    steps.sort_unstable_by_key(|step| (step.attempt, step.step));
    steps
}

/// Answers when the step has another state or more of its tasks have ended, or after a while.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/steps/{step}/wait",
    operation_id = "steps_wait",
    tag = "jobs",
    summary = "Wait until a step changes, or half a minute",
    params(("id" = u64, Path, description = "The number of the job"),
           ("step" = u32, Path, description = "The number of the step"),
           ("state" = Option<String>, Query, description = "The state that is known"),
           ("ends" = Option<usize>, Query, description = "How many ended tasks are known")),
    responses((status = 200, description = "The step as it is then", body = StepView), Problems)
)]
pub(crate) async fn wait(
    app: Shared,
    caller: Caller,
    Path((id, step)): Path<(u64, u32)>,
    super::answer::Query(known): super::answer::Query<Known>,
) -> Answered<Json<StepView>> {
    caller.must(Verb::Look, None, None)?;
    let mut commits = app.driver.shared().commits();
    let deadline = tokio::time::sleep(WAIT);
    tokio::pin!(deadline);
    loop {
        commits.mark_unchanged();
        let Some(view) = app.driver.shared().read().step_view(JobId(id), step) else { break };
        let is_news = known.state != Some(view.state) || known.ends != Some(view.ends.len());
        if is_news || view.state == StepState::Ended {
            return Ok(Json(view));
        }
        tokio::select! {
            () = &mut deadline => return Ok(Json(view)),
            changed = commits.changed() => if changed.is_err() { return Ok(Json(view)) },
        }
    }
    let rows = app.past.ask(move |past| past.steps(id)).await?;
    let found = rows.iter().rev().filter_map(read).find(|view| view.step == step);
    found.map(Json).ok_or_else(|| unknown("step", format!("{id}.{step}")))
}

/// What who waits knows already.
#[derive(Debug, Deserialize)]
pub(crate) struct Known {
    state: Option<StepState>,
    ends: Option<usize>,
}

/// What to send.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepSignal {
    /// The signal; none to end the step.
    #[serde(default)]
    signal: Option<u8>,
}

#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/steps/{step}/signal",
    operation_id = "steps_signal",
    tag = "jobs",
    summary = "Send a signal to the tasks of a step, or end it",
    params(("id" = u64, Path, description = "The number of the job"),
           ("step" = u32, Path, description = "The number of the step")),
    request_body = StepSignal,
    responses((status = 202, description = "It will be sent"), Problems)
)]
pub(crate) async fn signal(
    app: Shared,
    caller: Caller,
    Path((id, step)): Path<(u64, u32)>,
    Json(StepSignal { signal }): Json<StepSignal>,
) -> Answered<Done> {
    let job = mine(&app, &caller, id)?;
    signal.map_or(Ok(()), check_signal)?;
    record(&app, Inside::StepSignalled { job, step, signal }).await
}

/// A step of the history as people see it.
fn read(row: &StepRow) -> Option<StepView> {
    serde_json::from_str(&row.view).ok()
}
