//! A job of the virtual cluster as it truly is: what it holds, and how far it has come.

use muster_model::{Attempt, JobSpec, Millis, NodeId, Rung, Time};
use muster_predict::{Counted, Prediction};

use super::sharing::Gpu;
use super::slow::{self, UNSLOWED};

/// A job that is not over.
#[derive(Debug)]
pub(super) struct Live {
    /// Its place in the trace.
    pub(super) index: usize,
    /// Its record.
    pub(super) record: usize,
    pub(super) prediction: Option<Prediction>,
    /// What the predictor has counted of it while it ran.
    pub(super) counted: Counted,
    pub(super) attempt: Attempt,
    /// Nodes of the attempt on which it has not ended.
    pub(super) nodes: Vec<NodeId>,
    /// The GPU it has part of, where others may compute beside it.
    pub(super) gpu: Option<Gpu>,
    /// The attempt was asked to end, so it does not come to its own end.
    pub(super) stopped: bool,
    /// It gives its GPUs to another.
    pub(super) gives_way: bool,
    /// How often it has begun or ceased to compute: what was planned before does not count.
    pub(super) turn: u32,
    /// Since when it has its GPUs, or has not.
    pub(super) since: Time,
    pub(super) holds: bool,
    /// When it will have started at the latest, as it was told.
    pub(super) told: Option<Time>,
    /// How often it saves by itself.
    pub(super) every: Option<Millis>,
    /// What each rung takes, down and up.
    rungs: Vec<(Rung, Millis, Millis)>,
    /// How slow it is where it is, in thousandths of the time it takes alone on one node.
    slow_milli: u64,
    /// How much longer it has computed for that, before it had its present pace.
    slowed: Millis,
    /// When it began to compute, while it does.
    computes: Option<Time>,
    /// What it had left to do then, or has while it does not compute.
    left: Millis,
    /// What it had left to do when it last saved.
    saved: Millis,
}

impl Live {
    pub(super) fn new(index: usize, record: usize, spec: &JobSpec, work: Millis) -> Live {
        let rungs = spec.checkpoint.rungs.iter();
        Live {
            index,
            record,
            prediction: None,
            counted: Counted::default(),
            attempt: Attempt(0),
            nodes: Vec::new(),
            gpu: None,
            stopped: false,
            gives_way: false,
            turn: 0,
            since: Time(0),
            holds: false,
            told: None,
            every: spec.checkpoint.every,
            rungs: rungs.map(|cost| (cost.rung, cost.save, cost.restore)).collect(),
            slow_milli: UNSLOWED,
            slowed: Millis::ZERO,
            computes: None,
            left: work,
            saved: work,
        }
    }

    /// An attempt is launched on one more node. A new attempt goes on from the latest save.
    pub(super) fn launch(&mut self, attempt: Attempt, node: NodeId, now: Time) {
        if self.attempt != attempt {
            self.stand_still(now);
            let is_first = self.attempt == Attempt(0);
            let restore = self.rung_takes(Rung::Checkpoint, false);
            self.left = self.saved + if is_first { Millis::ZERO } else { restore };
            self.attempt = attempt;
            self.nodes.clear();
            self.gpu = None;
            self.stopped = false;
            self.gives_way = false;
        }
        self.nodes.push(node);
    }

    /// Computes from now on, as slowly as its place makes it; whether it did not already.
    pub(super) fn compute(&mut self, now: Time, slow_milli: u64) -> bool {
        if self.computes.is_some() {
            return false;
        }
        self.turn += 1;
        self.gives_way = false;
        self.computes = Some(now);
        self.slow_milli = slow_milli;
        true
    }

    /// Goes on at another pace from now on; whether it is another.
    pub(super) fn change_pace(&mut self, now: Time, slow_milli: u64) -> bool {
        if self.computes.is_none() || self.slow_milli == slow_milli {
            return false;
        }
        (self.left, self.slowed) = (self.left_at(now), self.slowed_at(now));
        (self.computes, self.slow_milli) = (Some(now), slow_milli);
        true
    }

    /// Computes no more; whether it did.
    pub(super) fn stand_still(&mut self, now: Time) -> bool {
        if self.computes.is_none() {
            return false;
        }
        (self.left, self.slowed) = (self.left_at(now), self.slowed_at(now));
        self.computes = None;
        self.turn += 1;
        true
    }

    /// How much longer it has computed than it would have alone on one node.
    pub(super) fn slowed_at(&self, now: Time) -> Millis {
        let time = self.computes.map_or(Millis::ZERO, |since| now.since(since));
        self.slowed + time.saturating_sub(slow::done(time, self.slow_milli))
    }

    /// Its state is safe from now on.
    pub(super) fn save(&mut self, now: Time) {
        self.saved = self.left_at(now);
    }

    /// What it has left to do.
    pub(super) fn left_at(&self, now: Time) -> Millis {
        let time = self.computes.map_or(Millis::ZERO, |since| now.since(since));
        self.left.saturating_sub(slow::done(time, self.slow_milli))
    }

    /// How long that takes where it is.
    pub(super) fn time_left(&self, now: Time) -> Millis {
        slow::stretched(self.left_at(now), self.slow_milli)
    }

    /// How long it computes until it saves by itself, if it does.
    pub(super) fn next_save(&self, now: Time) -> Option<Millis> {
        let unsaved = self.saved.saturating_sub(self.left_at(now));
        self.every.map(|every| every.saturating_sub(unsaved))
    }

    /// How long a rung takes by the job's contract.
    pub(super) fn rung_takes(&self, rung: Rung, down: bool) -> Millis {
        let cost = self.rungs.iter().find(|cost| cost.0 == rung);
        cost.map_or(Millis::ZERO, |&(_, save, restore)| if down { save } else { restore })
    }

    /// Nothing of it is on a node any more; whether there was.
    pub(super) fn leave(&mut self, node: NodeId) -> bool {
        let Some(at) = self.nodes.iter().position(|other| *other == node) else { return false };
        self.nodes.swap_remove(at);
        true
    }
}
