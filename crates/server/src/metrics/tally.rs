//! Sums of GPU time as counters, from the same questions to the history as `/v1/usage`.
//!
//! A counter must not fall, and what the accounts say of the past may: work that counts as useful
//! turns out to be lost. So each is the most it has ever been since the server started, and stands
//! still until as much has been added as was taken back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use muster_api::usage::Stages;
use muster_store::history::{Ledger, LedgerBy, LedgerQuestion};

use super::Names;
use crate::account::{Account, Owns};
use crate::http::App;

/// Sums are asked for at most so often.
const PACE: Duration = Duration::from_secs(15);

/// And never for more than one part in so many of the time, however long the history is.
const REST: u32 = 20;

/// Who asks waits this long for fresh sums before they get those of the last time.
const PATIENCE: Duration = Duration::from_secs(1);

/// What was summed up so far.
#[derive(Debug)]
pub(crate) struct Tally {
    /// When the server started: the sums begin there.
    since_ms: u64,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    sums: Sums,
    next: Option<Instant>,
    is_asking: bool,
}

/// Milliseconds of GPU time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Of the cluster, by stage of the funnel.
    pub(crate) stages: BTreeMap<&'static str, u64>,
    /// Lost, by cause.
    pub(crate) lost: BTreeMap<&'static str, u64>,
    /// Of teams, by label and stage.
    pub(crate) teams: BTreeMap<(String, &'static str), u64>,
    /// When the history was asked, in milliseconds.
    pub(crate) asked_ms: u64,
}

impl Tally {
    /// Sums that begin now.
    pub(crate) fn new(since_ms: u64) -> Tally {
        Tally { since_ms, inner: Mutex::default() }
    }

    /// The sums, asked for anew if they are old and nobody is asking already.
    pub(crate) async fn sums(&self, app: &Arc<App>) -> Sums {
        let is_due = {
            let mut inner = self.lock();
            let is_due = !inner.is_asking && inner.next.is_none_or(|next| next <= Instant::now());
            inner.is_asking |= is_due;
            is_due
        };
        if is_due {
            let app = Arc::clone(app);
            // It goes on where who asked has no more patience.
            let asking = tokio::spawn(async move { app.tally.ask(&app).await });
            let _ = tokio::time::timeout(PATIENCE, asking).await;
        }
        self.lock().sums.clone()
    }

    async fn ask(&self, app: &App) {
        let begun = Instant::now();
        let to_ms = app.driver.now().0;
        let question = LedgerQuestion {
            from_ms: self.since_ms,
            to_ms,
            by: LedgerBy::Team,
            gone_ms: app.gone_ms,
            ..LedgerQuestion::default()
        };
        let ledger = app.past.ask(move |past| past.ledger(&question)).await;
        let mut inner = self.lock();
        match ledger {
            Ok(ledger) => {
                let names = app.driver.shared().meters().names();
                inner.sums.rise(&Sums::of(&ledger, app, &names));
                inner.sums.asked_ms = to_ms;
            }
            Err(refused) => tracing::warn!("no sums for the metrics: {}", refused.0.detail),
        }
        inner.next = Some(Instant::now() + PACE.max(begun.elapsed() * REST));
        inner.is_asking = false;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sums {
    fn of(ledger: &Ledger, app: &App, names: &Names) -> Sums {
        let account = Account { ledger, prices: &app.prices, owns: Owns::Whole };
        let total = account.total().gpu_ms;
        let mut sums = Sums::default();
        let left = total.unallocated.unwrap_or_default();
        let owned = [
            ("paid", total.paid.unwrap_or(0)),
            ("free", left.idle),
            ("scattered", left.scattered),
            ("unusable", left.unusable),
        ];
        sums.stages.extend(owned.into_iter().chain(stages(&total)));
        let lost = total.lost;
        let causes =
            [("failed", lost.failed), ("paused", lost.paused), ("cancelled", lost.cancelled)];
        sums.lost.extend(causes);
        for (team, funnel) in account.rows() {
            let team = names.teams.label(&team);
            for (stage, gpu_ms) in stages(&funnel.gpu_ms) {
                *sums.teams.entry((team.clone(), stage)).or_default() += gpu_ms;
            }
        }
        sums
    }

    /// Takes over what has grown.
    fn rise(&mut self, fresh: &Sums) {
        rise(&mut self.stages, &fresh.stages);
        rise(&mut self.lost, &fresh.lost);
        rise(&mut self.teams, &fresh.teams);
    }
}

fn rise<K: Ord + Clone>(sums: &mut BTreeMap<K, u64>, fresh: &BTreeMap<K, u64>) {
    for (key, amount) in fresh {
        let known = sums.entry(key.clone()).or_default();
        *known = (*known).max(*amount);
    }
}

fn stages(funnel: &Stages) -> [(&'static str, u64); 6] {
    [
        ("allocated", funnel.allocated),
        ("active", funnel.active),
        ("useful", funnel.useful),
        ("idle", funnel.idle),
        ("unmeasured", funnel.unmeasured),
        ("overhead", funnel.overhead),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_holds_a_counter_still() {
        let sums = |useful| Sums { stages: [("useful", useful)].into(), ..Sums::default() };
        let mut told = Sums::default();
        let mut seen = Vec::new();
        for useful in [10, 30, 5, 20, 31] {
            told.rise(&sums(useful));
            seen.push(told.stages["useful"]);
        }
        assert_eq!(seen, [10, 30, 30, 30, 31]);
    }
}
