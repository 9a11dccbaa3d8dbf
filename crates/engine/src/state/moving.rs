//! Jobs on their way to another place, and the books of defragmentation.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{JobId, NodeId, Time};

use crate::snapshot::{DefragmentationRecord, MoveRecord};
use crate::state::demand::Demand;
use crate::state::plan::Want;

/// All moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    /// Jobs that are about to leave their place, by number.
    pub(crate) moves: BTreeMap<JobId, MoveRecord>,
    /// Jobs that have left it and start at their new place in this step.
    pub(crate) ready: Vec<JobId>,
    /// GPU-milliseconds that moves have cost, less what the budget has allowed until `at`.
    pub(crate) spent: u64,
    pub(crate) at: Time,
    /// Something has changed since moves were last looked for.
    pub(crate) is_due: bool,
    /// Moves are not looked for before.
    pub(crate) after: Time,
    /// Queued jobs of which it was told which moves would start them.
    pub(crate) told: BTreeSet<JobId>,
}

impl Moves {
    /// The books as plain data.
    pub(crate) fn record(&self) -> DefragmentationRecord {
        DefragmentationRecord {
            spent: self.spent,
            at: self.at,
            is_due: self.is_due,
            after: self.after,
            told: self.told.iter().copied().collect(),
        }
    }

    /// Takes up the books where they were.
    pub(crate) fn restore(&mut self, record: DefragmentationRecord) {
        let DefragmentationRecord { spent, at, is_due, after, told } = record;
        (self.spent, self.at, self.is_due, self.after) = (spent, at, is_due, after);
        self.told = told.into_iter().collect();
    }
}

/// What tasks want of each of their nodes.
pub(crate) fn wants(record: &MoveRecord, demand: &Demand) -> BTreeMap<NodeId, Want> {
    let mut wants: BTreeMap<NodeId, Want> = BTreeMap::new();
    for (node, task) in &record.tasks {
        wants.entry(*node).or_default().add(task, demand);
    }
    wants
}
