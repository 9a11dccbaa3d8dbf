//! The accounting: what was used and by whom, what one job used, and where GPU time is wasted.

use muster_api::Problem;
use muster_api::moment::Moment;
use muster_api::usage::{
    AttemptUsage, Bucket, Funnel, JobUsage, UsageBucket, UsageBy, UsagePoint, UsageReport,
    UsageRow, WasteReport,
};
use muster_model::{JobId, Time};
use muster_store::history::{AttemptRow, JobRow, Ledger, LedgerBy, LedgerFilter, LedgerQuestion};
use serde::Deserialize;
use utoipa::IntoParams;

use super::answer::{Answered, Json, Path, Problems, Query, unknown};
use super::{App, Shared};
use crate::access::{Caller, Verb};
use crate::account::{Account, Owns, offenders};

/// How far back a report goes where nobody says: a week.
const WINDOW_MS: u64 = 7 * 86_400_000;

/// Rows of a report unless asked for fewer or more, and the most: a table of all jobs of a year is
/// a thing for the database, not for a page.
const ROWS: usize = 1000;
const ROWS_MAX: usize = 10_000;

/// Spans of time in one report at most: five weeks by hours, six years by days.
const BUCKETS_MAX: u64 = 2400;

/// Points that a job's life is shown in, and the least that lies between two.
const POINTS: u64 = 240;
const POINT_MS: u64 = 60_000;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Asked {
    /// What to sum up by.
    #[serde(default)]
    #[param(inline)]
    by: UsageBy,
    /// From when; a week before the end if left out.
    #[param(value_type = Option<String>)]
    since: Option<Moment>,
    /// Until when; now if left out.
    #[param(value_type = Option<String>)]
    until: Option<Moment>,
    /// Tell it over time as well, by hours or days.
    #[param(inline)]
    bucket: Option<Bucket>,
    /// Only of this team.
    team: Option<String>,
    /// Only of this user.
    user: Option<String>,
    /// Only this job.
    job: Option<u64>,
    /// Only of this class.
    class: Option<String>,
    /// Only in this queue.
    queue: Option<String>,
    /// Only on GPUs of this model.
    model: Option<String>,
    /// Only on this node.
    node: Option<String>,
    /// At most so many rows.
    limit: Option<usize>,
}

