//! The recent mix of demand: which sizes of tasks were asked for, and how many of each. What is
//! free is worth as much as those who come can do with it.
//!
//! Kinds differ by GPUs and, in doublings, by CPUs: a task with many CPUs can do nothing with GPUs
//! where CPUs are short, and an average over all of them would not see it.
//!
//! It is a fact and not an index: it cannot be counted anew from what waits and runs, so it is in
//! the snapshot.

use crate::snapshot::MixRecord;
use crate::state::demand::Demand;

/// At most so many kinds are told apart; the least of them makes way for a new one. On recorded
/// arrivals of 150 sizes twice as many found nothing better.
const KINDS_MAX: usize = 32;

/// What one task counts for.
const TASK: u64 = 1000;

/// The mix reaches back over about so many tasks for each GPU that is installed.
const REACH: u64 = 4;

/// Below so many milli-GPUs installed, as if there were so many: a few jobs are no mix.
const INSTALLED_LEAST: u64 = 64_000;

/// The recent mix of demand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mix {
    /// Those that need the same GPUs beside each other.
    kinds: Vec<MixRecord>,
}

impl Mix {
    pub(crate) fn new(kinds: Vec<MixRecord>) -> Mix {
        Mix { kinds }
    }

    pub(crate) fn kinds(&self) -> &[MixRecord] {
        &self.kinds
    }

    /// The weight of all kinds.
    pub(crate) fn weight(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.weight).sum()
    }

    /// Whether anyone has asked for part of a GPU lately.
    pub(crate) fn has_shares(&self) -> bool {
        self.kinds.iter().any(|kind| kind.share.is_some())
    }

    /// A gang was asked for, in a cluster with so many milli-GPUs.
    pub(crate) fn add(&mut self, demand: &Demand, node_depth: u8, installed: u64) {
        for group in 0..demand.groups.len() {
            let kind = kind(demand, group, node_depth);
            // Without GPUs, nothing that is free is of use, wherever others go.
            if demand.milli_each(group) > 0 {
                self.add_kind(kind);
            }
        }
        let most = REACH * installed.max(INSTALLED_LEAST);
        // Ends because every turn halves what there is.
        while self.weight() > most {
            self.kinds.iter_mut().for_each(|kind| kind.weight /= 2);
            self.kinds.retain(|kind| kind.weight > 0);
        }
    }

    fn add_kind(&mut self, new: MixRecord) {
        if let Some(known) = self.kinds.iter_mut().find(|known| known.is_kind_of(&new)) {
            known.weight = known.weight.saturating_add(new.weight);
            // What they need beside GPUs follows those who came last.
            known.cpus = (known.cpus * 3 + new.cpus) / 4;
            known.memory = (known.memory * 3 + new.memory) / 4;
            return;
        }
        if self.kinds.len() == KINDS_MAX {
            let least = (0..KINDS_MAX).min_by_key(|&index| self.kinds[index].weight);
            self.kinds.remove(least.expect("there are kinds"));
        }
        let size = |kind: &MixRecord| (kind.gpus, kind.share);
        let at = self.kinds.partition_point(|known| size(known) <= size(&new));
        self.kinds.insert(at, new);
    }
}

fn kind(demand: &Demand, index: usize, node_depth: u8) -> MixRecord {
    let (group, milli) = (&demand.groups[index], demand.milli_each(index));
    let share = group.share.as_ref().and_then(|needs| needs.iter().flatten().next());
    let is_together = demand.require > 0 && demand.require < node_depth && group.gpus > 0;
    let (depth, tasks) = match is_together {
        true => (demand.require, group.tasks.next_power_of_two()),
        false => (node_depth, 1),
    };
    MixRecord {
        gpus: group.gpus,
        share: share.map(|need| (need.mode, u32::try_from(milli).unwrap_or(u32::MAX))),
        depth,
        tasks,
        cpus: group.cpus,
        memory: group.memory,
        weight: TASK * u64::from(group.tasks),
    }
}

impl MixRecord {
    fn is_kind_of(&self, other: &MixRecord) -> bool {
        (self.gpus, self.share, self.depth, self.tasks)
            == (other.gpus, other.share, other.depth, other.tasks)
            && self.cpus.checked_ilog2() == other.cpus.checked_ilog2()
    }
}
