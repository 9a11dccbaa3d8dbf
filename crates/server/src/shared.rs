//! What the driver, the API and the agents' streams look at together.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use muster_api::view::EventView;
use muster_model::NodeId;
use tokio::sync::{broadcast, watch};

use crate::control::Control;
use crate::foresight::Foresight;
use crate::metrics::Meters;
use crate::pulse::Pulse;

/// Events that a slow listener may fall behind by before it has to ask the history.
const EVENTS_KEPT: usize = 4096;

/// The state, and the bells that ring when it changes.
#[derive(Debug)]
pub struct Shared {
    control: RwLock<Control>,
    sequence: AtomicU64,
    /// One bell per node, which carries the number of rings.
    bells: Mutex<BTreeMap<NodeId, watch::Sender<u64>>>,
    events: broadcast::Sender<EventView>,
    /// Rings after every batch, with the last entry it held.
    committed: watch::Sender<u64>,
    pulse: Pulse,
    foresight: Arc<Foresight>,
    meters: Arc<Meters>,
}

impl Shared {
    /// Around a state as of an entry.
    pub(crate) fn new(control: Control, sequence: u64, foresight: Arc<Foresight>) -> Shared {
        let meters = Arc::new(Meters::new(control.cluster(), sequence));
        Shared {
            control: RwLock::new(control),
            sequence: AtomicU64::new(sequence),
            bells: Mutex::default(),
            events: broadcast::Sender::new(EVENTS_KEPT),
            committed: watch::Sender::new(sequence),
            pulse: Pulse::default(),
            foresight,
            meters,
        }
    }

    /// What is known of how long jobs run.
    pub(crate) fn foresight(&self) -> &Foresight {
        &self.foresight
    }

    /// What is counted while the server works.
    pub(crate) fn meters(&self) -> &Arc<Meters> {
        &self.meters
    }

    /// The state, to look at.
    pub fn read(&self) -> RwLockReadGuard<'_, Control> {
        self.control.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, to change or to ask why.
    pub fn write(&self) -> RwLockWriteGuard<'_, Control> {
        self.control.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last entry that took effect.
    pub fn sequence(&self) -> u64 {
        self.sequence.load(Ordering::Acquire)
    }

    /// A batch has taken effect.
    pub(crate) fn advance(&self, sequence: u64) {
        self.sequence.store(sequence, Ordering::Release);
        self.committed.send_replace(sequence);
    }

    /// What the driver is doing.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Rings after every batch.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.committed.subscribe()
    }

    /// Rings when a node's duties change.
    pub fn bell(&self, node: NodeId) -> watch::Receiver<u64> {
        self.bells().entry(node).or_default().subscribe()
    }

    pub(crate) fn ring(&self, node: NodeId) {
        if let Some(bell) = self.bells().get(&node) {
            bell.send_modify(|rings| *rings += 1);
        }
    }

    /// Events as they happen.
    pub fn listen(&self) -> broadcast::Receiver<EventView> {
        self.events.subscribe()
    }

    pub(crate) fn tell(&self, event: EventView) {
        // Nobody may be listening, which is no failure.
        let _ = self.events.send(event);
    }

    fn bells(&self) -> MutexGuard<'_, BTreeMap<NodeId, watch::Sender<u64>>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
