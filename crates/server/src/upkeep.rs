//! How long what happened is kept, and how long the driver may take before somebody is told.

use std::time::Duration;

use muster_model::{Millis, Time};
use muster_store::SnapshotMark;
use muster_store::history::Before;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How often old history is looked for.
const FORGET_EVERY: Duration = Duration::from_secs(600);

/// Ended jobs that are kept however old they are: as many as are in memory, so that what a list
/// shows can always be asked about.
const JOBS_LEAST: u64 = 10_000;

/// How long one pass of the driver may take before the server no longer counts as ready.
const STALL: Millis = Millis::seconds(10);

/// How long what happened is kept, in days; 0 is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// Jobs after they ended, with their attempts, places and events.
    pub jobs_days: u32,
    /// Events that are about no job, such as those of nodes.
    pub events_days: u32,
    /// Samples of what jobs use, as they came, before they are summed up by hours.
    pub samples_days: u32,
    /// The sums by hours, before they are summed up by days. Sums by days are kept with their job,
    /// and those by team, user, queue, class, model and node for ever.
    pub usage_days: u32,
    /// Entries of the journal, as long as a few snapshots lead through them: `muster journal` and
    /// `muster why --at` reach so far back at most.
    pub journal_days: u32,
    /// Nodes after they are gone, as something that is owned and paid for: after that they count as
    /// removed.
    pub gone_days: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Retention {
            jobs_days: 365,
            events_days: 365,
            samples_days: 2,
            usage_days: 30,
            journal_days: 30,
            gone_days: 30,
        }
    }
}

/// What a server does beside its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upkeep {
    /// How long what happened is kept.
    pub retention: Retention,
    /// Ended jobs that are kept however old they are.
    pub jobs_least: u64,
    /// How often old history is looked for.
    pub forget_every: Duration,
    /// How long one pass of the driver may take.
    pub stall: Millis,
}

impl Default for Upkeep {
    fn default() -> Self {
        Upkeep {
            retention: Retention::default(),
            jobs_least: JOBS_LEAST,
            forget_every: FORGET_EVERY,
            stall: STALL,
        }
    }
}

impl Retention {
    /// What of the history is to go at a time.
    pub(crate) fn before(&self, now: Time) -> Before {
        Before {
            jobs_ms: before(now, self.jobs_days),
            events_ms: before(now, self.events_days),
            samples_ms: before(now, self.samples_days),
            hours_ms: before(now, self.usage_days),
        }
    }

    /// How long a node that is gone counts as owned.
    pub(crate) fn gone_ms(&self) -> u64 {
        match self.gone_days {
            0 => u64::MAX,
            days => Millis::hours(24).0.saturating_mul(u64::from(days)),
        }
    }

    /// The last entry of the journal that may go at a time, given the snapshots oldest first. What
    /// is left begins with a snapshot.
    pub(crate) fn journal_until(&self, now: Time, marks: &[SnapshotMark]) -> u64 {
        let before = before(now, self.journal_days);
        let old = marks.iter().rev().find(|mark| mark.time_ms < before);
        old.or(marks.first()).map_or(0, |mark| mark.sequence)
    }
}

/// What is from before this is older than so many days.
fn before(now: Time, days: u32) -> u64 {
    match days {
        0 => 0,
        days => now.0.saturating_sub(Millis::hours(24).0.saturating_mul(u64::from(days))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    #[test]
    fn each_is_kept_for_its_days_and_zero_is_for_ever() {
        let retention =
            Retention { jobs_days: 10, events_days: 0, usage_days: 1, ..Retention::default() };
        let before = retention.before(Time(30 * DAY));
        let expected =
            Before { jobs_ms: 20 * DAY, events_ms: 0, samples_ms: 28 * DAY, hours_ms: 29 * DAY };
        assert_eq!(before, expected);
        assert_eq!(retention.before(Time(DAY)).jobs_ms, 0, "nothing is so old yet");
    }

    #[test]
    fn journal_begins_with_the_last_snapshot_that_is_old_enough() {
        let mark = |sequence, day| SnapshotMark { sequence, time_ms: day * DAY };
        let marks = [mark(100, 1), mark(200, 5), mark(300, 9)];
        let until = |days, day| {
            let retention = Retention { journal_days: days, ..Retention::default() };
            retention.journal_until(Time(day * DAY), &marks)
        };
        assert_eq!(until(10, 10), 100, "none is that old: the oldest leads to all that is left");
        assert_eq!(until(4, 10), 200);
        assert_eq!(until(0, 10_000), 100);
        assert_eq!(Retention::default().journal_until(Time(DAY), &[]), 0);
    }
}
