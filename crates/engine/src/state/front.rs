//! Fronts: the heads of all lines of one shape. A front is *open* while placing its shape has not
//! failed; of a front that failed, a small *probe* is kept, so that a step that makes room can
//! look through hundreds of them without touching anything else.

use std::collections::BTreeSet;

use crate::dense::{LineId, ShapeId};
use crate::state::demand::{Demand, Least};
use crate::state::line::OrderKey;

/// The heads of all lines of one shape.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    /// All alternatives of the shape, as bits.
    pub(super) all: u64,
    /// Alternatives that did not fit; they cannot fit until room is made.
    pub(super) failed: u64,
    pub(super) heads: BTreeSet<(OrderKey, LineId)>,
    /// The best head of all.
    pub(super) first: Option<OrderKey>,
    /// The best head with an alternative left to try.
    pub(super) best: Option<(OrderKey, LineId)>,
    /// Its shape has one place only, so its nodes lead to it and it needs no probe.
    is_pinned: bool,
    least: Least,
    tasks: u32,
    depth: u8,
    probe: Option<usize>,
}

/// What has to be known of a failed front to pass it over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// The best of its heads.
    pub(crate) head: OrderKey,
    pub(crate) shape: ShapeId,
    /// What a node must have free to be of any help.
    pub(crate) least: Least,
    /// Tasks that must fit into a domain of this depth around it; none where one node must hold
    /// everything or several groups are asked for.
    pub(crate) tasks: u32,
    pub(crate) depth: u8,
}

/// The probes of all failed fronts, side by side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probes {
    probes: Vec<Probe>,
    /// Failed fronts whose best head has changed since someone asked.
    touched: Vec<ShapeId>,
}

impl Front {
    pub(super) fn new(demand: &Demand) -> Front {
        Front {
            all: demand.all(),
            failed: 0,
            heads: BTreeSet::new(),
            first: None,
            best: None,
            is_pinned: demand.is_pinned,
            least: demand.least(),
            tasks: demand.tasks_together(),
            depth: demand.require,
            probe: None,
        }
    }

    /// The alternatives of its shape are others than before.
    pub(super) fn renew(&mut self, demand: &Demand) {
        self.all = demand.all();
        self.failed = 0;
    }

    /// Its probe is in another place now.
    pub(super) fn moved(&mut self, probe: usize) {
        self.probe = Some(probe);
    }
}

impl Probes {
    /// Keeps the probe of a front right; returns the shape whose probe has moved to the given
    /// place, if one has.
    pub(super) fn update(&mut self, shape: ShapeId, front: &mut Front) -> Option<(ShapeId, usize)> {
        let is_probed = front.failed != 0 && !front.is_pinned;
        let head = front.heads.first().filter(|_| is_probed).map(|(head, _)| *head);
        match (front.probe, head) {
            (None, None) => None,
            (None, Some(head)) => {
                front.probe = Some(self.probes.len());
                let Front { least, tasks, depth, .. } = *front;
                self.probes.push(Probe { head, shape, least, tasks, depth });
                self.touched.push(shape);
                None
            }
            (Some(at), Some(head)) => {
                if self.probes[at].head != head {
                    self.probes[at].head = head;
                    self.touched.push(shape);
                }
                None
            }
            (Some(at), None) => {
                front.probe = None;
                self.probes.swap_remove(at);
                self.probes.get(at).map(|moved| (moved.shape, at))
            }
        }
    }

    pub(super) fn of(&self, front: &Front) -> Option<&Probe> {
        front.probe.map(|at| &self.probes[at])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Probe> {
        self.probes.iter()
    }

    pub(super) fn take_touched(&mut self) -> Vec<ShapeId> {
        std::mem::take(&mut self.touched)
    }
}
