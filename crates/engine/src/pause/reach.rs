//! What a seeker could have in a domain at most, by the index alone: free, held for it, or in the
//! hands of those weak enough. Most of what would be searched for in vain is told here.

use crate::dense::{DomainId, ModelId};
use crate::pause::seeker::Seeker;
use crate::state::State;
use crate::state::domain::Domain;

/// What a seeker needs and what it could have anywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    gpus: u64,
    /// Tasks that need all GPUs of a node, however large it is.
    nodes: u64,
    /// Whether nobody is of use who does not empty a node: all its tasks are such, and none of the
    /// nodes is its own.
    pub(crate) is_of_nodes: bool,
    threshold: u16,
    /// GPUs that are there for it besides, each of which may be the last that a node lacks.
    besides: u64,
}

impl Need {
    /// Of a seeker that knows of this many GPUs besides.
    pub(crate) fn new(state: &State, seeker: &Seeker, besides: u64) -> Need {
        let demand = &state.shapes.get(seeker.shape).demand;
        let largest = state.capacity.largest();
        let (tasks, nodes) = match demand.one_node {
            true => (1, u32::from(demand.gpus >= u64::from(largest))),
            false => {
                let whole = demand.groups.iter().filter(|group| group.gpus >= largest);
                (demand.tasks(), whole.map(|group| group.tasks).sum())
            }
        };
        // Nodes that are reserved for it are counted as nobody's.
        let own = state.floor.claims.get(&seeker.id).filter(|claim| claim.reserved.is_some());
        let own = own.map_or(0, |claim| claim.gpus);
        Need {
            gpus: demand.gpus,
            nodes: u64::from(nodes),
            is_of_nodes: nodes == tasks && own == 0,
            threshold: seeker.threshold,
            besides: besides + own,
        }
    }

    /// Whether a domain could give enough, on nodes of these models.
    pub(crate) fn is_within(self, state: &State, domain: DomainId, models: &[ModelId]) -> bool {
        let domain = &state.capacity.topology.domains[domain];
        if self.gpus(domain, models) < self.gpus {
            return false;
        }
        let largest = state.capacity.largest();
        let nodes = |model: &ModelId| {
            domain.free(*model).tasks(largest, 1) + domain.emptied.from(*model, self.threshold)
        };
        self.nodes <= models.iter().map(nodes).sum::<u64>() + self.besides
    }

    /// GPUs that a domain could give.
    pub(crate) fn gpus(self, domain: &Domain, models: &[ModelId]) -> u64 {
        let of = |model: &ModelId| {
            domain.exposed.from(*model, self.threshold) + domain.free(*model).gpus
        };
        models.iter().map(of).sum::<u64>() + self.besides
    }
}
