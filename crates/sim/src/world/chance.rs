//! Chance and the clock: everything that is drawn is drawn here, from one seeded generator.

use muster_model::{Millis, NodeId, Time};
use rand::RngExt;

use super::{Standing, World};

impl World {
    /// Whether something of this chance, in thousandths, happens.
    pub(super) fn happens(&mut self, thousandths: u32) -> bool {
        thousandths > 0 && self.rng.random_ratio(thousandths.min(1000), 1000)
    }

    /// A span from `least` to `most`.
    pub(super) fn span(&mut self, least: Millis, most: Millis) -> Millis {
        Millis(self.rng.random_range(least.0..=most.0))
    }

    /// One of so many.
    pub(super) fn one_of(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count)
    }

    /// A node that is not cut off.
    pub(super) fn any_node_in_sight(&mut self) -> Option<NodeId> {
        let in_sight = self.nodes.iter().filter(|(_, node)| node.cut_off.is_none());
        let nodes: Vec<NodeId> = in_sight.map(|(id, _)| *id).collect();
        match nodes[..] {
            [] => None,
            [first, ..] if self.happens(self.faults.same_node) => Some(first),
            _ => Some(nodes[self.one_of(nodes.len())]),
        }
    }

    /// The time that the engine is shown: the true one, or where the clock stands, and now and
    /// then an earlier one.
    pub(super) fn shown(&mut self) -> Time {
        let shown = self.standing.map_or(self.now, |standing| standing.shown);
        if !self.happens(self.faults.step_back) {
            return shown;
        }
        let back = self.span(Millis(1), Millis::minutes(10));
        Time(shown.0.saturating_sub(back.0))
    }

    /// The clock stands still for a while; a second time, it goes on standing.
    pub(super) fn stop_clock(&mut self, until: Time) {
        let shown = self.standing.map_or(self.now, |standing| standing.shown);
        let until = self.standing.map_or(until, |standing| standing.until.max(until));
        self.standing = Some(Standing { shown, until });
    }

    /// The true time at which the engine, seeing what it is shown, can be woken for `wake`.
    pub(super) fn wake_time(&self, wake: Time) -> Time {
        match self.standing {
            Some(standing) if wake > standing.shown => wake.max(standing.until),
            _ => wake.max(self.now),
        }
    }
}
