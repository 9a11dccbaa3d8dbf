//! When to ask: only for what is shown, one question at a time, and none more often than its pace.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::Time;

use super::Which;

/// What the server can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ask {
    Jobs(Which),
    Queues,
    Plan,
    Used,
    Job(u64),
}

impl Ask {
    /// The least time between two of them.
    fn pace_ms(self) -> u64 {
        match self {
            Ask::Jobs(_) | Ask::Queues | Ask::Job(_) => 2000,
            // The server thinks it over every five seconds.
            Ask::Plan => 5000,
            // A sum over an hour changes little, and is made of the history.
            Ask::Used => 30_000,
        }
    }
}

/// When what was asked.
#[derive(Debug, Default)]
pub(super) struct Pace {
    asked: BTreeMap<Ask, Time>,
    open: BTreeSet<Ask>,
}

impl Pace {
    /// Those of the asks whose time has come; they count as asked.
    pub(super) fn due(&mut self, asks: Vec<Ask>, now: Time) -> Vec<Ask> {
        let is_recent = |ask: Ask, at: Time| now.0.saturating_sub(at.0) < ask.pace_ms();
        self.asked.retain(|ask, at| is_recent(*ask, *at));
        let mut due = asks;
        due.retain(|ask| !self.asked.contains_key(ask) && !self.open.contains(ask));
        for ask in &due {
            self.asked.insert(*ask, now);
            self.open.insert(*ask);
        }
        due
    }

    pub(super) fn answered(&mut self, ask: Ask) {
        self.open.remove(&ask);
    }

    /// Everything may be asked again at once: somebody changed something.
    pub(super) fn forget(&mut self) {
        self.asked.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_thing_is_asked_every_two_seconds_and_once_at_a_time() {
        let mut pace = Pace::default();
        let mut due = |at: u64, answer: bool| {
            let due = pace.due(vec![Ask::Queues], Time(at));
            if answer {
                pace.answered(Ask::Queues);
            }
            due.len()
        };
        assert_eq!([due(0, true), due(1999, true), due(2000, false)], [1, 0, 1]);
        // The answer is late: nothing is asked on top of it.
        assert_eq!([due(9000, true), due(9001, true)], [0, 1]);
    }
}
