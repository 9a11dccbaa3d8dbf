//! Nodes that break and are mended: at a constant rate each, and what ran there is lost up to its
//! latest save.

use muster_engine::command::Command;
use muster_model::{Millis, NodeId};
use rand::RngExt;

use super::agenda::Event;
use super::world::World;
use crate::error::SimError;

/// An agent that is not heard of ends its tasks after this.
const LEASE: Millis = Millis::seconds(30);

/// How long a broken node is away.
const REPAIR: Millis = Millis::hours(4);

const DAY: Millis = Millis::days(1);

impl World<'_> {
    /// Every node will break some day.
    pub(super) fn plan_breaks(&mut self) {
        if self.options.failures_ppm == 0 {
            return;
        }
        for pool in 0..self.pools.len() {
            for node in 0..self.pools[pool].nodes {
                self.plan_break(pool, NodeId(node));
            }
        }
    }

    fn plan_break(&mut self, pool: usize, node: NodeId) {
        let per_day = f64::from(self.options.failures_ppm) / 1e6;
        // From 0 to 1, without the former: its logarithm is not finite.
        let drawn = 1.0 - self.chance.random::<f64>();
        let span = (-drawn.ln() / per_day * DAY.0 as f64).min(1e15);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        let span = Millis(span as u64);
        self.agenda.plan(self.now + span, pool, Event::Breaks { node });
    }

    pub(super) fn is_broken(&self, pool: usize, node: NodeId) -> bool {
        self.pools[pool].broken[node.index()]
    }

    fn set_broken(&mut self, pool: usize, node: NodeId, is_broken: bool) {
        self.pools[pool].broken[node.index()] = is_broken;
        if let Some(recorder) = &mut self.recorder {
            recorder.broken(self.now, pool, node, is_broken);
        }
    }

    /// A node is gone with all that ran on it.
    pub(super) fn breaks(&mut self, pool: usize, node: NodeId) -> Result<(), SimError> {
        let now = self.now;
        self.set_broken(pool, node, true);
        for live in self.pools[pool].all_live() {
            if live.leave(node) {
                live.stand_still(now);
                live.gives_way = false;
            }
        }
        self.pools[pool].neighbours.forget(node);
        self.agenda.plan(now + REPAIR, pool, Event::Mended { node });
        self.tell(pool, Command::NodeLost { node, lease_ends: now + LEASE })
    }

    /// A node is there again, with nothing on it.
    pub(super) fn mended(&mut self, pool: usize, node: NodeId) -> Result<(), SimError> {
        self.set_broken(pool, node, false);
        self.plan_break(pool, node);
        self.tell(pool, Command::NodeReturned { node, running: Vec::new() })
    }
}
