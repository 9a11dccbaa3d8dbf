//! First fit from a random node on: what a rule has to beat. It shares nothing with the engine.

use muster_model::NodeSpec;

use super::arrivals::{Arrival, Chance};

/// A cluster that is filled by first fit.
pub(crate) struct FirstFit {
    nodes: Vec<Node>,
    pub(crate) given: u64,
}

struct Node {
    gpus: Vec<u64>,
    cpus: u64,
    gib: u64,
}

impl FirstFit {
    pub(crate) fn new(specs: &[NodeSpec]) -> FirstFit {
        let node = |spec: &NodeSpec| Node {
            gpus: vec![1000; usize::try_from(spec.gpus).expect("a few GPUs")],
            cpus: spec.cpus.0 / 1000,
            gib: spec.memory.0 / 1024,
        };
        FirstFit { nodes: specs.iter().map(node).collect(), given: 0 }
    }

    /// Puts an arrival on the first node that has room, from a random one on.
    pub(crate) fn place(&mut self, arrival: Arrival, chance: &mut Chance) {
        let count = self.nodes.len();
        let from = usize::try_from(chance.below(count as u64)).expect("an index fits");
        let found =
            (0..count).map(|step| (from + step) % count).find(|&at| self.nodes[at].holds(arrival));
        if let Some(at) = found {
            self.nodes[at].take(arrival);
            self.given += arrival.milli;
        }
    }
}

impl Node {
    fn holds(&self, arrival: Arrival) -> bool {
        let Arrival { milli, cpus, gib } = arrival;
        let each = milli.min(1000);
        let gpus = self.gpus.iter().filter(|left| **left >= each).count();
        self.cpus >= cpus && self.gib >= gib && gpus as u64 >= milli.div_ceil(1000)
    }

    fn take(&mut self, arrival: Arrival) {
        let (each, wanted) = (arrival.milli.min(1000), arrival.milli.div_ceil(1000));
        let wanted = usize::try_from(wanted).expect("a few GPUs");
        let fitting = self.gpus.iter_mut().filter(|left| **left >= each);
        fitting.take(wanted).for_each(|left| *left -= each);
        self.cpus -= arrival.cpus;
        self.gib -= arrival.gib;
    }
}
