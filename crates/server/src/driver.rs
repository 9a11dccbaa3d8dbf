//! The one thread that changes the cluster: it takes requests in batches, journals each batch,
//! lets it take effect, and only then answers.
//!
//! While a batch is being synced the next one gathers, so the more there is to do, the more
//! entries share one sync.

mod archive;
mod start;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use muster_engine::command::Command;
use muster_model::Time;
use muster_store::{Journal, NewEntry};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::clock::Clock;
use crate::control::Answer;
use crate::entry::{ENTRY_VERSION, Entry};
use crate::history;
use crate::shared::Shared;
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
    Record { entries: Vec<Entry>, answers: oneshot::Sender<Vec<Answer>> },
    Stop,
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
}

/// Entries of one request and where the answers go.
type Waiting = (usize, oneshot::Sender<Vec<Answer>>);

fn spawn(
    journal: Box<dyn Journal>,
    archive: Archive,
    shared: Arc<Shared>,
    clock: Clock,
) -> std::io::Result<(Driver, Running)> {
    let (sender, requests) = sync_channel(WAITING_MAX);
    let driver = Driver { requests: sender.clone(), shared: Arc::clone(&shared), clock };
    let mut work = Loop { journal, archive, shared, clock, requests };
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
            if let Some((snapshot, sequence)) = self.archive.finished() {
                let saved = self.journal.snapshot_save(&snapshot);
                let pruned = saved.and_then(|()| self.journal.prune(sequence));
                pruned.map_err(|error| format!("cannot keep a snapshot: {error}"))?;
            }
            if is_last {
                return self.last_snapshot();
            }
            self.archive.consider(&self.shared, self.clock.now());
        }
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
        let now = self.clock.now();
        let rows: Vec<NewEntry> = entries
            .iter()
            .map(|entry| NewEntry { time_ms: now.0, version: ENTRY_VERSION, body: entry.encode() })
            .collect();
        let last = self
            .journal
            .append(&rows)
            .map_err(|error| format!("the journal cannot be written: {error}"))?;
        let first = last + 1 - rows.len() as u64;
        let mut answers = Vec::with_capacity(entries.len());
        let mut recorded = Vec::new();
        let mut rung = std::collections::BTreeSet::new();
        let mut control = self.shared.write();
        for (sequence, entry) in (first..).zip(entries) {
            let applied = control.apply(now, entry);
            recorded.extend(history::changes(&control, (sequence, now), entry, &applied));
            rung.extend(applied.nodes);
            answers.push(applied.answer);
        }
        drop(control);
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
        self.archive.record(Recorded { up_to: last, changes: recorded })
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
