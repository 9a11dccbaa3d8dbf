//! From the sums of the history to what people read: funnels with money. All figures of all reports
//! are made here, of the same rows.

mod idle;
#[cfg(test)]
mod tests;
mod waste;

use std::collections::BTreeMap;

use muster_api::usage::{Funnel, Lost, Stages, Unallocated};
use muster_store::history::{Amounts, ApartRow, Ledger, LedgerRow, OwnedRow};

use crate::prices::Prices;

pub(crate) use idle::{Rule, idle_jobs};
pub(crate) use waste::offenders;

/// Whose the GPUs are that nobody holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owns {
    /// Nobody's that is in the answer, which is about part of the jobs.
    Nobody,
    /// The cluster's: the total has them, the rows do not.
    Whole,
    /// Those of the rows, which are models or nodes.
    Rows,
}

/// Makes funnels of a ledger.
pub(crate) struct Account<'a> {
    pub(crate) ledger: &'a Ledger,
    pub(crate) prices: &'a Prices,
    pub(crate) owns: Owns,
}

impl Account<'_> {
    /// All of it.
    pub(crate) fn total(&self) -> Funnel {
        let mut all = self.sums(|_| (), |_| (), |_| Some(()), self.owns != Owns::Nobody);
        self.funnel(&all.remove(&()).unwrap_or_default(), self.owns != Owns::Nobody)
    }

    /// By key, the most allocated first.
    pub(crate) fn rows(&self) -> Vec<(String, Funnel)> {
        let owns = self.owns == Owns::Rows;
        let owner = |row: &OwnedRow| row.node.as_ref().unwrap_or(&row.model).clone();
        let apart = |row: &ApartRow| (!self.is_by_node()).then(|| row.model.clone());
        let sums = self.sums(|row| row.key.clone(), owner, apart, owns);
        let mut rows: Vec<(String, Funnel)> =
            sums.into_iter().map(|(key, models)| (key, self.funnel(&models, owns))).collect();
        rows.sort_by_key(|(_, funnel)| std::cmp::Reverse(funnel.gpu_ms.allocated));
        rows
    }

    /// By the beginning of their span, all keys together.
    pub(crate) fn spans(&self) -> Vec<(u64, Funnel)> {
        let owns = self.owns != Owns::Nobody;
        let sums =
            self.sums(|row| row.bucket_ms, |row| row.bucket_ms, |row| Some(row.bucket_ms), owns);
        sums.into_iter().map(|(at, models)| (at, self.funnel(&models, owns))).collect()
    }

    /// By the beginning of their span and by key.
    pub(crate) fn spans_by_key(&self) -> Vec<((u64, String), Funnel)> {
        let owns = self.owns == Owns::Rows;
        let owner =
            |row: &OwnedRow| (row.bucket_ms, row.node.as_ref().unwrap_or(&row.model).clone());
        let apart =
            |row: &ApartRow| (!self.is_by_node()).then(|| (row.bucket_ms, row.model.clone()));
        let sums = self.sums(|row| (row.bucket_ms, row.key.clone()), owner, apart, owns);
        sums.into_iter().map(|(at, models)| (at, self.funnel(&models, owns))).collect()
    }

    /// Whether rows are nodes: what lies apart is between those.
    fn is_by_node(&self) -> bool {
        self.ledger.owned.iter().any(|row| row.node.is_some())
    }

    fn sums<K: Ord>(
        &self,
        holder: impl Fn(&LedgerRow) -> K,
        owner: impl Fn(&OwnedRow) -> K,
        apart: impl Fn(&ApartRow) -> Option<K>,
        owns: bool,
    ) -> BTreeMap<K, Models<'_>> {
        let mut sums: BTreeMap<K, Models<'_>> = BTreeMap::new();
        for row in &self.ledger.rows {
            let sum = sums.entry(holder(row)).or_default().entry(&row.model).or_default();
            sum.amounts += &row.amounts;
        }
        for row in self.ledger.owned.iter().filter(|_| owns) {
            let sum = sums.entry(owner(row)).or_default().entry(&row.model).or_default();
            sum.owned += row.owned;
            sum.unusable += row.unusable;
        }
        for row in self.ledger.apart.iter().filter(|_| owns) {
            let Some(key) = apart(row) else { continue };
            sums.entry(key).or_default().entry(&row.model).or_default().scattered += row.gpu_ms;
        }
        sums
    }

    /// The funnel of sums by model.
    fn funnel(&self, models: &Models<'_>, owns: bool) -> Funnel {
        let mut all = Parts::default();
        let mut cost = Some(Parts::default());
        for (model, sum) in models {
            let parts = Parts::of(sum, owns);
            all.add(&parts);
            let price = |gpu_ms: u64| self.prices.of(model, gpu_ms);
            cost = cost.zip(parts.priced(price)).map(|(mut cost, more)| {
                cost.add(&more);
                cost
            });
        }
        let money = cost.filter(|_| self.prices.currency.is_some()).map(|cost| cost.stages(owns));
        Funnel { gpu_ms: all.stages(owns), money }
    }
}

