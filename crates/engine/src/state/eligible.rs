//! Which nodes a constraint lets in, worked out once per constraint and kept for all shapes
//! that have it.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use muster_model::{Constraint, Expression, NodeId, NodeSpec};

use crate::state::capacity::Capacity;

/// The nodes a constraint lets in, pickiest look first; nothing for no constraint.
pub(crate) type Looks = Arc<Vec<(Picky, FixedBitSet)>>;

/// How picky one look at the nodes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picky {
    /// Only what is preferred, and nothing that is avoided.
    Wish,
    /// Nothing that is avoided.
    NotAvoided,
    /// All that meets the requirement.
    Required,
}

/// The constraints that are in use, or were a while ago.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    known: Vec<(Constraint, Looks)>,
}

/// At most so many constraints that nobody has any more are kept for the next who has them.
const UNUSED_MAX: usize = 64;

impl Constraints {
    /// The looks of a constraint.
    pub(crate) fn looks(&mut self, constraint: &Constraint, capacity: &Capacity) -> Looks {
        if *constraint == Constraint::default() {
            return Looks::default();
        }
        if let Some((_, looks)) = self.known.iter().find(|(known, _)| known == constraint) {
            return Arc::clone(looks);
        }
        let looks = Arc::new(work_out(constraint, capacity));
        self.known.push((constraint.clone(), Arc::clone(&looks)));
        self.drop_unused();
        looks
    }

    /// Looks at a node anew.
    pub(crate) fn node_changed(&mut self, id: NodeId, node: &NodeSpec) {
        for (constraint, looks) in &mut self.known {
            let mut changed = Vec::clone(looks);
            for (picky, set) in &mut changed {
                set.grow(id.index() + 1);
                set.set(id.index(), lets_in(constraint, *picky, node));
            }
            *looks = Arc::new(changed);
        }
    }

    fn drop_unused(&mut self) {
        let unused = self.known.iter().filter(|(_, looks)| Arc::strong_count(looks) == 1).count();
        if unused > UNUSED_MAX {
            self.known.retain(|(_, looks)| Arc::strong_count(looks) > 1);
        }
    }
}

/// The looks that differ for a constraint, pickiest first.
fn different_looks(constraint: &Constraint) -> &'static [Picky] {
    match (&constraint.prefer, &constraint.avoid) {
        (None, None) => &[Picky::Required],
        (Some(_), None) => &[Picky::Wish, Picky::Required],
        (None, Some(_)) => &[Picky::NotAvoided, Picky::Required],
        (Some(_), Some(_)) => &[Picky::Wish, Picky::NotAvoided, Picky::Required],
    }
}

fn work_out(constraint: &Constraint, capacity: &Capacity) -> Vec<(Picky, FixedBitSet)> {
    let look = |&picky: &Picky| {
        let mut set = FixedBitSet::with_capacity(capacity.nodes.len());
        for (id, node) in capacity.nodes.iter() {
            set.set(id.index(), lets_in(constraint, picky, &node.spec));
        }
        (picky, set)
    };
    different_looks(constraint).iter().map(look).collect()
}

fn lets_in(constraint: &Constraint, picky: Picky, node: &NodeSpec) -> bool {
    let holds = |expression: &Option<Box<Expression>>, otherwise| {
        expression.as_ref().map_or(otherwise, |expression| expression.matches(node))
    };
    holds(&constraint.require, true)
        && (picky != Picky::Wish || holds(&constraint.prefer, true))
        && (picky == Picky::Required || !holds(&constraint.avoid, false))
}
