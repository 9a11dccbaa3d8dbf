//! A job of the virtual cluster as it truly is: what it holds, and how far it has come.

use std::sync::Arc;

use muster_model::{Attempt, JobSpec, Millis, NodeId, Rung, ShareSize, Time};

use crate::bench::jobs::Plan;

/// A job that is not over.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) spec: Arc<JobSpec>,
    pub(super) plan: Plan,
    /// Milli-GPUs it takes.
    pub(super) milli: u64,
    /// Whether it has them.
    pub(super) holds: bool,
    pub(super) attempt: Attempt,
    /// Nodes of the attempt on which it has not ended.
    pub(super) nodes: Vec<NodeId>,
    /// The attempt was asked to end, so it does not come to its own end.
    pub(super) stopped: bool,
    /// The step in which it began to give way, and whether that was counted.
    pub(super) gives_way: Option<(u64, bool)>,
    /// How often it has begun or ceased to compute: what was planned before does not count.
    pub(super) turn: u32,
    /// When it began to compute, while it does.
    since: Option<Time>,
    /// What it had left to do then, or has while it does not compute.
    left: Millis,
    /// What it had done when it last saved.
    saved: Millis,
}

impl Live {
    pub(super) fn new(spec: Arc<JobSpec>, plan: Plan) -> Live {
        Live {
            milli: milli(&spec),
            spec,
            plan,
            holds: false,
            attempt: Attempt(0),
            nodes: Vec::new(),
            stopped: false,
            gives_way: None,
            turn: 0,
            since: None,
            left: plan.duration,
            saved: Millis::ZERO,
        }
    }

    /// An attempt is launched on one more node. A new attempt goes on from the latest save.
    pub(super) fn launch(&mut self, attempt: Attempt, node: NodeId) {
        if self.attempt != attempt {
            self.attempt = attempt;
            self.nodes.clear();
            self.stopped = false;
            self.gives_way = None;
            self.stand_still(Time(0));
            self.left = self.plan.duration.saturating_sub(self.saved);
        }
        self.nodes.push(node);
    }

    /// Computes from now on; whether it did not already.
    pub(super) fn compute(&mut self, now: Time) -> bool {
        if self.since.is_some() {
            return false;
        }
        self.turn += 1;
        self.gives_way = None;
        self.since = Some(now);
        true
    }

    /// Computes no more.
    pub(super) fn stand_still(&mut self, now: Time) {
        if self.since.is_some() {
            self.left = self.left_at(now);
            self.since = None;
            self.turn += 1;
        }
    }

    /// Saves if it computes; whether it did.
    pub(super) fn save(&mut self, now: Time) -> bool {
        if self.since.is_none() || self.stopped {
            return false;
        }
        self.saved = self.plan.duration.saturating_sub(self.left_at(now));
        true
    }

    /// How long it still computes before it saves by itself, if it does.
    pub(super) fn next_save(&self, now: Time) -> Option<Millis> {
        let done = self.plan.duration.saturating_sub(self.left_at(now));
        let every = self.spec.checkpoint.every?;
        Some(every.saturating_sub(done.saturating_sub(self.saved)))
    }

    /// What it has left to do.
    pub(super) fn left_at(&self, now: Time) -> Millis {
        let done = self.since.map_or(Millis::ZERO, |since| now.since(since));
        self.left.saturating_sub(done)
    }

    /// How long a rung takes by the job's own word.
    pub(super) fn rung_takes(&self, rung: Rung, down: bool) -> Millis {
        let cost = self.spec.checkpoint.rungs.iter().find(|cost| cost.rung == rung);
        cost.map_or(Millis::ZERO, |cost| if down { cost.save } else { cost.restore })
    }
}

/// Milli-GPUs that a job takes at least.
fn milli(spec: &JobSpec) -> u64 {
    let of_task = |task: &muster_model::TaskShape| match &task.share {
        Some(share) => match share.size {
            ShareSize::Fraction { least, .. } => least.0,
            // Neither is in the mix; a whole GPU is what they could block.
            ShareSize::Memory(_) | ShareSize::Mig(_) => 1_000,
        },
        None => u64::from(task.gpus) * 1_000,
    };
    spec.groups.iter().map(|group| u64::from(group.tasks.min) * of_task(&group.task)).sum()
}
