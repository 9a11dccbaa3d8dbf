//! The cluster and its jobs for Slurm's commands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use muster_api::view::JobView;
use muster_api::{Page, Problem, Program, SlurmJobView, SlurmView, Submission};
use muster_model::{JobId, JobSpec};
use muster_store::{HistoryReader, history as rows};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Json, Problems, Query, page, page_size};
use super::jobs::{Wanted, attempt_view, listed};
use super::steps::with_past;
use crate::access::{Caller, Verb};
use crate::control::Control;
use crate::history;

/// Jobs that may be asked for by number at once.
const NUMBERS_MAX: usize = 10_000;

type Asked = (Arc<JobSpec>, Arc<Program>);

#[utoipa::path(
    get,
    path = "/v1/slurm",
    operation_id = "slurm_show",
    tag = "slurm",
    summary = "Partitions, QOS and accounts as Slurm's commands know them",
    responses((status = 200, description = "The cluster", body = SlurmView), Problems)
)]
pub(crate) async fn show(app: Shared, caller: Caller) -> Answered<Json<SlurmView>> {
    caller.must(Verb::Look, None, None)?;
    let control = app.driver.shared().read();
    Ok(Json(app.slurm.view(control.cluster(), &control.node_specs())))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Also {
    /// Only these jobs, or all elements of these arrays, with commas between their numbers.
    jobs: Option<String>,
    /// Say of each that waits when it will probably start.
    #[serde(default)]
    starts: bool,
    /// Bring their steps along.
    #[serde(default)]
    steps: bool,
    /// Bring their attempts along.
    #[serde(default)]
    attempts: bool,
}

#[utoipa::path(
    get,
    path = "/v1/slurm/jobs",
    operation_id = "slurm_jobs",
    tag = "slurm",
    summary = "List jobs with what Slurm's commands show of them, newest first",
    params(Wanted, Also),
    responses((status = 200, description = "A page of jobs", body = Page<SlurmJobView>), Problems)
)]
pub(crate) async fn jobs(
    app: Shared,
    caller: Caller,
    Query(wanted): Query<Wanted>,
    Query(also): Query<Also>,
) -> Answered<Json<Page<SlurmJobView>>> {
    caller.must(Verb::Look, None, None)?;
    let most = page_size(wanted.limit);
    let views = match also.jobs.as_deref().map(numbers) {
        None => listed(&app, &wanted, most).await?,
        Some(numbers) => {
            let mut views = numbered(&app, numbers).await?;
            let filter = wanted.filter()?;
            views.retain(|view| filter.wants(view));
            views.retain(|view| wanted.after.is_none_or(|after| view.id < after));
            views.sort_by_key(|view| std::cmp::Reverse(view.id));
            views.truncate(most);
            views
        }
    };
    let items = dressed(&app, views, &also).await?;
    Ok(page(items, most, |item| item.job.id))
}

fn numbers(text: &str) -> BTreeSet<u64> {
    text.split(',').filter_map(|number| number.parse().ok()).take(NUMBERS_MAX).collect()
}

/// Jobs by their numbers; the number of an array stands for its elements.
async fn numbered(app: &Shared, numbers: BTreeSet<u64>) -> Answered<Vec<JobView>> {
    let mut views = BTreeMap::new();
    let mut older = Vec::new();
    {
        let control = app.driver.shared().read();
        for number in numbers {
            let found = control.of_submission(JobId(number));
            if !control.is_whole(JobId(number), found.len()) {
                older.push(number);
            }
            views.extend(found.into_iter().map(|view| (view.id, view)));
        }
    }
    if !older.is_empty() {
        let past = app.past.ask(move |past| of_past(past, &older)).await?;
        for view in past {
            // What is in memory is newer than what the history has of it.
            views.entry(view.id).or_insert(view);
        }
    }
    Ok(views.into_values().collect())
}

fn of_past(past: &dyn HistoryReader, numbers: &[u64]) -> muster_store::Result<Vec<JobView>> {
    let mut views = Vec::new();
    for &number in numbers {
        if let Some(row) = past.job(number)? {
            views.push(history::job_view(&row));
            continue;
        }
        let Some((spec, _)) = asked_in_past(past, number)? else { continue };
        let elements = spec.array.as_ref().map_or(0, |array| array.indexes.len());
        for element in (number + 1..).take(elements) {
            views.extend(past.job(element)?.iter().map(history::job_view));
        }
    }
    Ok(views)
}

