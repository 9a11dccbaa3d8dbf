//! The one thread that changes the cluster: it takes requests in batches, journals each batch,
//! lets it take effect, and only then answers.
//!
//! While a batch is being synced the next one gathers, so the more there is to do, the more
//! entries share one sync.

mod archive;
mod forget;
mod start;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use muster_engine::command::Command;
use muster_model::Time;
use muster_store::history::Change;
use muster_store::{Journal, NewEntry, Snapshot, StoreError};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::clock::Clock;
use crate::control::Answer;
use crate::entry::{ENTRY_VERSION, Entry};
use crate::history;
use crate::metrics;
use crate::pulse::Doing;
use crate::shared::Shared;
use crate::upkeep::Retention;
use archive::{Archive, Recorded};

pub use start::{Start, StartError, StartTimes, start};

/// Requests that may wait for the driver; who comes later is asked to come back.
const WAITING_MAX: usize = 16_384;

/// Entries in one batch: a bound on how long the state is locked.
const BATCH_MAX: usize = 1024;

/// The longest sleep, so that a clock that was stopped with the machine is noticed.
const SLEEP_MAX: Duration = Duration::from_secs(1);

/// Why a request was not taken.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DriverError {
    /// Too many wait already.
    #[error("the server has more to do than it can take in")]
    Busy,
    /// The journal cannot be written, or the server is stopping.
    #[error("the server takes nothing in any more: {0}")]
    Stopped(String),
}

/// A hold on the driver that many may have.
#[derive(Clone, Debug)]
pub struct Driver {
    requests: SyncSender<Request>,
    shared: Arc<Shared>,
    clock: Clock,
}

/// The thread, to wait for.
#[derive(Debug)]
pub struct Running {
    thread: JoinHandle<Result<(), String>>,
    requests: SyncSender<Request>,
}

enum Request {
    Record {
        entries: Vec<Entry>,
        answers: oneshot::Sender<Vec<Answer>>,
    },
    /// Rows of the history that no entry of the journal tells of.
    Add(Vec<Change>),
    Stop,
    /// Does nothing until the other side goes away.
    #[cfg(test)]
    Stall {
        until: Receiver<()>,
    },
}

impl Driver {
    /// Has entries journaled and applied, in order and without others between them. What is
    /// answered is on disk.
    pub async fn record(&self, entries: Vec<Entry>) -> Result<Vec<Answer>, DriverError> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let (answers, answered) = oneshot::channel();
        match self.requests.try_send(Request::Record { entries, answers }) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => return Err(DriverError::Busy),
            Err(TrySendError::Disconnected(_)) => return Err(stopped()),
        }
        answered.await.map_err(|_| stopped())
    }

    /// The same for one entry.
    pub async fn record_one(&self, entry: Entry) -> Result<Answer, DriverError> {
        let mut answers = self.record(vec![entry]).await?;
        answers.pop().ok_or_else(stopped)
    }

    /// Adds rows to the history that nothing follows from. They may be lost in a crash.
    pub fn add(&self, changes: Vec<Change>) {
        if !changes.is_empty() {
            // Under more load than the driver can take, they are the first to go.
            let _ = self.requests.try_send(Request::Add(changes));
        }
    }

    /// Lets the driver do nothing until the sender is dropped.
    #[cfg(test)]
    pub(crate) fn stall(&self) -> SyncSender<()> {
        let (stalling, until) = sync_channel(0);
        self.requests.send(Request::Stall { until }).expect("the driver runs");
        stalling
    }

    /// The state and its bells.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The time.
    pub fn now(&self) -> Time {
        self.clock.now()
    }
}

fn stopped() -> DriverError {
    DriverError::Stopped("it is stopping, or its disk failed; its log says which".to_owned())
}

impl Running {
    /// Stops the thread after what it has taken in, with a snapshot for a quick start.
    pub fn stop(self) -> Result<(), String> {
        // A thread that has stopped by itself is stopped as well.
        let _ = self.requests.send(Request::Stop);
        drop(self.requests);
        self.thread.join().map_err(|_| "the driver panicked".to_owned())?
    }
}

/// What the thread owns.
struct Loop {
    journal: Box<dyn Journal>,
    archive: Archive,
    shared: Arc<Shared>,
    clock: Clock,
    requests: Receiver<Request>,
    retention: Retention,
}

/// Entries of one request and where the answers go.
type Waiting = (usize, oneshot::Sender<Vec<Answer>>);

fn spawn(
    journal: Box<dyn Journal>,
    archive: Archive,
    shared: Arc<Shared>,
    clock: Clock,
    retention: Retention,
) -> std::io::Result<(Driver, Running)> {
    let (sender, requests) = sync_channel(WAITING_MAX);
    let driver = Driver { requests: sender.clone(), shared: Arc::clone(&shared), clock };
    let mut work = Loop { journal, archive, shared, clock, requests, retention };
    let body = move || {
        let done = work.run();
        let closed = work.archive.close();
        done.and(closed)
    };
    let thread = std::thread::Builder::new().name("driver".to_owned()).spawn(body)?;
    Ok((driver, Running { thread, requests: sender }))
}

impl Loop {
    fn run(&mut self) -> Result<(), String> {
        loop {
            let mut entries = Vec::new();
            let mut waiting: Vec<Waiting> = Vec::new();
            let is_last = self.gather(&mut entries, &mut waiting);
            if !entries.is_empty() {
                self.commit(&entries, waiting)?;
            }
            self.keep_snapshot()?;
            if is_last {
                return self.last_snapshot();
            }
            self.shared.pulse().begin(Doing::Copying);
            self.archive.consider(&self.shared, self.clock.now());
            self.shared.pulse().rest();
        }
    }