#[utoipa::path(
    get,
    path = "/v1/usage",
    operation_id = "usage_report",
    tag = "accounting",
    summary = "What was used, and by whom",
    params(Asked),
    responses((status = 200, description = "Sums that add up", body = UsageReport), Problems)
)]
pub(crate) async fn report(
    app: Shared,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Answered<Json<UsageReport>> {
    caller.must(Verb::Look, None, None)?;
    let (from_ms, to_ms) = window(&app, asked.since, asked.until)?;
    let bucket_ms = asked.bucket.map(|bucket| match bucket {
        Bucket::Hour => 3_600_000,
        Bucket::Day => 86_400_000,
    });
    if bucket_ms.is_some_and(|bucket| (to_ms - from_ms) / bucket > BUCKETS_MAX) {
        let detail = format!("that is more than {BUCKETS_MAX} spans of time");
        let hint = "ask by days, or for less time";
        return Err(Problem::new(400, "too much", detail).hint(hint).into());
    }
    let Asked { by, team, user, job, class, queue, model, node, limit, .. } = asked;
    let is_part = [&team, &user, &class, &queue].iter().any(|it| it.is_some()) || job.is_some();
    let filter = LedgerFilter { job, team, user, queue, class, model, node };
    let gone_ms = app.gone_ms;
    let by_key = ledger_by(by);
    let question = LedgerQuestion { from_ms, to_ms, by: by_key, bucket_ms, filter, gone_ms };
    let ledger = app.past.ask(move |past| past.ledger(&question)).await?;
    let owns = match by {
        _ if is_part => Owns::Nobody,
        UsageBy::Model | UsageBy::Node => Owns::Rows,
        _ => Owns::Whole,
    };
    let account = Account { ledger: &ledger, prices: &app.prices, owns };
    let labels = labels(&ledger);
    let mut rows: Vec<UsageRow> = account
        .rows()
        .into_iter()
        .map(|(key, funnel)| UsageRow { label: labels.get(key.as_str()).cloned(), key, funnel })
        .collect();
    let rest = rows.split_off(limit.unwrap_or(ROWS).clamp(1, ROWS_MAX).min(rows.len()));
    let sum = |mut sum: Funnel, row: &UsageRow| {
        sum += &row.funnel;
        sum
    };
    Ok(Json(UsageReport {
        since: Moment(Time(ledger.from_ms)),
        until: Moment(Time(ledger.to_ms)),
        by,
        currency: app.prices.currency.clone(),
        total: account.total(),
        rows,
        more: u64::try_from(rest.len()).unwrap_or(u64::MAX),
        rest: rest.split_first().map(|(first, more)| more.iter().fold(first.funnel.clone(), sum)),
        buckets: bucket_ms.map(|_| buckets(&account)),
    }))
}

/// Names of jobs by their numbers.
fn labels(ledger: &Ledger) -> std::collections::BTreeMap<&str, String> {
    let named =
        |row: &'_ muster_store::history::LedgerRow| row.job.as_ref().map(|job| job.name.clone());
    ledger.rows.iter().filter_map(|row| Some((row.key.as_str(), named(row)?))).collect()
}

/// The whole of each span, and then each key's part of it.
fn buckets(account: &Account<'_>) -> Vec<UsageBucket> {
    let at = |ms: u64| Moment(Time(ms));
    let whole = account.spans().into_iter();
    let mut all: Vec<UsageBucket> =
        whole.map(|(ms, funnel)| UsageBucket { at: at(ms), key: None, funnel }).collect();
    all.extend(account.spans_by_key().into_iter().map(|((ms, key), funnel)| UsageBucket {
        at: at(ms),
        key: Some(key),
        funnel,
    }));
    all.sort_by_key(|bucket| bucket.at);
    all
}

fn ledger_by(by: UsageBy) -> LedgerBy {
    match by {
        UsageBy::Team => LedgerBy::Team,
        UsageBy::User => LedgerBy::User,
        UsageBy::Job => LedgerBy::Job,
        UsageBy::Class => LedgerBy::Class,
        UsageBy::Model => LedgerBy::Model,
        UsageBy::Queue => LedgerBy::Queue,
        UsageBy::Node => LedgerBy::Node,
    }
}

/// The span that is asked about. What is to come has not been used.
pub(super) fn window(
    app: &App,
    since: Option<Moment>,
    until: Option<Moment>,
) -> Answered<(u64, u64)> {
    let now = app.driver.now();
    let to = until.map_or(now, |Moment(until)| until.min(now));
    let from = since.map_or(to.0.saturating_sub(WINDOW_MS), |Moment(since)| since.0);
    if from > to.0 {
        let detail = format!("{} is after {}", Moment(Time(from)), Moment(to));
        let hint = "ask for a span that has begun and whose end is after its beginning";
        return Err(Problem::new(400, "not understood", detail).hint(hint).into());
    }
    Ok((from, to.0))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wasted {
    /// From when; a week before the end if left out.
    #[param(value_type = Option<String>)]
    since: Option<Moment>,
    /// Until when; now if left out.
    #[param(value_type = Option<String>)]
    until: Option<Moment>,
}

#[utoipa::path(
    get,
    path = "/v1/waste",
    operation_id = "usage_waste",
    tag = "accounting",
    summary = "Where GPU time was paid for and not of use",
    params(Wasted),
    responses((status = 200, description = "The worst first", body = WasteReport), Problems)
)]
pub(crate) async fn waste(
    app: Shared,
    caller: Caller,
    Query(asked): Query<Wasted>,
) -> Answered<Json<WasteReport>> {
    caller.must(Verb::Look, None, None)?;
    let (from_ms, to_ms) = window(&app, asked.since, asked.until)?;
    let by = LedgerBy::Job;
    let gone_ms = app.gone_ms;
    let question = LedgerQuestion { from_ms, to_ms, by, gone_ms, ..LedgerQuestion::default() };
    let ledger = app.past.ask(move |past| past.ledger(&question)).await?;
    let account = Account { ledger: &ledger, prices: &app.prices, owns: Owns::Whole };
    Ok(Json(WasteReport {
        since: Moment(Time(ledger.from_ms)),
        until: Moment(Time(ledger.to_ms)),
        currency: app.prices.currency.clone(),
        funnel: account.total(),
        offenders: offenders(&ledger, &app.prices),
    }))
}

