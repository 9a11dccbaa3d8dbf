//! Fills a domain with the tasks of a group: as few domains and nodes as possible, and for the
//! rest the tightest that holds it.

use fixedbitset::FixedBitSet;
use muster_model::{GpuSet, NodeId};
use smallvec::SmallVec;

use crate::action::{SharePlace, TaskPlace};
use crate::dense::{DomainId, ModelId};
use crate::place::{Search, domains, share, spread};
use crate::state::demand::GroupDemand;
use crate::state::domain::slots;
use crate::transaction::Transaction;

/// Tasks being placed on trial.
#[derive(Debug)]
pub(crate) struct Filler<'t, 'c, 's> {
    transaction: &'t mut Transaction<'c>,
    pub(crate) search: &'s Search<'s>,
    tasks: Vec<(NodeId, TaskPlace)>,
    group: usize,
    rank: u32,
    /// Tasks that must share a node, as a multiple.
    unit: u32,
    /// Inside a block of a segment, its level is no boundary any more.
    inside_block: bool,
    /// Nodes that have a task of a gang whose tasks do not share any.
    taken: FixedBitSet,
}

impl<'t, 'c, 's> Filler<'t, 'c, 's> {
    pub(crate) fn new(
        transaction: &'t mut Transaction<'c>,
        search: &'s Search<'s>,
    ) -> Filler<'t, 'c, 's> {
        let unit = search.demand.unit(search.node_depth);
        Filler {
            transaction,
            search,
            tasks: Vec::new(),
            group: 0,
            rank: 0,
            unit,
            inside_block: false,
            taken: FixedBitSet::new(),
        }
    }

    /// Tasks of the gang are on these nodes already.
    pub(crate) fn keep_off(&mut self, nodes: impl Iterator<Item = NodeId>) {
        nodes.for_each(|node| self.taken.grow_and_insert(node.index()));
    }

    pub(crate) fn start_group(&mut self, group: usize) {
        self.start_group_at(group, 0);
    }

    /// Goes on with a group of which the tasks below a rank are placed already.
    pub(crate) fn start_group_at(&mut self, group: usize, rank: u32) {
        self.group = group;
        self.rank = rank;
    }

    /// What comes next belongs to a block of which the domain to fill is the place.
    pub(crate) fn start_inside_block(&mut self) {
        self.inside_block = true;
    }

    pub(crate) fn into_tasks(self) -> Vec<(NodeId, TaskPlace)> {
        self.tasks
    }

    pub(crate) fn demand(&self) -> &'s GroupDemand {
        &self.search.demand.groups[self.group]
    }

    /// The model its tasks go on.
    pub(crate) fn model(&self) -> ModelId {
        self.search.models[self.group]
    }

    pub(crate) fn transaction(&self) -> &Transaction<'c> {
        self.transaction
    }

    pub(crate) fn group(&self) -> usize {
        self.group
    }

    pub(crate) fn unit(&self) -> u32 {
        self.unit
    }

    /// Places up to `wanted` tasks inside a domain and returns how many. It places all of them
    /// whenever they fit: every node of the domain is filled before it gives up.
    pub(crate) fn fill(&mut self, domain: DomainId, wanted: u32) -> u32 {
        let here = &self.transaction.capacity().topology.domains[domain];
        let (depth, is_leaf) = (here.depth, here.children.is_empty());
        match self.search.demand.segment {
            Some((block, at)) if at == depth && !self.inside_block => {
                self.fill_blocks(domain, wanted, block)
            }
            // Blocks come first: a gang spreads within each, or as a whole if it has none.
            Some((block, at)) if at > depth && at < self.search.node_depth => {
                if self.search.demand.spread {
                    spread::spread_blocks(self, domain, wanted, (block, at))
                } else {
                    self.fill_children(domain, wanted)
                }
            }
            _ if self.search.demand.spread => spread::spread(self, domain, wanted),
            _ if is_leaf && self.demand().share.is_some() => share::fill_leaf(self, domain, wanted),
            _ if is_leaf => self.fill_leaf(domain, wanted),
            _ => self.fill_children(domain, wanted),
        }
    }

    /// Places whole blocks inside a domain of the segment's level.
    fn fill_blocks(&mut self, domain: DomainId, wanted: u32, block: u32) -> u32 {
        self.inside_block = true;
        let mut placed = 0;
        while placed + block <= wanted {
            let mark = self.transaction.mark();
            let (tasks, rank) = (self.tasks.len(), self.rank);
            if self.fill(domain, block) < block {
                self.transaction.roll_back(mark);
                for (node, _) in self.tasks.drain(tasks..) {
                    self.taken.grow(node.index() + 1);
                    self.taken.set(node.index(), false);
                }
                self.rank = rank;
                break;
            }
            placed += block;
        }
        self.inside_block = false;
        placed
    }

    /// Places tasks in the children: the tightest that holds all that is left, or else the
    /// roomiest and then the rest elsewhere. Each child is visited once.
    fn fill_children(&mut self, domain: DomainId, wanted: u32) -> u32 {
        let topology = &self.transaction.capacity().topology;
        let mut rooms: SmallVec<[(u64, DomainId); 16]> = SmallVec::new();
        for &child in &topology.domains[domain].children {
            let room = domains::room(topology, self.search, self.group, child);
            if room > 0 {
                rooms.push((room, child));
            }
        }
        let mut rest = wanted;
        while rest > 0 && !rooms.is_empty() {
            let tightest = (rooms.iter().enumerate())
                .filter(|(_, (room, _))| *room >= u64::from(rest))
                .min_by_key(|(_, room)| **room);
            let roomiest = || {
                let by_room = |&(room, child): &(u64, DomainId)| (room, std::cmp::Reverse(child));
                rooms.iter().enumerate().max_by_key(|(_, room)| by_room(room))
            };
            let chosen = tightest.or_else(roomiest).map(|(index, _)| index);
            let (_, child) = rooms.swap_remove(chosen.expect("there is a room"));
            rest -= self.fill(child, rest);
        }
        wanted - rest
    }

    /// Places tasks on the nodes of a lowest domain: one node for all of them if one will do,
    /// or else the emptiest first and the tightest for the rest.
    fn fill_leaf(&mut self, leaf: DomainId, wanted: u32) -> u32 {
        if let Some(node) = self.tightest(leaf, wanted) {
            self.put(node, wanted);
            return wanted;
        }
        let model = self.search.models[self.group];
        let gpus = self.demand().gpus;
        let span = self.transaction.capacity().topology.domains[leaf].free(model).span();
        let mut rest = wanted;
        for step in gpus..span {
            // Tasks without GPUs go first where GPUs are taken anyway.
            let free = if gpus == 0 { step } else { span - 1 - (step - gpus) };
            let members =
                self.transaction.capacity().topology.domains[leaf].free(model).members(free);
            for slot in slots(&members) {
                let node = self.transaction.capacity().topology.domains[leaf].nodes[slot];
                let here = self.capacity(node);
                if here == 0 {
                    continue;
                }
                let tasks = here.min(rest);
                self.put(node, tasks);
                rest -= tasks;
                if rest == 0 {
                    return wanted;
                }
                if rest <= here
                    && let Some(node) = self.tightest(leaf, rest)
                {
                    self.put(node, rest);
                    return wanted;
                }
            }
        }
        wanted - rest
    }

    /// The node with the fewest GPUs free that holds so many tasks.
    fn tightest(&self, leaf: DomainId, tasks: u32) -> Option<NodeId> {
        let domain = &self.transaction.capacity().topology.domains[leaf];
        let free = domain.free(self.search.models[self.group]);
        let least = self.demand().gpus.checked_mul(tasks)?;
        (least..free.span())
            .flat_map(|gpus| slots(&free.members(gpus)).collect::<SmallVec<[usize; 32]>>())
            .map(|slot| domain.nodes[slot])
            .find(|&node| self.capacity(node) >= tasks)
    }

    pub(crate) fn capacity(&self, node: NodeId) -> u32 {
        if self.taken.contains(node.index()) {
            return 0;
        }
        let node = &self.transaction.capacity().nodes[node];
        self.search.capacity(node, self.demand(), self.unit)
    }

    /// Puts the next tasks of the group on a node that has room for them.
    pub(crate) fn put(&mut self, node: NodeId, tasks: u32) {
        let demand = self.demand();
        for _ in 0..tasks {
            let (gpus, share) = self.transaction.capacity().nodes[node].choose(demand);
            self.take(node, gpus, share);
        }
        self.transaction.recount(node);
    }

    /// Puts the next task of the group on a GPU that has room for its share.
    pub(crate) fn put_on(&mut self, node: NodeId, gpu: u32) {
        let need = self.demand().need(self.model()).expect("only shares choose their GPU");
        let share = self.transaction.capacity().nodes[node].share_on(gpu, need);
        self.take(node, GpuSet::one(gpu), Some(share));
        self.transaction.recount(node);
    }

    fn take(&mut self, node: NodeId, gpus: GpuSet, share: Option<SharePlace>) {
        let group = u16::try_from(self.group).expect("groups are bounded by validation");
        let task = TaskPlace { group, rank: self.rank, gpus, share };
        self.transaction.take(node, self.demand().held(&task));
        self.tasks.push((node, task));
        if self.search.demand.is_apart {
            self.taken.grow_and_insert(node.index());
        }
        self.rank += 1;
    }
}
