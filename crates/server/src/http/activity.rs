//! How busy each GPU of a job was.

use std::collections::{BTreeMap, BTreeSet};

use muster_api::Problem;
use muster_api::moment::Moment;
use muster_api::usage::{GpuActivity, JobActivity, TaskNumber};
use muster_api::view::PlaceView;
use muster_model::{JobId, Time};
use muster_store::HistoryReader;
use muster_store::history::{ActivityQuestion, AttemptRow, PAGE_ROWS_MAX};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, Query, unknown};
use super::jobs::place_view;
use super::usage::step_ms;
use crate::access::{Caller, Verb};

/// GPUs that are told of if nobody says how many.
const GPUS: usize = 64;

/// And at most.
const GPUS_MAX: usize = 4096;

/// Steps that the time is divided into at most.
const STEPS: u64 = 48;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Asked {
    /// Which attempt; the latest if left out.
    attempt: Option<u64>,
    /// How many GPUs at most, those least busy; 64 if left out.
    limit: Option<usize>,
}

#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/activity",
    operation_id = "usage_activity",
    tag = "accounting",
    summary = "How busy a job kept each of its GPUs, those least busy first",
    params(("id" = u64, Path, description = "Its number"), Asked),
    responses((status = 200, description = "One attempt", body = JobActivity), Problems)
)]
pub(crate) async fn job(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
    Query(asked): Query<Asked>,
) -> Answered<Json<JobActivity>> {
    caller.must(Verb::Look, None, None)?;
    let now = app.driver.now();
    let limit = asked.limit.unwrap_or(GPUS).min(GPUS_MAX);
    let found = app.past.ask(move |past| {
        let attempts = past.attempts(id)?;
        let wanted = match asked.attempt {
            Some(number) => attempts.into_iter().find(|row| row.attempt == number),
            None => attempts.into_iter().next_back(),
        };
        wanted.map(|attempt| of_attempt(past, &attempt, now, limit)).transpose()
    });
    match (found.await?, asked.attempt) {
        (Some(activity), _) => Ok(Json(activity)),
        // Who has not run is known all the same.
        (None, None) if app.driver.shared().read().job(JobId(id)).is_some() => {
            Ok(Json(not_yet(now)))
        }
        (None, Some(attempt)) if app.past.ask(move |past| past.job(id)).await?.is_some() => {
            let detail = format!("job {id} has no attempt {attempt}");
            let hint = format!("`muster job {id}` lists those it has");
            Err(Problem::new(404, "unknown attempt", detail).hint(hint).into())
        }
        (None, _) => Err(unknown("job", id)),
    }
}

fn not_yet(now: Time) -> JobActivity {
    let (from, to) = (Moment(now), Moment(now));
    JobActivity { attempt: 0, from, to, step_ms: step_ms(0, STEPS), gpus: Vec::new(), more: 0 }
}

fn of_attempt(
    past: &dyn HistoryReader,
    row: &AttemptRow,
    now: Time,
    limit: usize,
) -> muster_store::Result<JobActivity> {
    let AttemptRow { job_id, attempt, launched_ms: from_ms, .. } = *row;
    let to_ms = row.ended_ms.unwrap_or(now.0).max(from_ms);
    let step_ms = step_ms(to_ms - from_ms, STEPS);
    let question = ActivityQuestion { job_id, attempt, from_ms, to_ms, step_ms, limit };
    let answer = past.activity(&question)?;
    let nodes: BTreeSet<&str> = answer.rows.iter().map(|row| row.node.as_str()).collect();
    let tasks = tasks(past, (job_id, attempt), &nodes)?;
    let gpus = answer.rows.into_iter().map(|row| GpuActivity {
        tasks: tasks.get(&(row.node.clone(), row.gpu)).cloned().unwrap_or_default(),
        node: row.node,
        gpu: row.gpu,
        busy: row.busy,
        steps: row.steps,
    });
    Ok(JobActivity {
        attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
        from: Moment(Time(from_ms)),
        to: Moment(Time(to_ms)),
        step_ms,
        gpus: gpus.collect(),
        more: answer.more,
    })
}

/// Who had which GPU of some nodes.
fn tasks(
    past: &dyn HistoryReader,
    (job_id, attempt): (u64, u64),
    nodes: &BTreeSet<&str>,
) -> muster_store::Result<BTreeMap<(String, u32), Vec<TaskNumber>>> {
    let mut tasks: BTreeMap<(String, u32), Vec<TaskNumber>> = BTreeMap::new();
    let mut after = None;
    loop {
        let page = past.placements(job_id, attempt, after, PAGE_ROWS_MAX)?;
        for place in page.iter().filter(|place| nodes.contains(place.node.as_str())) {
            let PlaceView { node, group, rank, gpus, .. } = place_view(place);
            for gpu in gpus {
                tasks.entry((node.clone(), gpu)).or_default().push(TaskNumber { group, rank });
            }
        }
        after = page.last().map(|last| (last.group_index, last.rank));
        if page.len() < PAGE_ROWS_MAX {
            return Ok(tasks);
        }
    }
}
