//! What a rule for idle jobs would have reclaimed, from what was measured.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use muster_api::moment::Moment;
use muster_api::usage::IdleJob;
use muster_model::Time;
use muster_store::history::{Amounts, Ledger, LedgerJob};

use crate::prices::Prices;

/// When a job counts as idle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) after_ms: u64,
    pub(crate) below_milli: u32,
    /// The length of the spans that the ledger is in.
    pub(crate) step_ms: u64,
}

/// A job in a span, on all models it had: how much, and what that cost.
type Step = (Amounts, Option<u64>);

/// The jobs of a ledger by job and span that the rule would have called idle, most first.
pub(crate) fn idle_jobs(ledger: &Ledger, prices: &Prices, rule: Rule) -> Vec<IdleJob> {
    let mut lives: BTreeMap<&str, (&LedgerJob, BTreeMap<u64, Step>)> = BTreeMap::new();
    for row in &ledger.rows {
        let Some(job) = &row.job else { continue };
        let life = lives.entry(&row.key).or_insert_with(|| (job, BTreeMap::new()));
        let (amounts, cost) = life.1.entry(row.bucket_ms).or_insert((Amounts::default(), Some(0)));
        *amounts += &row.amounts;
        *cost = cost.zip(prices.of(&row.model, row.amounts.allocated)).map(|(a, b)| a + b);
    }
    let mut found: Vec<IdleJob> = lives
        .into_iter()
        .filter_map(|(key, (job, steps))| {
            let reclaimed = reclaimed(&steps, rule)?;
            Some(IdleJob {
                job: key.parse().ok()?,
                name: job.name.clone(),
                user: job.user.clone(),
                team: Some(job.team.clone()).filter(|team| !team.is_empty()),
                flagged: Moment(Time(reclaimed.flagged_ms)),
                gpu_ms: reclaimed.gpu_ms,
                money: reclaimed.money,
            })
        })
        .collect();
    found.sort_by_key(|job| (Reverse(job.gpu_ms), job.job));
    found
}

struct Reclaimed {
    flagged_ms: u64,
    gpu_ms: u64,
    money: Option<u64>,
}

/// What a job held once it had been quiet for long enough, and for as long as it stayed so.
fn reclaimed(steps: &BTreeMap<u64, Step>, rule: Rule) -> Option<Reclaimed> {
    let mut quiet_ms = 0;
    let mut next = 0;
    let mut all: Option<Reclaimed> = None;
    for (&at, (amounts, cost)) in steps {
        // A span without it, such as a pause, begins anew; so does one that nobody measured.
        if at != next {
            quiet_ms = 0;
        }
        next = at + rule.step_ms;
        let busy = amounts.active * 1000;
        let is_measured = amounts.measured * 2 > amounts.allocated;
        if !is_measured || busy >= u64::from(rule.below_milli) * amounts.measured {
            quiet_ms = 0;
            continue;
        }
        if quiet_ms >= rule.after_ms {
            let sum = all.get_or_insert(Reclaimed { flagged_ms: at, gpu_ms: 0, money: Some(0) });
            sum.gpu_ms += amounts.allocated;
            sum.money = sum.money.zip(*cost).map(|(sum, cost)| sum + cost);
        }
        quiet_ms += rule.step_ms;
    }
    all
}

#[cfg(test)]
mod tests {
    use muster_store::history::LedgerRow;

    use super::*;
    use crate::prices::Price;

    const STEP_MS: u64 = 900_000;

    /// One job that held one GPU: how busy it was in each quarter of an hour, in percent; `None`
    /// where it did not run, beyond a hundred where nobody measured it.
    fn ledger(quarters: &[Option<u64>]) -> Ledger {
        let row = |(at, busy): (usize, &Option<u64>)| {
            let busy = (*busy)?;
            let measured = if busy > 100 { 0 } else { STEP_MS };
            Some(LedgerRow {
                bucket_ms: at as u64 * STEP_MS,
                key: "7".to_owned(),
                job: Some(LedgerJob {
                    name: "notebook".to_owned(),
                    user: "someone".to_owned(),
                    team: String::new(),
                }),
                model: "H100".to_owned(),
                amounts: Amounts {
                    allocated: STEP_MS,
                    measured,
                    active: measured * busy / 100,
                    ..Amounts::default()
                },
            })
        };
        let rows = quarters.iter().enumerate().filter_map(row).collect();
        Ledger { rows, ..Ledger::default() }
    }

    fn hour(quarters: &[Option<u64>]) -> Vec<IdleJob> {
        let prices = Prices { default: Some(Price(4_000_000)), ..Prices::default() };
        let rule = Rule { after_ms: 4 * STEP_MS, below_milli: 50, step_ms: STEP_MS };
        idle_jobs(&ledger(quarters), &prices, rule)
    }

    #[test]
    fn what_is_reclaimed_begins_after_the_time_of_grace_and_ends_with_work() {
        let quiet = Some(2);
        let table: [(&str, &[Option<u64>], u64); 7] = [
            ("idle for too short", &[quiet; 4], 0),
            ("a quarter beyond", &[quiet; 5], 1),
            ("until it computes again", &[quiet, quiet, quiet, quiet, quiet, Some(90)], 1),
            ("work in between", &[quiet, quiet, Some(60), quiet, quiet, quiet], 0),
            ("nobody measured", &[Some(101); 8], 0),
            ("a pause in between", &[quiet, quiet, quiet, None, quiet, quiet, quiet], 0),
            ("just busy enough", &[Some(5); 8], 0),
        ];
        for (what, quarters, expected) in table {
            let found: u64 = hour(quarters).iter().map(|job| job.gpu_ms / STEP_MS).sum();
            assert_eq!(found, expected, "{what}");
        }
    }

    #[test]
    fn job_is_named_with_when_it_would_have_been_flagged_and_what_it_cost() {
        let found = hour(&[Some(0); 8]);
        let [job] = found.as_slice() else { panic!("one job: {found:?}") };
        assert_eq!((job.job, job.name.as_str(), job.team.as_ref()), (7, "notebook", None));
        assert_eq!(job.flagged, Moment(Time(4 * STEP_MS)));
        assert_eq!(job.money, Some(4_000_000), "an hour");
    }
}