/// What was held and owned, by model.
type Models<'a> = BTreeMap<&'a str, Sum>;

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    amounts: Amounts,
    owned: u64,
    unusable: u64,
    scattered: u64,
}

/// The parts that everything else is a sum of: no rounding can set them at odds.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    free: u64,
    /// Of `free`.
    scattered: u64,
    unusable: u64,
    idle: u64,
    unmeasured: u64,
    useful: u64,
    lost: Lost,
    overhead: u64,
}

impl Parts {
    fn of(sum: &Sum, owns: bool) -> Parts {
        let Amounts { allocated, measured, active, failed, paused, cancelled, overhead } =
            sum.amounts;
        let free = sum.owned.saturating_sub(allocated).saturating_sub(sum.unusable);
        Parts {
            free: if owns { free } else { 0 },
            scattered: if owns { sum.scattered.min(free) } else { 0 },
            unusable: if owns { sum.unusable } else { 0 },
            idle: measured - active,
            unmeasured: allocated - measured,
            useful: sum.amounts.useful(),
            lost: Lost { failed, paused, cancelled },
            overhead,
        }
    }

    /// The same in money, if there is a price.
    fn priced(&self, price: impl Fn(u64) -> Option<u64>) -> Option<Parts> {
        Some(Parts {
            free: price(self.free)?,
            scattered: price(self.scattered)?,
            unusable: price(self.unusable)?,
            idle: price(self.idle)?,
            unmeasured: price(self.unmeasured)?,
            useful: price(self.useful)?,
            lost: Lost {
                failed: price(self.lost.failed)?,
                paused: price(self.lost.paused)?,
                cancelled: price(self.lost.cancelled)?,
            },
            overhead: price(self.overhead)?,
        })
    }

    fn add(&mut self, more: &Parts) {
        self.free += more.free;
        self.scattered += more.scattered;
        self.unusable += more.unusable;
        self.idle += more.idle;
        self.unmeasured += more.unmeasured;
        self.useful += more.useful;
        self.lost += more.lost;
        self.overhead += more.overhead;
    }

    fn active(&self) -> u64 {
        self.useful + self.lost.sum()
    }

    fn allocated(&self) -> u64 {
        self.active() + self.idle + self.unmeasured
    }

    fn stages(&self, owns: bool) -> Stages {
        let left =
            Unallocated { idle: self.free, scattered: self.scattered, unusable: self.unusable };
        let paid = self.allocated() + self.free + self.unusable;
        Stages {
            paid: owns.then_some(paid),
            unallocated: owns.then_some(left),
            allocated: self.allocated(),
            active: self.active(),
            idle: self.idle,
            unmeasured: self.unmeasured,
            useful: self.useful,
            lost: self.lost,
            overhead: self.overhead,
        }
    }
}
