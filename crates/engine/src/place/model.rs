//! Which model of GPU a job gets that takes any.
//!
//! Where places are chosen by what they leave to recent demand, models are too: a task that needs
//! many CPUs goes where CPUs are plenty, a share where it breaks nothing, a task without GPUs where
//! there are none. A job that names models has said which it likes best, and gets that.

use smallvec::SmallVec;

use crate::place::gradient::Look;
use crate::place::{Placed, Search, looks, one_node};
use crate::state::shape::Shape;
use crate::state::topology::ROOT;
use crate::transaction::Transaction;

/// At most so many models are compared: a cluster has a few, and each costs a look of its own.
const MODELS_MAX: usize = 16;

/// Places a gang on the best node of all models, if that is how the policy chooses and the job
/// leaves it to choose. Only a few nodes are compared; where none of them will do, it is for all
/// to be looked at.
pub(crate) fn place(
    transaction: &mut Transaction<'_>,
    shape: &Shape,
    alternatives: u64,
    any: &Search<'_>,
) -> Option<Placed> {
    let (demand, capacity) = (&shape.demand, transaction.capacity());
    let is_open = demand.takes_any_model && demand.groups.len() == 1 && !demand.spread;
    let is_by_node = demand.prefer == any.node_depth;
    let by_gradient = capacity.placer.is_by_gradient(demand.has_shares(), &capacity.mix);
    if !is_open || !is_by_node || !by_gradient || demand.alternatives.len() < 2 {
        return None;
    }
    let indexes = (0..demand.alternatives.len()).filter(|index| alternatives >> index & 1 == 1);
    let indexes: SmallVec<[usize; 8]> = indexes.take(MODELS_MAX).collect();
    for eligible in looks(shape) {
        let root = &transaction.capacity().topology.domains[ROOT];
        let look = |index: &usize| {
            let models = &demand.alternatives[*index].models;
            let search = Search { models, eligible, ..*any };
            let pools = one_node::pools(root, &search, models[0]);
            Look { search, model: models[0], pools }
        };
        let compared: Vec<Look<'_>> = indexes.iter().map(look).collect();
        if let Some((look, mut placed)) = one_node::by_gradient(transaction, &compared) {
            placed.alternative = indexes[look];
            return Some(placed);
        }
    }
    None
}
