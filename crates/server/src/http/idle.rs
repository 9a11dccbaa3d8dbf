//! What a rule for idle jobs would have reclaimed.

use muster_api::moment::Moment;
use muster_api::usage::IdlePreview;
use muster_model::Time;
use muster_store::history::{LedgerBy, LedgerFilter, LedgerQuestion};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Json, Problems, Query};
use super::usage::window;
use crate::access::{Caller, Verb};
use crate::account::{Rule, idle_jobs};

/// Jobs that are named; the sum is over all.
const JOBS_MAX: usize = 100;

/// The finest and the coarsest look.
const STEP_MS: std::ops::RangeInclusive<u64> = 300_000..=3_600_000;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Asked {
    /// After how long a job counts as idle, in milliseconds; two hours if left out.
    after_ms: Option<u64>,
    /// Below which part of its time, in thousandths; 50 if left out.
    below_milli: Option<u32>,
    /// From when; a week before the end if left out.
    #[param(value_type = Option<String>)]
    since: Option<Moment>,
    /// Until when; now if left out.
    #[param(value_type = Option<String>)]
    until: Option<Moment>,
    /// Only in this queue.
    queue: Option<String>,
}

#[utoipa::path(
    get,
    path = "/v1/idle",
    operation_id = "usage_idle",
    tag = "accounting",
    summary = "What a rule for idle jobs would have reclaimed",
    params(Asked),
    responses((status = 200, description = "Most first", body = IdlePreview), Problems)
)]
pub(crate) async fn preview(
    app: Shared,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Answered<Json<IdlePreview>> {
    caller.must(Verb::Look, None, None)?;
    let (from_ms, to_ms) = window(&app, asked.since, asked.until)?;
    let after_ms = asked.after_ms.unwrap_or(2 * 3_600_000);
    let below_milli = asked.below_milli.unwrap_or(50).min(1000);
    let step_ms = (after_ms / 4).clamp(*STEP_MS.start(), *STEP_MS.end());
    let question = LedgerQuestion {
        from_ms,
        to_ms,
        by: LedgerBy::Job,
        bucket_ms: Some(step_ms),
        filter: LedgerFilter { queue: asked.queue, ..LedgerFilter::default() },
        gone_ms: app.gone_ms,
    };
    let ledger = app.past.ask(move |past| past.ledger(&question)).await?;
    let rule = Rule { after_ms, below_milli, step_ms };
    let mut jobs = idle_jobs(&ledger, &app.prices, rule);
    let gpu_ms = jobs.iter().map(|job| job.gpu_ms).sum();
    let money = jobs.iter().map(|job| job.money).sum();
    let more = jobs.len().saturating_sub(JOBS_MAX) as u64;
    jobs.truncate(JOBS_MAX);
    Ok(Json(IdlePreview {
        since: Moment(Time(ledger.from_ms)),
        until: Moment(Time(ledger.to_ms)),
        after_ms,
        below_milli,
        step_ms,
        gpu_ms,
        money,
        currency: app.prices.currency.clone(),
        jobs,
        more,
    }))
}
