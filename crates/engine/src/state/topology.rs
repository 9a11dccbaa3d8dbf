//! The topology tree and its index: every domain knows how many of its nodes have how many
//! GPUs free, so that a search looks only where room is.

use muster_model::{Name, NodeId};
use rustc_hash::FxHashMap;

use crate::dense::{Dense, DomainId, ModelId};
use crate::state::domain::Domain;
use crate::state::shared::Pieces;

/// The whole cluster as a domain.
pub(crate) const ROOT: DomainId = DomainId(0);

/// The tree of domains.
#[derive(Clone, Debug)]
pub(crate) struct Topology {
    pub(crate) domains: Dense<DomainId, Domain>,
    by_name: FxHashMap<(DomainId, Name), DomainId>,
    models: usize,
    /// Grows whenever nodes join or change for good: what was impossible may be possible now.
    pub(crate) version: u64,
}

impl Topology {
    pub(crate) fn new(models: usize) -> Topology {
        let mut domains = Dense::new();
        domains.push(Domain::new(None, None, 0, models));
        Topology { domains, by_name: FxHashMap::default(), models, version: 0 }
    }

    /// The lowest domain on a path of names, made where it does not exist.
    pub(crate) fn leaf(&mut self, path: &[Name]) -> DomainId {
        let mut here = ROOT;
        for name in path {
            here = match self.by_name.get(&(here, name.clone())) {
                Some(&child) => child,
                None => self.add_child(here, name),
            };
        }
        here
    }

    /// The domain with a path of names, if there is one.
    pub(crate) fn find(&self, path: &[Name]) -> Option<DomainId> {
        let below = |here, name: &Name| self.by_name.get(&(here, name.clone())).copied();
        path.iter().try_fold(ROOT, below)
    }

    fn add_child(&mut self, parent: DomainId, name: &Name) -> DomainId {
        let depth = self.domains[parent].depth + 1;
        let domain = Domain::new(Some(name.clone()), Some(parent), depth, self.models);
        let child = self.domains.push(domain);
        self.domains[parent].children.push(child);
        self.by_name.insert((parent, name.clone()), child);
        child
    }

    /// Gives a node a slot in its lowest domain.
    pub(crate) fn add_node(&mut self, leaf: DomainId, node: NodeId) -> u32 {
        let nodes = &mut self.domains[leaf].nodes;
        nodes.push(node);
        u32::try_from(nodes.len() - 1).expect("fewer nodes than 2^32")
    }

    /// Counts a node with its free GPUs anew, from the lowest domain up.
    pub(crate) fn recount(
        &mut self,
        leaf: DomainId,
        slot: u32,
        model: ModelId,
        before: Option<u32>,
        after: Option<u32>,
    ) {
        for (gpus, is_member) in [(before, false), (after, true)] {
            if let Some(gpus) = gpus {
                self.domains[leaf].set_member(model, gpus, slot, is_member);
            }
        }
        self.on_path(leaf, |domain| {
            if let Some(gpus) = before {
                domain.remove(model, gpus);
            }
            if let Some(gpus) = after {
                domain.add(model, gpus);
            }
        });
    }

    /// Counts a node with what it has for shares anew, from the lowest domain up.
    pub(crate) fn recount_pieces(
        &mut self,
        leaf: DomainId,
        slot: u32,
        model: ModelId,
        before: &Pieces,
        after: &Pieces,
    ) {
        self.domains[leaf].set_piece_members(model, slot, before, after);
        self.on_path(leaf, |domain| domain.replace_pieces(model, before, after));
    }

    /// Changes all domains a lowest domain is in, from itself up.
    pub(crate) fn on_path(&mut self, leaf: DomainId, mut change: impl FnMut(&mut Domain)) {
        let mut here = Some(leaf);
        while let Some(id) = here {
            let domain = &mut self.domains[id];
            change(domain);
            here = domain.parent;
        }
    }

    /// All nodes below a domain, in no order that matters.
    pub(crate) fn nodes_below(&self, domain: DomainId) -> impl Iterator<Item = NodeId> + '_ {
        let mut to_visit = vec![domain];
        let domains = std::iter::from_fn(move || {
            let here = &self.domains[to_visit.pop()?];
            to_visit.extend(&here.children);
            Some(here)
        });
        domains.flat_map(|here| here.nodes.iter().copied())
    }

    /// The domains of a depth at or below a domain, those that appeared last first.
    pub(crate) fn domains_at(&self, domain: DomainId, depth: u8) -> Vec<DomainId> {
        let mut found = Vec::new();
        let mut to_visit = vec![domain];
        while let Some(id) = to_visit.pop() {
            let here = &self.domains[id];
            if here.depth < depth {
                to_visit.extend(&here.children);
            } else {
                found.push(id);
            }
        }
        found
    }

    /// The domain of the given depth that holds `domain`.
    pub(crate) fn ancestor(&self, domain: DomainId, depth: u8) -> DomainId {
        let mut here = domain;
        while self.domains[here].depth > depth {
            here = self.domains[here].parent.expect("only the root has no parent");
        }
        here
    }

    /// Names from the widest level down to a domain.
    pub(crate) fn path(&self, domain: DomainId) -> Vec<Name> {
        let mut names = Vec::new();
        let mut here = Some(domain);
        while let Some(id) = here {
            names.extend(self.domains[id].name.clone());
            here = self.domains[id].parent;
        }
        names.reverse();
        names
    }
}