#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/usage",
    operation_id = "usage_job",
    tag = "accounting",
    summary = "What one job used, by attempts and over time",
    params(("id" = u64, Path, description = "Its number")),
    responses((status = 200, description = "All its attempts", body = JobUsage), Problems)
)]
pub(crate) async fn job(
    app: Shared,
    caller: Caller,
    Path(id): Path<u64>,
) -> Answered<Json<JobUsage>> {
    caller.must(Verb::Look, None, None)?;
    let now = app.driver.now();
    let asked = app.past.ask(move |past| {
        let Some(row) = past.job(id)? else { return Ok(None) };
        let attempts = past.attempts(id)?;
        let (from_ms, to_ms, step_ms) = life(&row, &attempts, now);
        let filter = LedgerFilter { job: Some(id), ..LedgerFilter::default() };
        let by = LedgerBy::Attempt;
        let question = LedgerQuestion { from_ms, to_ms, by, filter, ..LedgerQuestion::default() };
        let whole = past.ledger(&question)?;
        let series = past.ledger(&LedgerQuestion { bucket_ms: Some(step_ms), ..question })?;
        Ok(Some((attempts, whole, series, step_ms)))
    });
    let Some((attempts, whole, series, step_ms)) = asked.await? else {
        // It may be so new that it is not in the history yet.
        if app.driver.shared().read().job(JobId(id)).is_none() {
            return Err(unknown("job", id));
        }
        let currency = app.prices.currency.clone();
        let (funnel, attempts, series) = (Funnel::default(), Vec::new(), Vec::new());
        return Ok(Json(JobUsage { currency, funnel, attempts, series }));
    };
    let account = Account { ledger: &whole, prices: &app.prices, owns: Owns::Nobody };
    let rows = account.rows();
    let of = |attempt: u64| {
        let found = rows.iter().find(|(key, _)| *key == attempt.to_string());
        found.map(|(_, funnel)| funnel.clone()).unwrap_or_default()
    };
    let over_time = Account { ledger: &series, prices: &app.prices, owns: Owns::Nobody };
    let point = |(at, funnel): (u64, Funnel)| UsagePoint {
        from: Moment(Time(at.max(series.from_ms))),
        to: Moment(Time((at + step_ms).min(series.to_ms))),
        held_gpu_ms: funnel.gpu_ms.allocated,
        measured_gpu_ms: funnel.gpu_ms.allocated - funnel.gpu_ms.unmeasured,
        active_gpu_ms: Some(funnel.gpu_ms)
            .filter(|it| it.unmeasured < it.allocated)
            .map(|it| it.active),
    };
    Ok(Json(JobUsage {
        currency: app.prices.currency.clone(),
        funnel: account.total(),
        attempts: attempts.iter().map(|row| attempt(row, of(row.attempt))).collect(),
        series: over_time.spans().into_iter().map(point).collect(),
    }))
}

/// From when until when a job held anything, and in which steps that is shown.
fn life(row: &JobRow, attempts: &[AttemptRow], now: Time) -> (u64, u64, u64) {
    let from_ms = attempts.first().map_or(row.submitted_ms, |first| first.launched_ms);
    let to_ms = row.ended_ms.unwrap_or(now.0).max(from_ms);
    (from_ms, to_ms, step_ms(to_ms - from_ms, POINTS))
}

/// How long steps are that divide a time into so many at most, and are no shorter than a point.
pub(super) fn step_ms(length_ms: u64, steps: u64) -> u64 {
    (length_ms / steps).next_multiple_of(POINT_MS).max(POINT_MS)
}

fn attempt(row: &AttemptRow, funnel: Funnel) -> AttemptUsage {
    let moment = |time: Option<u64>| time.map(|time| Moment(Time(time)));
    AttemptUsage {
        attempt: u32::try_from(row.attempt).unwrap_or(u32::MAX),
        launched: Moment(Time(row.launched_ms)),
        started: moment(row.started_ms),
        saved: moment(row.saved_ms),
        ended: moment(row.ended_ms),
        outcome: row.outcome.clone(),
        note: row.note.clone(),
        funnel,
    }
}
