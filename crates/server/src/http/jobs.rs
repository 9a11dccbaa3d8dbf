//! Jobs: listing, asking why, waiting.

use std::sync::Arc;
use std::time::Duration;

use muster_api::moment::Moment;
use muster_api::view::{AttemptView, JobState, JobView, PlaceView, WhyView};
use muster_api::{At, JobDetail, Page, Problem};
use muster_model::{JobId, Time};
use muster_store::{HistoryReader, history as rows};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, Query, Refused, page, page_size, unknown};
use crate::access::{Caller, Verb};
use crate::control::JobFilter;
use crate::history;

/// How long one request waits for a job to end.
const WAIT: Duration = Duration::from_secs(30);

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only jobs in these states, with commas between them.
    state: Option<String>,
    /// Only jobs of this user.
    user: Option<String>,
    /// Only jobs in this queue and those below it.
    queue: Option<String>,
    /// Only jobs whose name begins so.
    name: Option<String>,
    /// Only elements of this array.
    array: Option<u64>,
    /// Of jobs that have ended, only those that did so since then.
    #[param(value_type = Option<String>)]
    ended_since: Option<Moment>,
    /// At most so many.
    pub(super) limit: Option<usize>,
    /// Where the page before ended.
    pub(super) after: Option<u64>,
    /// Say of each that waits why.
    #[serde(default)]
    reasons: bool,
}

#[utoipa::path(
    get,
    path = "/v1/jobs",
    operation_id = "jobs_list",
    tag = "jobs",
    summary = "List jobs, newest first",
    params(Wanted),
    responses((status = 200, description = "A page of jobs", body = Page<JobView>), Problems)
)]
pub(crate) async fn list(
    app: Shared,
    caller: Caller,
    Query(wanted): Query<Wanted>,
) -> Answered<Json<Page<JobView>>> {
    caller.must(Verb::Look, None, None)?;
    let most = page_size(wanted.limit);
    Ok(page(listed(&app, &wanted, most).await?, most, |view| view.id))
}

/// At most so many of the jobs that are wanted, newest first.
pub(super) async fn listed(app: &Shared, wanted: &Wanted, most: usize) -> Answered<Vec<JobView>> {
    let filter = wanted.filter()?;
    let mut items = match wanted.reasons {
        true => {
            let mut control = app.driver.shared().write();
            let mut items = control.jobs(&filter, wanted.after, most);
            control.add_reasons(&mut items);
            items
        }
        false => app.driver.shared().read().jobs(&filter, wanted.after, most),
    };
    let since = wanted.ended_since.map(|Moment(time)| time);
    let ended_later = |view: &JobView| {
        since.is_none_or(|since| view.ended.is_none_or(|Moment(ended)| ended >= since))
    };
    items.retain(ended_later);
    if filter.states.is_empty() || filter.states.contains(&JobState::Ended) {
        let older = older(app, &filter, since, wanted.after, most).await?;
        items.extend(older);
        items.sort_by_key(|view| std::cmp::Reverse(view.id));
        // What is in memory is newer than what the history has of it, and came first.
        items.dedup_by_key(|view| view.id);
        items.truncate(most);
    }
    Ok(items)
}

/// Jobs that have ended, from the history.
async fn older(
    app: &Shared,
    filter: &JobFilter,
    since: Option<Time>,
    before: Option<u64>,
    most: usize,
) -> Answered<Vec<JobView>> {
    let wanted = rows::JobFilter {
        states: vec![JobState::Ended.to_string()],
        user: filter.user.clone(),
        queue: None,
        name_prefix: filter.name.clone(),
        ended_since_ms: since.map(|time| time.0),
    };
    let found = app.past.ask(move |past| past.jobs(&wanted, before, most)).await?;
    let views = found.iter().map(history::job_view);
    Ok(views.filter(|view| filter.wants(view)).collect())
}

impl Wanted {
    pub(super) fn filter(&self) -> Answered<JobFilter> {
        let words = self.state.as_deref().unwrap_or_default().split(',');
        let mut states = Vec::new();
        for word in words.filter(|word| !word.is_empty()) {
            let value = serde_json::Value::String(word.to_owned());
            states.push(serde_json::from_value(value).map_err(|_| {
                let detail = format!("`{word}` is no state of a job");
                let hint = "states are waiting, queued, launching, running, pausing, paused, \
                            resuming, stopping, ended";
                Refused(Problem::new(400, "not understood", detail).hint(hint))
            })?);
        }
        Ok(JobFilter {
            states,
            user: self.user.clone(),
            queue: self.queue.clone(),
            name: self.name.clone(),
            array: self.array,
        })
    }
}

#[utoipa::path(
    get,
    path = "/v1/jobs/{id}",
    operation_id = "jobs_show",
    tag = "jobs",
    summary = "Show one job with its attempts",
    params(("id" = u64, Path, description = "The number of the job")),
    responses((status = 200, description = "The job", body = JobDetail), Problems)
)]
pub(crate) async fn show(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
) -> Answered<Json<JobDetail>> {
    caller.must(Verb::Look, None, None)?;
    let in_memory = in_memory(&app, id);
    let found = app.past.ask(move |past| from_past(past, id)).await?;
    match (in_memory, found) {
        (Some(mut detail), found) => {
            let known = detail.attempts.first().map_or(u32::MAX, |attempt| attempt.attempt);
            let earlier = found.map(|found| found.attempts).unwrap_or_default();
            let earlier = earlier.into_iter().filter(|attempt| attempt.attempt < known);
            detail.attempts.splice(0..0, earlier);
            Ok(Json(detail))
        }
        (None, Some(found)) => Ok(Json(found)),
        (None, None) => Err(unknown("job", id)),
    }
}

