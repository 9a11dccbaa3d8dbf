//! Another look at shapes that failed, where room was made since.
//!
//! They stay marked as failed: whatever is tried and does not fit needs no change, and only the
//! few that start cost anything. Candidates are kept best first beside the open fronts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use muster_model::NodeId;

use crate::dense::ShapeId;
use crate::pass::reach::Reach;
use crate::place::retry;
use crate::state::State;
use crate::state::line::OrderKey;

/// The best head of each shape that freed nodes might help.
#[derive(Debug)]
pub(crate) struct Retry {
    /// Nodes where room was made.
    freed: Vec<NodeId>,
    heads: BinaryHeap<Reverse<(OrderKey, ShapeId)>>,
    /// Alternatives that did not fit in this pass, as bits: room only gets less within one.
    tried: BTreeMap<ShapeId, u64>,
}

/// A job to try, and by which alternatives (as bits).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) key: OrderKey,
    pub(crate) shape: ShapeId,
    pub(crate) alternatives: u64,
}

impl Retry {
    /// Looks where room was made since the last pass.
    pub(crate) fn new(state: &mut State, freed: Vec<NodeId>) -> Retry {
        let mut retry = Retry { freed, heads: BinaryHeap::new(), tried: BTreeMap::new() };
        retry.look(state);
        retry
    }

    /// Looks at all failed shapes, with what was freed until now.
    fn look(&mut self, state: &mut State) {
        self.freed.append(&mut state.capacity.freed);
        self.freed.sort_unstable();
        self.freed.dedup();
        self.tried.clear();
        state.waiting.take_touched();
        if !state.tuning.memo {
            let pinned = state.waiting.heads().map(|(_, shape)| shape);
            let pinned = pinned.filter(|shape| state.shapes.get(*shape).pin.is_some());
            let probes = state.waiting.probes().map(|probe| probe.shape);
            let failed: Vec<ShapeId> = probes.chain(pinned).collect();
            failed.into_iter().for_each(|shape| state.waiting.reopen(shape, u64::MAX));
            return;
        }
        let reach = Reach::new(&state.capacity, &self.freed);
        let probes = state.waiting.probes().filter(|probe| reach.covers(probe));
        self.heads = probes.map(|probe| Reverse((probe.head, probe.shape))).collect();
        // Suspended jobs are found through the nodes they are on.
        let nodes = self.freed.iter().map(|&node| &state.capacity.nodes[node]);
        for job in nodes.flat_map(|node| &node.suspended) {
            let job = state.jobs.known(*job);
            let head = job.line.and_then(|line| state.waiting.head_of(line));
            self.heads.extend(head.zip(job.pinned).map(Reverse));
        }
    }

    /// Takes in what has changed since the last candidate: heads that moved, and nodes that a
    /// start has let go of.
    pub(crate) fn absorb(&mut self, state: &mut State) {
        if !state.capacity.freed.is_empty() {
            self.look(state);
        }
        for shape in state.waiting.take_touched() {
            self.add(state, shape);
        }
    }

    /// The best candidate, if it comes before `open`, the best of the open fronts.
    pub(crate) fn next(&mut self, state: &mut State, open: Option<OrderKey>) -> Option<Candidate> {
        loop {
            let &Reverse((key, shape)) = self.heads.peek()?;
            if open.is_some_and(|open| open < key) {
                return None;
            }
            self.heads.pop();
            // It may have started or moved, and the room may be taken by now.
            let Some((best, alternatives)) = self.best_helped(state, shape) else { continue };
            if best == key {
                return Some(Candidate { key, shape, alternatives });
            }
            self.heads.push(Reverse((best, shape)));
        }
    }

    /// The pass ends before everything was looked at: what is left is open for the next.
    pub(crate) fn put_off(mut self, state: &mut State, candidate: Candidate) {
        state.waiting.reopen(candidate.shape, candidate.alternatives);
        for Reverse((_, shape)) in std::mem::take(&mut self.heads) {
            let helped = self.helped(state, shape);
            state.waiting.reopen(shape, helped);
        }
    }

    /// A job of a shape has started, so there is less room: drops all that this reaches no more.
    /// What is left of it may do for another of the shape, who need not be its best head.
    pub(crate) fn started(&mut self, state: &mut State, shape: ShapeId) {
        let reach = Reach::new(&state.capacity, &self.freed);
        let waiting = &state.waiting;
        let shapes = &state.shapes;
        self.heads.retain(|Reverse((_, shape))| match waiting.probe(*shape) {
            Some(probe) => reach.covers(probe),
            None => waiting.has_front(*shape) && shapes.get(*shape).pin.is_some(),
        });
        if state.waiting.has_front(shape) {
            self.add(state, shape);
        }
    }

    /// Alternatives of a shape did not fit: another head may have others.
    pub(crate) fn gave_up(&mut self, state: &mut State, shape: ShapeId, alternatives: u64) {
        *self.tried.entry(shape).or_default() |= alternatives;
        self.add(state, shape);
    }

    fn add(&mut self, state: &mut State, shape: ShapeId) {
        if let Some((key, _)) = self.best_helped(state, shape) {
            self.heads.push(Reverse((key, shape)));
        }
    }

    /// The best head of a shape that the freed nodes might help, and by which alternatives.
    fn best_helped(&self, state: &mut State, shape: ShapeId) -> Option<(OrderKey, u64)> {
        let helped = self.helped(state, shape);
        if helped == 0 {
            return None;
        }
        let Some((key, line)) = state.waiting.best_of(shape, helped) else {
            // Nobody may use what was freed now, but someone may later.
            state.waiting.reopen(shape, helped);
            return None;
        };
        // What has not failed at all is tried as well: the most preferred that fits is taken.
        let worth_trying = helped | !state.waiting.failed(shape);
        Some((key, worth_trying & state.waiting.line(line).standing.allowed))
    }

    /// Those of a shape's failed alternatives that might fit now.
    fn helped(&self, state: &State, id: ShapeId) -> u64 {
        let tried = self.tried.get(&id).copied().unwrap_or(0);
        let failed = state.waiting.failed(id) & !tried;
        if failed == 0 {
            return 0;
        }
        let shape = state.shapes.get(id);
        // Several groups are placed one after the other, which may fail where another order
        // would not: less room may help them, so they are always worth a look.
        if shape.demand.groups.len() > 1 {
            return failed;
        }
        retry::helped(&state.capacity, shape, failed, &self.freed)
    }
}
