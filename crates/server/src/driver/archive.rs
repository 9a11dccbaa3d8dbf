//! Keeps the history behind the driver's back, and makes snapshots where they disturb nobody.
//!
//! The history follows the journal: what it lacks after a crash is made again from the journal.
//! A snapshot is therefore offered only once the history is durable up to it. In its pauses the
//! thread forgets what is old.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use muster_model::{Millis, Time};
use muster_store::history::Change;
use muster_store::{Checkpointer, History, Snapshot};

use super::forget::Forgetting;
use crate::control::CONTROL_VERSION;
use crate::foresight::Foresight;
use crate::metrics::Meters;
use crate::shared::Shared;

/// Batches that the history may be behind by; beyond that the driver waits for it.
const BEHIND_MAX: usize = 1024;

/// Batches that the history takes in one go.
const TOGETHER_MAX: usize = 256;

/// A snapshot is made after so many entries: that is what a start has to replay.
const ENTRIES_BETWEEN: u64 = 20_000;

/// And at the latest after so long, if anything happened.
const TIME_BETWEEN: Millis = Millis::minutes(10);

/// The driver waits for a snapshot that is being made when so many entries have come since the
/// last that was kept: a start never has to replay more, whatever the load.
const UNSAVED_MAX: u64 = 3 * ENTRIES_BETWEEN;

/// How often the journal's log is moved into its file, so that no commit has to do it.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(1);

/// What the history is told of one batch.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The last entry of the batch.
    pub(crate) up_to: u64,
    /// What changed.
    pub(crate) changes: Vec<Change>,
}

enum Order {
    Record(Recorded),
    Durable(SyncSender<Result<u64, String>>),
}

/// What the thread works on.
pub(crate) struct Keeping {
    /// The history.
    pub(crate) history: Box<dyn History>,
    /// What it forgets.
    pub(crate) forgetting: Forgetting,
    /// Who learns from it.
    pub(crate) foresight: Arc<Foresight>,
    /// Where it says how far it has come.
    pub(crate) meters: Arc<Meters>,
}

/// The hold on the thread that writes the history.
pub(crate) struct Archive {
    orders: Option<SyncSender<Order>>,
    thread: Option<JoinHandle<Result<(), String>>>,
    making: Option<Receiver<Option<Snapshot>>>,
    /// The entry and time of the last snapshot that was begun.
    last: (u64, Time),
    /// The entry of the last that was finished.
    kept: u64,
}

impl Archive {
    /// Starts the thread; `last` is the entry and time of the last snapshot.
    pub(crate) fn start(
        keeping: Keeping,
        checkpointer: Checkpointer,
        last: (u64, Time),
    ) -> std::io::Result<Archive> {
        let (orders, received) = sync_channel(BEHIND_MAX);
        let body = move || keep(keeping, &checkpointer, &received);
        let thread = std::thread::Builder::new().name("history".to_owned()).spawn(body)?;
        let (orders, thread, kept) = (Some(orders), Some(thread), last.0);
        Ok(Archive { orders, thread, making: None, last, kept })
    }

    /// Hands over what a batch changed.
    pub(crate) fn record(&self, recorded: Recorded) -> Result<(), String> {
        let orders = self.orders.as_ref().ok_or("the history is closed")?;
        orders.send(Order::Record(recorded)).map_err(|_| "the history cannot be written".to_owned())
    }

    /// Hands over rows that no entry tells of. An archive that is behind does without them.
    pub(crate) fn add(&self, up_to: u64, changes: Vec<Change>) {
        if let Some(orders) = &self.orders {
            let _ = orders.try_send(Order::Record(Recorded { up_to, changes }));
        }
    }

