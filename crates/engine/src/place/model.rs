//! Which model of GPU is looked at first by a job that takes any.
//!
//! Where places are chosen by what they leave to recent demand, models are too: a task that needs
//! many CPUs goes where CPUs are plenty, a share where it breaks nothing. A job that names models
//! has said which it likes best, and gets that.

use crate::place::{Search, one_node};
use crate::state::capacity::Capacity;
use crate::state::shape::Shape;
use crate::state::topology::ROOT;

/// At most so many models are compared: a cluster has a few, and each costs a look of its own.
const MODELS_MAX: usize = 16;

/// The alternative with the best place on one node, if that is how the policy chooses and the job
/// leaves it to choose. Among equals the first.
pub(crate) fn first(capacity: &Capacity, shape: &Shape, search: &Search<'_>) -> Option<usize> {
    let demand = search.demand;
    let is_open = demand.takes_any_model && demand.groups.len() == 1 && !demand.spread;
    let is_by_node = demand.prefer == search.node_depth;
    let by_gradient = capacity.placer.is_by_gradient(demand.has_shares(), &capacity.mix);
    if !is_open || !is_by_node || !by_gradient || demand.alternatives.len() < 2 {
        return None;
    }
    let eligible = shape.eligible.last().map(|(_, set)| set);
    let cost = |index: usize| {
        let models = &demand.alternatives[index].models;
        let search = Search { models, eligible, ..*search };
        let pools = one_node::pools(&capacity.topology.domains[ROOT], &search, models[0]);
        one_node::choose(capacity, &search, models[0], &pools).map(|(cost, _)| (cost, index))
    };
    let compared = demand.alternatives.len().min(MODELS_MAX);
    (0..compared).filter_map(cost).min().map(|(_, index)| index)
}
