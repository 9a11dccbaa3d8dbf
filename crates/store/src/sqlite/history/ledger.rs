//! The tables of the accounting: what is held and owned, what was measured of it, and sums.

mod activity;
mod compact;
mod gpus;
mod query;
mod scattered;
mod visit;
mod write;

pub(super) use activity::activity;
pub(super) use compact::{sum_up, thin};
pub(super) use query::ledger;
pub(super) use scattered::scattered;
pub(super) use write::{capacity, holding, overhead, sample, saved, settle};

/// An hour, by which samples are summed up first.
pub(super) const HOUR_MS: u64 = 3_600_000;

/// A day, by which they are in the end.
pub(super) const DAY_MS: u64 = 86_400_000;