    /// Begins a snapshot if one is due and none is being made.
    pub(crate) fn consider(&mut self, shared: &Arc<Shared>, now: Time) {
        let sequence = shared.sequence();
        let (since, at) = self.last;
        let is_due =
            sequence > since && (sequence - since >= ENTRIES_BETWEEN || now >= at + TIME_BETWEEN);
        let Some(orders) = self.orders.clone().filter(|_| is_due && self.making.is_none()) else {
            return;
        };
        self.last = (sequence, now);
        let begun = Instant::now();
        let state = shared.read().snapshot();
        let copied = begun.elapsed();
        let (done, making) = sync_channel(1);
        self.making = Some(making);
        std::thread::spawn(move || {
            let snapshot = encoded(&state, sequence, now);
            let encoded = begun.elapsed();
            let is_durable = durable(&orders).is_ok_and(|watermark| watermark >= sequence);
            tracing::debug!(
                "snapshot after entry {sequence}: {} bytes, copied in {copied:?}, encoded after \
                 {encoded:?}, history caught up after {:?}",
                snapshot.body.len(),
                begun.elapsed()
            );
            // The driver may have stopped, and then makes its own.
            let _ = done.send(is_durable.then_some(snapshot));
        });
    }

    /// Whether the driver has to wait for the snapshot that is being made.
    pub(crate) fn is_far_behind(&self, sequence: u64) -> bool {
        self.making.is_some() && sequence.saturating_sub(self.kept) >= UNSAVED_MAX
    }

    /// A snapshot that is ready to be kept; waits for the one that is being made where `waits`.
    pub(crate) fn finished(&mut self, waits: bool) -> Option<Snapshot> {
        let making = self.making.as_ref()?;
        let made = match waits {
            true => making.recv().map_err(|_| TryRecvError::Disconnected),
            false => making.try_recv(),
        };
        let made = match made {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => None,
            Ok(made) => made,
        };
        self.making = None;
        self.kept = made.as_ref().map_or(self.kept, |snapshot| snapshot.sequence);
        made
    }

    /// Waits until the history has everything and will keep it.
    pub(crate) fn settle(&mut self) -> Result<(), String> {
        let orders = self.orders.as_ref().ok_or("the history is closed")?;
        durable(orders).map(|_| ())
    }

    /// Lets the thread write what it was given, and ends it.
    pub(crate) fn close(&mut self) -> Result<(), String> {
        self.orders = None;
        let Some(thread) = self.thread.take() else { return Ok(()) };
        thread.join().map_err(|_| "the history's thread panicked".to_owned())?
    }
}

/// The state now, as the store keeps it.
pub(crate) fn snapshot_of(shared: &Shared, now: Time) -> Snapshot {
    encoded(&shared.read().snapshot(), shared.sequence(), now)
}

fn encoded(state: &crate::control::ControlSnapshot, sequence: u64, now: Time) -> Snapshot {
    Snapshot { sequence, time_ms: now.0, version: CONTROL_VERSION, body: state.encode() }
}

fn durable(orders: &SyncSender<Order>) -> Result<u64, String> {
    let closed = |_| "the history is closed".to_owned();
    let (done, answer) = sync_channel(1);
    orders.send(Order::Durable(done)).map_err(|_| closed(()))?;
    answer.recv().map_err(|_| closed(()))?
}

/// Writes the history until nobody has anything to say.
fn keep(
    keeping: Keeping,
    checkpointer: &Checkpointer,
    orders: &Receiver<Order>,
) -> Result<(), String> {
    let Keeping { mut history, mut forgetting, foresight, meters } = keeping;
    let mut moved = Instant::now();
    let failed =
        |error: muster_store::StoreError| format!("the history cannot be written: {error}");
    loop {
        let order = match orders.recv_timeout(forgetting.patience()) {
            Ok(order) => Some(order),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        let (mut changes, mut up_to, mut durable) = (Vec::new(), 0, Vec::new());
        let more = std::iter::from_fn(|| orders.try_recv().ok()).take(TOGETHER_MAX);
        for order in order.into_iter().chain(more) {
            match order {
                Order::Record(recorded) => {
                    up_to = recorded.up_to;
                    changes.extend(recorded.changes);
                }
                Order::Durable(done) => durable.push(done),
            }
        }
        if up_to > 0 {
            history.record(up_to, &changes).map_err(failed)?;
            foresight.learn(&changes);
            meters.recorded(up_to);
        }
        for done in durable {
            // Who asked may have given up.
            let _ = done.send(history.make_durable().map_err(failed));
        }
        if moved.elapsed() >= CHECKPOINT_EVERY {
            // What cannot be moved now is moved the next time; it is durable either way.
            let _ = checkpointer.run();
            moved = Instant::now();
        }
        forgetting.go_on(history.as_mut());
    }
}
