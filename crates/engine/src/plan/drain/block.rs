//! What a look for nodes can take piece by piece: nodes that hold so many tasks together.

use muster_model::{NodeId, Time};
use smallvec::SmallVec;

/// Nodes that hold so many tasks once they have drained; ordered by when that is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub(super) ready: Time,
    pub(super) tasks: u32,
    pub(super) nodes: SmallVec<[NodeId; 1]>,
}

/// Joins nodes, soonest first, into groups that hold one block or more each. What a node holds
/// beyond that counts for the next.
pub(super) fn join_blocks(mut nodes: Vec<Block>, size: u32) -> Vec<Block> {
    nodes.sort_unstable();
    let mut blocks = Vec::new();
    let mut open = Block { ready: Time(0), tasks: 0, nodes: SmallVec::new() };
    for node in nodes {
        open.ready = node.ready;
        open.tasks += node.tasks;
        open.nodes.extend(node.nodes.iter().copied());
        let rest = open.tasks % size;
        if open.tasks >= size {
            let last = if rest > 0 { node.nodes } else { SmallVec::new() };
            let next = Block { ready: node.ready, tasks: rest, nodes: last };
            let mut full = std::mem::replace(&mut open, next);
            full.tasks -= rest;
            blocks.push(full);
        }
    }
    blocks
}
