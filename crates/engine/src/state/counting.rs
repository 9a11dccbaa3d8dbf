//! Counting nodes in the index of domains: by what is free on them, by what could be had there, and
//! by when they will probably be empty.

use muster_model::{JobId, NodeId, Time};
use smallvec::SmallVec;

use crate::dense::{Key, ModelId};
use crate::state::capacity::Capacity;
use crate::state::node::{Exposed, Node};
use crate::state::shared::Pieces;
use crate::state::topology::ROOT;

/// What is asked of every node, at a glance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    /// When everything on it will probably have ended.
    pub(crate) empty_at: Time,
    pub(crate) model: ModelId,
    pub(crate) is_usable: bool,
    pub(crate) is_claimed: bool,
    /// GPUs free as the index has counted it; none while it is not counted.
    pub(crate) free: u32,
}

impl Glance {
    /// A node that has not been counted yet.
    pub(crate) fn new(model: ModelId) -> Glance {
        Glance { empty_at: Time(0), model, is_usable: false, is_claimed: false, free: 0 }
    }
}

impl Capacity {
    /// Counts a node anew after something about it changed, and remembers it as freed if there
    /// is more room on it than before.
    pub(crate) fn changed(&mut self, node: NodeId) {
        let before = self.nodes[node].counted;
        self.recount(node);
        let after = self.nodes[node].counted;
        // On a claimed node, room is made for the job it is held for.
        let is_claimed = self.nodes[node].claimed.is_some();
        if is_claimed || (after.is_some() && (before.is_none() || after >= before)) {
            self.freed.push(node);
        }
    }

    /// Counts a node anew in the index.
    pub(crate) fn recount(&mut self, id: NodeId) {
        self.recount_free(id);
        self.recount_emptied(id);
    }

    /// Counts a node anew by what is free on it: all that a trial looks at.
    pub(crate) fn recount_free(&mut self, id: NodeId) {
        let node = &mut self.nodes[id];
        let is_open = node.exclusive == 0 && node.is_open();
        let free = is_open.then(|| node.usable().count());
        let (leaf, slot, model) = (node.leaf, node.slot, node.model);
        let is_claimed = node.claimed.is_some();
        // What is left of shared GPUs is nobody's while a node is claimed: only whole ones are
        // lent.
        let has_pieces = is_open && !is_claimed;
        let pieces = if has_pieces { node.pieces() } else { Pieces::default() };
        let (after, spare) = if is_claimed { (None, free) } else { (free, None) };
        let pieces_before = std::mem::replace(&mut node.counted_pieces, pieces);
        let before = std::mem::replace(&mut node.counted, after);
        let (is_usable, free) = (node.is_usable(), after.unwrap_or(0));
        let Glance { empty_at, is_usable: was_usable, .. } = self.glances[id];
        // What is remembered of the nodes there are is of others now.
        self.topology.version += u64::from(is_usable != was_usable);
        self.glances[id] = Glance { empty_at, model, is_usable, is_claimed, free };
        let spare_before = std::mem::replace(&mut node.spare, spare);
        if pieces != pieces_before {
            self.topology.recount_pieces(leaf, slot, model, &pieces_before, &pieces);
        }
        if after != before {
            self.topology.recount(leaf, slot, model, before, after);
        }
        if spare != spare_before {
            let claimed = self.claimed_model(model);
            self.topology.recount(leaf, slot, claimed, spare_before, spare);
        }
    }

    /// Counts a node anew among those that would be empty if some of its jobs gave way.
    pub(crate) fn recount_emptied(&mut self, id: NodeId) {
        let node = &mut self.nodes[id];
        let after = node.emptied_from();
        let before = std::mem::replace(&mut node.counted_emptied, after);
        if after == before {
            return;
        }
        let (leaf, model) = (node.leaf, node.model);
        self.topology.on_path(leaf, |domain| {
            if let Some(bucket) = before {
                domain.emptied.remove(model, bucket, 1);
            }
            if let Some(bucket) = after {
                domain.emptied.add(model, bucket, 1);
            }
        });
    }

    /// The number under which claimed nodes of a model are counted: whoever may use them looks
    /// for that instead.
    pub(crate) fn claimed_model(&self, model: ModelId) -> ModelId {
        ModelId::from_index(model.index() + self.models.len())
    }

    /// The models that nodes of these are counted as: their own, or those of claimed ones.
    pub(crate) fn counted_as(&self, models: &[ModelId], claimed: bool) -> SmallVec<[ModelId; 1]> {
        let counted_as = |&model| if claimed { self.claimed_model(model) } else { model };
        models.iter().map(counted_as).collect()
    }

    /// GPUs free on nodes that are not claimed.
    pub(crate) fn gpus_free(&self) -> u64 {
        let root = &self.topology.domains[ROOT];
        (0..self.models.len()).map(|model| root.free(ModelId::from_index(model)).gpus).sum()
    }

    /// GPUs free on nodes that are claimed.
    pub(crate) fn spare_on(&self, nodes: &[NodeId]) -> u64 {
        nodes.iter().map(|&node| u64::from(self.nodes[node].spare.unwrap_or(0))).sum()
    }

    /// Whether any claimed node has a GPU free.
    pub(crate) fn has_spare(&self) -> bool {
        let root = &self.topology.domains[ROOT];
        let claimed = (self.models.len()..2 * self.models.len()).map(ModelId::from_index);
        claimed.into_iter().any(|model| root.free(model).gpus > 0)
    }

    /// A job on a node will probably have ended at a time.
    pub(crate) fn expect(&mut self, node: NodeId, job: JobId, at: Time) {
        self.nodes[node].expects.push((job, at));
        let glance = &mut self.glances[node];
        glance.empty_at = glance.empty_at.max(at);
    }

    /// Nothing is known of a job on a node any more.
    pub(crate) fn expect_no_more(&mut self, node: NodeId, job: JobId) {
        let expects = &mut self.nodes[node].expects;
        expects.retain(|(other, _)| *other != job);
        let last = expects.iter().map(|(_, at)| *at).max();
        self.glances[node].empty_at = last.unwrap_or(Time(0));
    }

    /// A node at a glance.
    pub(crate) fn glance(&self, node: NodeId) -> Glance {
        self.glances[node]
    }

    /// When everything on a node now will probably have ended.
    pub(crate) fn expected_at(&self, node: NodeId) -> Time {
        self.glances[node].empty_at.max(self.now)
    }

    /// A running job's GPUs on a node can be had by pausing it, or cannot any more.
    pub(crate) fn expose(&mut self, node: NodeId, exposed: Exposed, is_exposed: bool) {
        let Node { leaf, model, exposed: list, .. } = &mut self.nodes[node];
        match is_exposed {
            true => list.push(exposed),
            false => list.retain(|other| other.job != exposed.job),
        }
        let (leaf, model) = (*leaf, *model);
        self.topology.on_path(leaf, |domain| match is_exposed {
            true => domain.exposed.add(model, exposed.bucket, exposed.gpus),
            false => domain.exposed.remove(model, exposed.bucket, exposed.gpus),
        });
        self.recount_emptied(node);
    }
}