/// Adds what the views of jobs do not say.
async fn dressed(app: &Shared, views: Vec<JobView>, also: &Also) -> Answered<Vec<SlurmJobView>> {
    let (with_steps, with_attempts) = (also.steps, also.attempts);
    let mut items = Vec::with_capacity(views.len());
    let mut asked: BTreeMap<u64, Asked> = BTreeMap::new();
    {
        let mut control = app.driver.shared().write();
        for job in views {
            let submission = job.array.unwrap_or(job.id);
            if let Some(found) = asked_now(&control, job.id) {
                asked.entry(submission).or_insert(found);
            }
            let is_pending = job.state.is_pending();
            let waits = is_pending.then(|| control.waits(JobId(job.id))).flatten();
            let starts =
                (also.starts && is_pending).then(|| control.starts(JobId(job.id))).flatten();
            let present = with_steps.then(|| control.step_views(JobId(job.id)));
            // Who was changed is told what it is; of others one of each submission is enough.
            let spec = control.job(JobId(job.id)).and_then(|known| known.spec.clone());
            let (program, steps) = (None, present.unwrap_or_default());
            let attempts = Vec::new();
            items.push(SlurmJobView {
                job,
                submission,
                waits,
                starts,
                spec,
                program,
                steps,
                attempts,
            });
        }
    }
    let asked = app.past.ask(move |past| {
        if with_steps {
            add_steps(past, &mut items)?;
        }
        if with_attempts {
            add_attempts(past, &mut items)?;
        }
        from_past(past, items, asked)
    });
    let (mut items, mut asked) = asked.await?;
    for item in &mut items {
        let is_changed = item.spec.is_some();
        let found = match is_changed {
            true => asked.get(&item.submission).cloned(),
            false => asked.remove(&item.submission),
        };
        let Some((spec, program)) = found else { continue };
        let script = program.script.as_ref().map(|_| String::new());
        let bare = Program { script, environment: BTreeMap::new(), ..(*program).clone() };
        item.spec.get_or_insert(spec);
        item.program = Some(Arc::new(bare));
    }
    Ok(items)
}

fn asked_now(control: &Control, id: u64) -> Option<Asked> {
    let submitted = control.submitted(control.job(JobId(id))?);
    Some((Arc::clone(&submitted.spec), Arc::clone(&submitted.program)))
}

fn asked_in_past(past: &dyn HistoryReader, id: u64) -> muster_store::Result<Option<Asked>> {
    let Some(document) = past.document(id)? else { return Ok(None) };
    let spec = serde_json::from_str(&document.spec).ok();
    let program = document.program.as_deref().and_then(|text| serde_json::from_str(text).ok());
    Ok(spec.map(|spec| (Arc::new(spec), Arc::new(program.unwrap_or_default()))))
}

type Dressed = (Vec<SlurmJobView>, BTreeMap<u64, Asked>);

/// The steps that are no longer in memory.
fn add_steps(past: &dyn HistoryReader, items: &mut [SlurmJobView]) -> muster_store::Result<()> {
    for item in items.iter_mut().filter(|item| item.job.attempt > 0) {
        let present = std::mem::take(&mut item.steps);
        item.steps = with_past(&past.steps(item.job.id)?, present);
    }
    Ok(())
}

fn add_attempts(past: &dyn HistoryReader, items: &mut [SlurmJobView]) -> muster_store::Result<()> {
    for item in items.iter_mut().filter(|item| item.job.attempt > 0) {
        for row in past.attempts(item.job.id)? {
            let places = past.placements(item.job.id, row.attempt, None, rows::PAGE_ROWS_MAX)?;
            item.attempts.push(attempt_view(&row, &places));
        }
    }
    Ok(())
}

/// Nodes, and what was asked for, of jobs that are no longer in memory.
fn from_past(
    past: &dyn HistoryReader,
    mut items: Vec<SlurmJobView>,
    mut asked: BTreeMap<u64, Asked>,
) -> muster_store::Result<Dressed> {
    for item in &mut items {
        if !asked.contains_key(&item.submission)
            && let Some(found) = asked_in_past(past, item.submission)?
        {
            asked.insert(item.submission, found);
        }
        let job = &mut item.job;
        if !job.nodes.is_empty() || job.attempt == 0 {
            continue;
        }
        let attempt = u64::from(job.attempt);
        for place in past.placements(job.id, attempt, None, rows::PAGE_ROWS_MAX)? {
            if !job.nodes.contains(&place.node) {
                job.nodes.push(place.node);
            }
        }
    }
    Ok((items, asked))
}

/// What Slurm says of a job that none of its nodes could run.
const NODE_CONFIGURATION: &str = "Requested node configuration is not available";

/// Who asks as Slurm's users do hears as they do, at once, that no node has what is asked for.
/// Other jobs wait with the reason: nodes come and go.
pub(super) fn refuse_what_nobody_has(app: &Shared, submission: &Submission) -> Answered<()> {
    let is_slurms = submission.program.slurm.is_some();
    if !is_slurms || app.driver.shared().read().has_nodes_for(&submission.spec) {
        return Ok(());
    }
    let problem = Problem::new(422, "no such nodes", NODE_CONFIGURATION);
    Err(problem.hint("`sinfo -N -o '%N %c %m %G %f'` lists what nodes have").into())
}