    /// Keeps a snapshot that has been made, and forgets what no kept one needs.
    fn keep_snapshot(&mut self) -> Result<(), String> {
        let sequence = self.shared.sequence();
        let waits = self.archive.is_far_behind(sequence);
        if waits {
            self.shared.pulse().begin(Doing::Waiting);
        }
        let made = self.archive.finished(waits);
        if let Some(snapshot) = made {
            self.shared.pulse().begin(Doing::Saving { sequence: snapshot.sequence });
            self.save(&snapshot).map_err(|error| format!("cannot keep a snapshot: {error}"))?;
        }
        self.shared.pulse().rest();
        Ok(())
    }

    fn save(&mut self, snapshot: &Snapshot) -> muster_store::Result<()> {
        self.journal.snapshot_save(snapshot)?;
        self.shared.meters().saved(snapshot.sequence, Time(snapshot.time_ms));
        let marks = self.journal.snapshots()?;
        let up_to = self.retention.journal_until(self.clock.now(), &marks);
        match self.journal.prune(up_to) {
            // Entries stay until another stands in for them, which the next save sees to.
            Err(error @ StoreError::DamagedSnapshot { .. }) => tracing::warn!("{error}"),
            pruned => drop(pruned?),
        }
        Ok(())
    }

    /// Waits for requests, or for the engine's next wish. Returns whether to stop.
    fn gather(&self, entries: &mut Vec<Entry>, waiting: &mut Vec<Waiting>) -> bool {
        let wake = self.shared.read().next_wake();
        let patience = wake.map_or(SLEEP_MAX, |wake| self.clock.until(wake)).min(SLEEP_MAX);
        let mut next = match self.requests.recv_timeout(patience) {
            Ok(request) => Some(request),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return true,
        };
        while let Some(request) = next {
            match request {
                Request::Stop => return true,
                #[cfg(test)]
                Request::Stall { until } => {
                    self.shared.pulse().begin(Doing::Deciding { sequence: 0, kind: "stall" });
                    // Who stalls it lets it go on by going away.
                    let _ = until.recv();
                    self.shared.pulse().rest();
                }
                Request::Add(changes) => self.archive.add(self.shared.sequence(), changes),
                Request::Record { entries: more, answers } => {
                    waiting.push((more.len(), answers));
                    entries.extend(more);
                }
            }
            if entries.len() >= BATCH_MAX {
                break;
            }
            next = self.requests.try_recv().ok();
        }
        // Any entry lets the engine see the time; a tick is needed only where there is none.
        if entries.is_empty() && wake.is_some_and(|wake| wake <= self.clock.now()) {
            entries.push(Entry::Told(Command::Tick));
        }
        false
    }

    /// Journals a batch, lets it take effect, answers.
    fn commit(&mut self, entries: &[Entry], waiting: Vec<Waiting>) -> Result<(), String> {
        let (now, begun) = (self.clock.now(), Instant::now());
        self.shared.pulse().begin(Doing::Journaling { entries: entries.len() });
        let rows: Vec<NewEntry> = entries
            .iter()
            .map(|entry| NewEntry { time_ms: now.0, version: ENTRY_VERSION, body: entry.encode() })
            .collect();
        let last = self
            .journal
            .append(&rows)
            .map_err(|error| format!("the journal cannot be written: {error}"))?;
        let first = last + 1 - rows.len() as u64;
        self.shared.meters().synced(begun.elapsed(), now);
        let (begun, mut happened) = (Instant::now(), Vec::new());
        let mut answers = Vec::with_capacity(entries.len());
        let mut recorded = Vec::new();
        let mut rung = std::collections::BTreeSet::new();
        let mut control = self.shared.write();
        for (sequence, entry) in (first..).zip(entries) {
            self.shared.pulse().begin(Doing::Deciding { sequence, kind: entry.kind() });
            let applied = control.apply(now, entry);
            recorded.extend(history::changes(&control, (sequence, now), entry, &applied));
            let counted = |action| metrics::happened(&control, now, action);
            happened.extend(applied.actions.iter().filter_map(counted));
            rung.extend(applied.nodes);
            answers.push(applied.answer);
        }
        if entries.iter().any(Entry::is_configuration) {
            self.shared.meters().learn(control.cluster());
        }
        drop(control);
        let took = begun.elapsed();
        self.shared.advance(last);
        for node in rung {
            self.shared.ring(node);
        }
        let mut answers = answers.into_iter();
        for (count, reply) in waiting {
            // Who asked may have gone away; what they asked for stands.
            let _ = reply.send(answers.by_ref().take(count).collect());
        }
        for event in recorded.iter().filter_map(history::event) {
            self.shared.tell(event);
        }
        self.shared.meters().decided(took, happened);
        self.shared.pulse().begin(Doing::Waiting);
        let recorded = self.archive.record(Recorded { up_to: last, changes: recorded });
        self.shared.pulse().rest();
        recorded
    }

    /// A snapshot at the end makes the next start quick.
    fn last_snapshot(&mut self) -> Result<(), String> {
        self.archive.settle()?;
        let snapshot = archive::snapshot_of(&self.shared, self.clock.now());
        self.journal
            .snapshot_save(&snapshot)
            .map_err(|error| format!("cannot keep a snapshot: {error}"))
    }
}