/// A job that is in memory, with its present attempt.
fn in_memory(app: &Shared, id: u64) -> Option<JobDetail> {
    let mut control = app.driver.shared().write();
    let job = control.job(JobId(id))?.clone();
    let mut views = [control.job_view(&job)];
    control.add_reasons(&mut views);
    let [view] = views;
    let submitted = control.submitted(&job);
    let attempt = job.launched.filter(|_| job.attempt.0 > 0).map(|launched| AttemptView {
        attempt: job.attempt.0,
        launched: Moment(launched),
        started: job.started.map(Moment),
        ended: job.ended.map(Moment),
        outcome: view.outcome.map(|outcome| outcome.to_string()),
        note: None,
        places: control.places(&job),
    });
    Some(JobDetail {
        job: view,
        attempts: attempt.into_iter().collect(),
        spec: Some(Arc::clone(control.spec(&job))),
        program: Some(Arc::clone(&submitted.program)),
    })
}

fn from_past(past: &dyn HistoryReader, id: u64) -> muster_store::Result<Option<JobDetail>> {
    let Some(row) = past.job(id)? else { return Ok(None) };
    let mut attempts = Vec::new();
    for attempt in past.attempts(id)? {
        let places = past.placements(id, attempt.attempt, None, rows::PAGE_ROWS_MAX)?;
        attempts.push(attempt_view(&attempt, &places));
    }
    // An element has a document of its own once it was changed.
    let own = past.document(id)?;
    let document = match (own, row.array_id) {
        (None, Some(array)) => past.document(array)?,
        (own, _) => own,
    };
    let spec = document.as_ref().and_then(|document| serde_json::from_str(&document.spec).ok());
    let program = document.as_ref().and_then(|document| document.program.as_deref());
    let program = program.and_then(|text| serde_json::from_str(text).ok());
    Ok(Some(JobDetail { job: history::job_view(&row), attempts, spec, program }))
}

/// Where a task was.
pub(super) fn place_view(place: &rows::PlacementRow) -> PlaceView {
    PlaceView {
        node: place.node.clone(),
        group: u16::try_from(place.group_index).unwrap_or(u16::MAX),
        rank: u32::try_from(place.rank).unwrap_or(u32::MAX),
        gpus: place.gpus.split(',').filter_map(|gpu| gpu.parse().ok()).collect(),
        share_milli: place.share_milli,
    }
}

pub(super) fn attempt_view(row: &rows::AttemptRow, places: &[rows::PlacementRow]) -> AttemptView {
    let moment = |time: u64| Moment(Time(time));
    AttemptView {
        attempt: u32::try_from(row.attempt).unwrap_or(u32::MAX),
        launched: moment(row.launched_ms),
        started: row.started_ms.map(moment),
        ended: row.ended_ms.map(moment),
        outcome: row.outcome.clone(),
        note: row.note.clone(),
        places: places.iter().map(place_view).collect(),
    }
}

/// When a job is asked about: now, or at a past moment.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct When {
    /// The number of an entry of the journal, or a moment; now by default.
    #[param(value_type = Option<String>)]
    at: Option<At>,
}

#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/why",
    operation_id = "jobs_why",
    tag = "jobs",
    summary = "Say why a job waits or has its place",
    params(("id" = u64, Path, description = "The number of the job"), When),
    responses((status = 200, description = "The reasons", body = WhyView), Problems)
)]
pub(crate) async fn why(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
    Query(When { at }): Query<When>,
) -> Answered<Json<WhyView>> {
    caller.must(Verb::Look, None, None)?;
    if let Some(at) = at {
        return app.bygone.why(id, at).await.map(Json);
    }
    let shared = Arc::clone(app.driver.shared());
    let asked = tokio::task::spawn_blocking(move || shared.write().why(JobId(id)));
    let why = asked.await.map_err(super::answer::broken)?;
    why.map(Json).ok_or_else(|| unknown("job", id))
}

/// Answers when the job has ended, or after a while with what it is then.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/wait",
    operation_id = "jobs_wait",
    tag = "jobs",
    summary = "Wait until a job has ended, or half a minute",
    params(("id" = u64, Path, description = "The number of the job")),
    responses((status = 200, description = "The job as it is then", body = JobView), Problems)
)]
pub(crate) async fn wait(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
) -> Answered<Json<JobView>> {
    caller.must(Verb::Look, None, None)?;
    let mut commits = app.driver.shared().commits();
    let deadline = tokio::time::sleep(WAIT);
    tokio::pin!(deadline);
    loop {
        commits.mark_unchanged();
        let view = {
            let control = app.driver.shared().read();
            control.job(JobId(id)).map(|job| control.job_view(job))
        };
        let Some(view) = view else { break };
        if view.state == JobState::Ended {
            return Ok(Json(view));
        }
        tokio::select! {
            () = &mut deadline => return Ok(Json(view)),
            changed = commits.changed() => if changed.is_err() { return Ok(Json(view)) },
        }
    }
    let found = app.past.ask(move |past| past.job(id)).await?;
    found.map(|row| Json(history::job_view(&row))).ok_or_else(|| unknown("job", id))
}
