//! Forgets old history in the pauses of the thread that writes it, a bounded part at a time.

use std::time::{Duration, Instant};

use muster_store::History;

use crate::clock::Clock;
use crate::upkeep::Upkeep;

/// Unused pages that are given back at once: 4 MiB, a moment's work.
const PAGES_AT_ONCE: u32 = 1024;

/// When to forget what.
pub(super) struct Forgetting {
    upkeep: Upkeep,
    clock: Clock,
    due: Instant,
}

impl Forgetting {
    pub(super) fn new(upkeep: Upkeep, clock: Clock) -> Forgetting {
        Forgetting { upkeep, clock, due: Instant::now() + upkeep.forget_every }
    }

    /// How long nothing is to be forgotten.
    pub(super) fn patience(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Forgets a part, if it is time. What fails is tried again the next time: too much history
    /// keeps nobody from working.
    pub(super) fn go_on(&mut self, history: &mut dyn History) {
        if !self.patience().is_zero() {
            return;
        }
        let before = self.upkeep.retention.before(self.clock.now());
        let forgotten = history.forget_before(before, self.upkeep.jobs_least);
        let left = history.compact(PAGES_AT_ONCE);
        let is_more = match (&forgotten, &left) {
            (Ok(forgotten), Ok(left)) => forgotten.is_more || *left > 0,
            (Err(error), _) | (_, Err(error)) => {
                tracing::warn!("cannot forget old history: {error}");
                false
            }
        };
        self.due = Instant::now() + if is_more { Duration::ZERO } else { self.upkeep.forget_every };
    }
}
