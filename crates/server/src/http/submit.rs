//! Jobs that come in, and what would become of those that are only asked about.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode};
use muster_api::view::ForeseenView;
use muster_api::{Accepted, Problem, Submission};

use super::Shared;
use super::answer::{Answered, Json, Problems, accepted, broken};
use crate::access::{Caller, Verb};
use crate::control::Answer;
use crate::entry::Entry;

/// The longest key by which a submission is recognised.
const KEY_MAX: usize = 256;

#[utoipa::path(
    post,
    path = "/v1/jobs",
    operation_id = "jobs_submit",
    tag = "jobs",
    summary = "Submit a job or an array",
    params(
        ("Idempotency-Key" = Option<String>, Header,
         description = "A word by which a repetition is recognised")
    ),
    request_body = Submission,
    responses((status = 201, description = "It is in the journal", body = Accepted), Problems)
)]
pub(crate) async fn submit(
    app: Shared,
    caller: Caller,
    headers: HeaderMap,
    Json(submission): Json<Submission>,
) -> Answered<(StatusCode, Json<Accepted>)> {
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok());
    if key.is_some_and(|key| key.len() > KEY_MAX) {
        let detail = format!("the idempotency key has more than {KEY_MAX} characters");
        return Err(Problem::new(400, "not understood", detail).into());
    }
    let submission = prepare(&app, &caller, submission)?;
    let anywhere = caller.may(Verb::Submit, Some(submission.spec.user.as_str()), None);
    let entry = Entry::submitted(submission, key.map(ToOwned::to_owned), anywhere);
    match accepted(app.driver.record_one(entry).await?)? {
        Answer::Accepted { job, elements } => {
            Ok((StatusCode::CREATED, Json(Accepted { id: job.0, elements })))
        }
        _ => Err(Problem::new(500, "not accepted", "the engine gave no number").into()),
    }
}

#[utoipa::path(
    post,
    path = "/v1/foresee",
    operation_id = "jobs_foresee",
    tag = "jobs",
    summary = "Say when and where a job would start, and submit nothing",
    request_body = Submission,
    responses(
        (status = 200, description = "What would become of it", body = ForeseenView),
        Problems
    )
)]
pub(crate) async fn foresee(
    app: Shared,
    caller: Caller,
    Json(submission): Json<Submission>,
) -> Answered<Json<ForeseenView>> {
    let submission = prepare(&app, &caller, submission)?;
    let foreseen = app.picture.foresee(&app.driver, submission.spec).await.map_err(broken)?;
    Ok(Json(foreseen?))
}

/// The job as it would be journaled. What is plainly wrong is refused without a trace.
fn prepare(app: &Shared, caller: &Caller, mut submission: Submission) -> Answered<Submission> {
    let spec = &submission.spec;
    caller.must(Verb::Submit, Some(spec.user.as_str()), Some(spec.queue.as_str()))?;
    caller.must_run_as(&submission)?;
    submission.spec.validate(app.driver.shared().read().cluster())?;
    submission.program.validate()?;
    super::slurm::refuse_what_nobody_has(app, &submission)?;
    if submission.spec.timing.estimate.is_none()
        && let Some(estimate) = app.driver.shared().foresight().estimate(&submission.spec)
    {
        Arc::make_mut(&mut submission.spec).timing.estimate = Some(estimate);
    }
    if !submission.spec.checkpoint.rungs.is_empty() {
        app.driver.shared().read().fill_costs(Arc::make_mut(&mut submission.spec));
    }
    Ok(submission)
}
