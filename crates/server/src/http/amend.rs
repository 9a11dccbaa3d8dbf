//! Changing jobs: what was asked for, by a JSON merge patch; or whether they may run, by a word.

use std::sync::Arc;

use axum::http::StatusCode;
use muster_api::Problem;
use muster_engine::command::Command;
use muster_model::{JobId, JobSpec, Millis};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, Refused, accepted, done, unknown};
use crate::access::{Caller, Verb};
use crate::entry::Entry;

#[utoipa::path(
    patch,
    path = "/v1/jobs/{id}",
    operation_id = "jobs_amend",
    tag = "jobs",
    summary = "Change what was asked for",
    description = "The body has what changes of the job's `spec`, and null for what is taken away. \
                   A job that has not started may become any other of its owner; one that runs may \
                   only be given other times and other words about requeueing. More time for a \
                   job that runs is for operators, since others wait for its GPUs.",
    params(("id" = u64, Path, description = "The number of the job or array")),
    request_body(content = serde_json::Value, description = "A JSON merge patch of the spec"),
    responses((status = 200, description = "It is so now", body = JobSpec), Problems)
)]
pub(crate) async fn amend(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
    Json(patch): Json<serde_json::Value>,
) -> Answered<Json<Arc<JobSpec>>> {
    let job = JobId(id);
    let known = app.driver.shared().read().present(job);
    let (was, is_placed) = known.ok_or_else(|| unknown("job that has not ended,", id))?;
    let (user, queue) = (was.user.as_str(), was.queue.as_str());
    caller.must(Verb::ChangeJob, Some(user), Some(queue))?;
    let spec = Arc::new(patched(&was, &patch)?);
    if spec.queue != was.queue || spec.class != was.class {
        caller.must(Verb::Submit, Some(user), Some(spec.queue.as_str()))?;
    }
    if is_placed && is_longer(was.timing.limit, spec.timing.limit) {
        caller.must(Verb::ChangeNode, None, Some(queue))?;
    }
    spec.validate(app.driver.shared().read().cluster())?;
    let command = Command::Amend { job, spec: Arc::clone(&spec) };
    let entry = Entry::Explained { command, detail: caller.user.clone() };
    accepted(app.driver.record_one(entry).await?)?;
    Ok(Json(spec))
}

/// Whether a limit is more than another; none is the most.
fn is_longer(was: Option<Millis>, is: Option<Millis>) -> bool {
    was.is_some_and(|was| is.is_none_or(|is| is > was))
}

/// The job with what a merge patch (RFC 7396) says.
fn patched(was: &JobSpec, patch: &serde_json::Value) -> Answered<JobSpec> {
    let not_understood = |detail: String| {
        let hint = "GET /v1/jobs/{id} shows the spec that the body is laid over";
        Refused(Problem::new(400, "not understood", detail).hint(hint))
    };
    if !patch.is_object() {
        return Err(not_understood("expected an object with what changes".to_owned()));
    }
    let mut whole = serde_json::to_value(was).map_err(|error| not_understood(error.to_string()))?;
    lay_over(&mut whole, patch);
    serde_json::from_value(whole).map_err(|error| not_understood(error.to_string()))
}

fn lay_over(target: &mut serde_json::Value, patch: &serde_json::Value) {
    let serde_json::Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = serde_json::Value::Object(serde_json::Map::new());
    }
    let fields = target.as_object_mut().expect("it was just made one");
    for (name, change) in changes {
        if change.is_null() {
            fields.remove(name);
        } else {
            lay_over(fields.entry(name.clone()).or_insert(serde_json::Value::Null), change);
        }
    }
}

/// What can be done to a job.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JobVerb {
    Cancel,
    Hold,
    Release,
    Requeue,
}

#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/{verb}",
    operation_id = "jobs_change",
    tag = "jobs",
    summary = "Cancel, hold, release or requeue a job",
    params(("id" = u64, Path, description = "The number of the job"),
           ("verb" = inline(JobVerb), Path, description = "What to do")),
    responses((status = 202, description = "It will be done"), Problems)
)]
pub(crate) async fn change(
    app: Shared,
    caller: Caller,
    Path((id, verb)): Path<(u64, JobVerb)>,
) -> Answered<(StatusCode, Json<serde_json::Value>)> {
    let job = JobId(id);
    let command = match verb {
        JobVerb::Cancel => Command::Cancel { job },
        JobVerb::Hold => Command::Hold { job },
        JobVerb::Release => Command::Release { job },
        JobVerb::Requeue => Command::Requeue { job },
    };
    let owner = {
        let control = app.driver.shared().read();
        control.owner(job)
    };
    let (user, queue) = owner.ok_or_else(|| unknown("job that has not ended,", id))?;
    caller.must(Verb::ChangeJob, Some(&user), Some(&queue))?;
    let entry = match verb {
        // The journal keeps who it was, for those who ask the history.
        JobVerb::Cancel => Entry::Explained { command, detail: caller.user.clone() },
        _ => Entry::Told(command),
    };
    accepted(app.driver.record_one(entry).await?)?;
    Ok((StatusCode::ACCEPTED, done()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_is_laid_over_what_is_there_and_null_takes_away() {
        let was = JobSpec::gang("train", 2, 4).limit(Millis::hours(1));
        let said = |patch| patched(&was, &patch).ok();
        let longer = said(json!({"timing": {"limit": 7_200_000}})).expect("a change");
        assert_eq!(longer, was.clone().limit(Millis::hours(2)));
        let unlimited =
            said(json!({"timing": {"limit": null}, "name": "other"})).expect("a change");
        assert_eq!((unlimited.timing.limit, unlimited.name.as_str()), (None, "other"));
        assert_eq!(said(json!({})), Some(was.clone()));
        for wrong in [json!(7), json!({"timing": {"limits": 1}}), json!({"nonesuch": 1})] {
            assert_eq!(said(wrong.clone()), None, "{wrong}");
        }
    }

    #[test]
    fn no_limit_is_the_longest() {
        let hour = Some(Millis::hours(1));
        assert!(is_longer(hour, None) && is_longer(hour, Some(Millis::hours(2))));
        assert!(!is_longer(hour, hour) && !is_longer(None, hour) && !is_longer(None, None));
    }
}
