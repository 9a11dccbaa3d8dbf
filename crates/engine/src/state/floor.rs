//! The service floor's books: what is claimed for whom, and what counts against the floor.

use std::collections::{BTreeMap, BTreeSet};

use muster_model::{JobId, Millis, NodeId, Time};

use crate::dense::ShapeId;
use crate::snapshot::{FloorDebt, ReservedRecord};

/// What the floor is doing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Floor {
    /// Nodes held together for starving jobs, in the order the jobs are served.
    pub(crate) claims: BTreeMap<JobId, Claim>,
    /// GPUs claimed, and GPUs of jobs it placed that are still within their quantum.
    pub(crate) gpus_in_use: u64,
    /// What it owes, and since when that is counted.
    pub(crate) debt: FloorDebt,
    /// The job that found the nodes it could claim held for others: nothing changes for it
    /// until a claim goes or nodes change.
    pub(crate) stuck: Option<Stuck>,
    /// Shapes that the nodes there are cannot hold, by which version of the nodes.
    pub(crate) impossible: BTreeMap<(ShapeId, u64), u64>,
    /// Shapes that no reservation can ever be made for, by which version of the nodes.
    pub(crate) unreservable: BTreeMap<(ShapeId, u64), u64>,
    /// Jobs that nodes were held for in vain, and until when they are passed over.
    pub(crate) hopeless: BTreeMap<JobId, Time>,
    /// No reservation is looked for before: there was no room for one.
    pub(crate) reserve_after: Time,
    /// GPUs of claimed nodes have become free and were not lent yet.
    pub(crate) lend_due: bool,
    /// Gangs whose reserved start was put off too often.
    pub(crate) late: BTreeSet<JobId>,
    /// Elastic jobs that grew onto reserved nodes and still have something there.
    pub(crate) loans: BTreeSet<JobId>,
}

/// A job that cannot claim, and under which version of the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    pub(crate) job: JobId,
    pub(crate) version: u64,
    /// The alternatives its queue allowed it, as bits.
    pub(crate) allowed: u64,
}

/// Nodes held for one job.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    /// Ascending.
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) since: Time,
    pub(crate) gpus: u64,
    /// For a gang that does not starve: when it is expected to start.
    pub(crate) reserved: Option<ReservedRecord>,
}

impl Floor {
    /// What the floor of so many GPUs owes: it may be exceeded by a large gang, and then does
    /// without until that has come to no more than its share.
    pub(crate) fn owes(&self, now: Time, size: u64) -> u64 {
        let span = now.since(self.debt.at).0;
        match self.gpus_in_use.checked_sub(size) {
            Some(over) => self.debt.gpu_millis.saturating_add(over.saturating_mul(span)),
            None => {
                let back = (size - self.gpus_in_use).saturating_mul(span);
                self.debt.gpu_millis.saturating_sub(back)
            }
        }
    }

    /// When a floor of so many GPUs that is not full will owe nothing, if nothing changes.
    pub(crate) fn owes_nothing_at(&self, now: Time, size: u64) -> Option<Time> {
        let back = size.checked_sub(self.gpus_in_use).filter(|back| *back > 0)?;
        Some(now + Millis(self.owes(now, size).div_ceil(back)))
    }

    /// So many GPUs more count against a floor of a size.
    pub(crate) fn use_more(&mut self, now: Time, size: u64, gpus: u64) {
        self.debt = FloorDebt { gpu_millis: self.owes(now, size), at: now };
        self.gpus_in_use += gpus;
    }

    /// So many fewer.
    pub(crate) fn use_less(&mut self, now: Time, size: u64, gpus: u64) {
        self.debt = FloorDebt { gpu_millis: self.owes(now, size), at: now };
        self.gpus_in_use -= gpus;
    }

    /// Whether the floor holds nodes for a job.
    pub(crate) fn is_claimed(&self, job: JobId) -> bool {
        self.claims.get(&job).is_some_and(|claim| claim.reserved.is_none())
    }

    /// A shape is no more, and its number will be another's.
    pub(crate) fn forget_shape(&mut self, shape: ShapeId) {
        self.impossible.retain(|(other, _), _| *other != shape);
        self.unreservable.retain(|(other, _), _| *other != shape);
    }

    /// Reservations of gangs that do not starve.
    pub(crate) fn reservations(&self) -> impl Iterator<Item = (JobId, &Claim)> {
        self.claims.iter().filter(|(_, claim)| claim.reserved.is_some()).map(|(job, c)| (*job, c))
    }
}
