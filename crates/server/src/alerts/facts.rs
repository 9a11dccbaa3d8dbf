//! What is true now, as far as alerts ask for it. Only what some alert looks at is gathered.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use muster_api::moment::Moment;
use muster_api::view::{AlertKind, PlannedStart};
use muster_model::Time;
use muster_store::history::{LedgerBy, LedgerFilter, LedgerQuestion};

use super::settings::{AlertRule, Period};
use crate::account::{Account, Owns};
use crate::http::App;
use crate::prices::Price;

/// How often the accounts are asked what was spent.
const ACCOUNTS_EVERY: Duration = Duration::from_secs(60);

/// Milliseconds in a day.
const DAY_MS: u64 = 86_400_000;

/// What is true at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) now: Time,
    /// Jobs that run.
    pub(crate) running: Vec<Busy>,
    /// Jobs that wait for room and come next.
    pub(crate) waiting: Vec<Waiting>,
    /// GPUs of the largest gang that could start anywhere.
    pub(crate) largest_gpus: u64,
    /// Nodes that are not well, with how they are, in words.
    pub(crate) ill_nodes: Vec<(String, String)>,
    /// What was spent, by the name of the alert that asks; missing where it is not known.
    pub(crate) spent: BTreeMap<String, Spent>,
    /// What money is in.
    pub(crate) currency: Option<String>,
}

/// Who a job is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) user: String,
    pub(crate) team: Option<String>,
    pub(crate) queue: String,
    pub(crate) gpus_milli: u64,
}

/// A job that runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Busy {
    pub(crate) job: Job,
    /// Thousandths of its time that its GPUs computed lately, if somebody measured it.
    pub(crate) busy_milli: Option<u32>,
}

/// A job that waits for room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) job: Job,
    /// Nodes that are held for it.
    pub(crate) held: usize,
    /// When it has started at the latest, if it was promised.
    pub(crate) latest: Option<Time>,
    /// What keeps it, in words.
    pub(crate) reason: Option<String>,
}

/// What was allocated, and what that costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    pub(crate) gpu_ms: u64,
    pub(crate) money: Option<Price>,
}

/// Gathers facts, and keeps those that are dear to have.
#[derive(Debug, Default)]
pub(crate) struct Gatherer {
    spent: BTreeMap<String, Spent>,
    asked: Option<Instant>,
}

impl Gatherer {
    /// What is true now.
    pub(crate) async fn gather(&mut self, rules: &[AlertRule], app: &App) -> Facts {
        let wants = |kinds: &[AlertKind]| rules.iter().any(|rule| kinds.contains(&rule.kind));
        let now = app.driver.now();
        let currency = app.prices.currency.clone();
        let mut facts = Facts { now, currency, ..Facts::default() };
        if wants(&[AlertKind::IdleAllocation, AlertKind::LowActivity]) {
            let control = app.driver.shared().read();
            facts.running = control.busy_jobs(|job, node| app.activity.busy(now, job, node));
        }
        if wants(&[AlertKind::StuckGang, AlertKind::FloorNear]) {
            match app.picture.plan(&app.driver).await {
                Ok(plan) => facts.waiting = plan.next.iter().map(waiting).collect(),
                Err(error) => tracing::warn!("cannot foresee who waits for how long: {error}"),
            }
            let largest = app.driver.shared().read().largest_gangs();
            facts.largest_gpus = largest.first().map_or(0, |gang| gang.gpus);
        }
        if wants(&[AlertKind::UnhealthyNode]) {
            facts.ill_nodes = app.driver.shared().read().ill_nodes();
        }
        if wants(&[AlertKind::Budget]) {
            if self.asked.is_none_or(|asked| asked.elapsed() >= ACCOUNTS_EVERY) {
                self.ask(rules, app, now).await;
                self.asked = Some(Instant::now());
            }
            facts.spent.clone_from(&self.spent);
        }
        facts
    }

    async fn ask(&mut self, rules: &[AlertRule], app: &App, now: Time) {
        self.spent.clear();
        for rule in rules.iter().filter(|rule| rule.kind == AlertKind::Budget) {
            let (team, queue) = (rule.team.clone(), rule.queue.clone());
            let question = LedgerQuestion {
                from_ms: began(now, rule.per.unwrap_or_default()).0,
                to_ms: now.0,
                by: LedgerBy::Model,
                filter: LedgerFilter { team, queue, ..LedgerFilter::default() },
                gone_ms: app.gone_ms,
                ..LedgerQuestion::default()
            };
            match app.past.ask(move |past| past.ledger(&question)).await {
                Ok(ledger) => {
                    let owns = Owns::Nobody;
                    let total = Account { ledger: &ledger, prices: &app.prices, owns }.total();
                    let money = total.money.map(|money| Price(money.allocated));
                    let spent = Spent { gpu_ms: total.gpu_ms.allocated, money };
                    self.spent.insert(rule.name().to_owned(), spent);
                }
                Err(refused) => {
                    tracing::warn!("cannot look at budget {}: {}", rule.name(), refused.0.detail);
                }
            }
        }
    }
}

fn waiting(start: &PlannedStart) -> Waiting {
    Waiting {
        job: Job {
            id: start.of.job,
            name: start.of.name.clone(),
            user: start.of.user.clone(),
            team: start.of.team.clone(),
            queue: start.of.queue.clone(),
            gpus_milli: start.of.gpus_milli,
        },
        held: start.reserved_nodes.len(),
        latest: start.starts_latest.map(|Moment(latest)| latest),
        reason: start.reason.clone(),
    }
}

/// When a period began, by UTC.
fn began(now: Time, period: Period) -> Time {
    let day = Time(now.0 - now.0 % DAY_MS);
    match period {
        Period::Day => day,
        Period::Month => {
            let text = Moment(day).to_string();
            // The day of the month is the third part of a date.
            let date: Option<u64> = text.get(8..10).and_then(|date| date.parse().ok());
            Time(day.0.saturating_sub((date.unwrap_or(1).max(1) - 1) * DAY_MS))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_begin_on_their_first_day_by_utc() {
        let at = |text: &str| text.parse::<Moment>().expect("it is a moment").0;
        let now = at("2024-02-29T23:59:59Z");
        assert_eq!(began(now, Period::Day), at("2024-02-29T00:00:00Z"));
        assert_eq!(began(now, Period::Month), at("2024-02-01T00:00:00Z"));
        assert_eq!(began(at("2026-01-01T00:00:00Z"), Period::Month), at("2026-01-01T00:00:00Z"));
    }
}
