//! Where GPU time was paid for and not of use, by job, worst first.

use std::collections::BTreeMap;

use muster_api::usage::{Funnel, Offender, WasteKind};
use muster_store::history::{Ledger, LedgerJob};

use super::{Account, Owns};
use crate::prices::Prices;

/// Offenders that are told at most: more than these nobody goes after.
const OFFENDERS_MAX: usize = 100;

/// Less than this much GPU time is not worth a word: one GPU for a minute.
const LEAST_GPU_MS: u64 = 60_000;

/// A job that computes less than this many percent of the measured time is idle.
const IDLE_PERCENT: u64 = 10;

/// And below this many percent it is of low activity.
const LOW_PERCENT: u64 = 50;

/// The jobs of a ledger by job that wasted most.
pub(crate) fn offenders(ledger: &Ledger, prices: &Prices) -> Vec<Offender> {
    let account = Account { ledger, prices, owns: Owns::Nobody };
    let about: BTreeMap<&str, &LedgerJob> =
        ledger.rows.iter().filter_map(|row| Some((row.key.as_str(), row.job.as_ref()?))).collect();
    let mut found = scattered(ledger, prices);
    for (key, funnel) in account.rows() {
        // What is left of forgotten jobs blames nobody.
        let Some(job) = about.get(key.as_str()) else { continue };
        for (kind, gpu_ms, money, text) in wastes(&funnel) {
            if gpu_ms >= LEAST_GPU_MS {
                found.push(Offender {
                    kind,
                    job: key.parse().ok(),
                    name: Some(job.name.clone()),
                    user: Some(job.user.clone()),
                    team: Some(job.team.clone()).filter(|team| !team.is_empty()),
                    gpu_ms,
                    money,
                    text,
                });
            }
        }
    }
    found.sort_by_key(|offender| (std::cmp::Reverse(offender.gpu_ms), offender.job));
    found.truncate(OFFENDERS_MAX);
    found
}

/// The jobs for which most stood free in pieces. They are not to blame for it; they name the case.
fn scattered(ledger: &Ledger, prices: &Prices) -> Vec<Offender> {
    let mut jobs: BTreeMap<u64, (&LedgerJob, u64, Option<u64>)> = BTreeMap::new();
    for row in &ledger.apart {
        let Some((id, job)) = &row.job else { continue };
        let (_, gpu_ms, money) = jobs.entry(*id).or_insert((job, 0, Some(0)));
        *gpu_ms += row.gpu_ms;
        *money = money.zip(prices.of(&row.model, row.gpu_ms)).map(|(sum, more)| sum + more);
    }
    let told = jobs.into_iter().filter(|(_, (_, gpu_ms, _))| *gpu_ms >= LEAST_GPU_MS);
    let offender = |(id, (job, gpu_ms, money)): (u64, (&LedgerJob, u64, Option<u64>))| Offender {
        kind: WasteKind::Fragmentation,
        job: Some(id),
        name: Some(job.name.clone()),
        user: Some(job.user.clone()),
        team: Some(job.team.clone()).filter(|team| !team.is_empty()),
        gpu_ms,
        money: money.filter(|_| prices.currency.is_some()),
        text: format!("{} stood free in pieces while it waited for as much", hours(gpu_ms)),
    };
    told.map(offender).collect()
}

type Waste = (WasteKind, u64, Option<u64>, String);

fn wastes(funnel: &Funnel) -> Vec<Waste> {
    let mut wastes = Vec::new();
    let Funnel { gpu_ms: funnel, money } = funnel;
    let measured = funnel.active + funnel.idle;
    let percent = (funnel.active * 100).checked_div(measured).unwrap_or(100);
    let money = money.as_ref();
    if percent < LOW_PERCENT {
        let kind = if percent < IDLE_PERCENT { WasteKind::IdleJob } else { WasteKind::LowActivity };
        let text = format!(
            "its GPUs computed {percent}% of the time that was measured; {} stood idle",
            hours(funnel.idle)
        );
        wastes.push((kind, funnel.idle, money.map(|money| money.idle), text));
    }
    if funnel.lost.failed > 0 {
        let text = format!("{} of work after the last save were lost", hours(funnel.lost.failed));
        let cost = money.map(|money| money.lost.failed);
        wastes.push((WasteKind::FailedAttempts, funnel.lost.failed, cost, text));
    }
    if funnel.lost.paused > 0 {
        let text = format!(
            "{} of work after the last save were given up for other jobs",
            hours(funnel.lost.paused)
        );
        let cost = money.map(|money| money.lost.paused);
        wastes.push((WasteKind::Pauses, funnel.lost.paused, cost, text));
    }
    if funnel.overhead > 0 {
        let text = format!("{} went into launching, saving and restoring", hours(funnel.overhead));
        let cost = money.map(|money| money.overhead);
        wastes.push((WasteKind::Overhead, funnel.overhead, cost, text));
    }
    wastes
}

/// GPU time in hours, to a hundredth below ten and to a tenth above.
fn hours(gpu_ms: u64) -> String {
    let hundredths = (gpu_ms + 18_000) / 36_000;
    if hundredths < 1000 {
        return format!("{}.{:02} GPU-hours", hundredths / 100, hundredths % 100);
    }
    let tenths = (gpu_ms + 180_000) / 360_000;
    format!("{}.{} GPU-hours", tenths / 10, tenths % 10)
}
