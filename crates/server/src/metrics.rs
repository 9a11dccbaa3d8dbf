//! What the server counts about itself while it works, for `/metrics`.
//!
//! The driver and the API count here as things happen, without waiting for anyone; what is true at
//! the moment of asking is read from the state by `gather`, and sums of GPU time from the accounts
//! by `tally`. Labels are bounded by `names`: no job, user or node ever becomes one.

mod gather;
mod names;
mod settings;
mod tally;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use muster_engine::action::{Action, JobState};
use muster_engine::snapshot::Then;
use muster_model::{ClusterSpec, Millis, Rung, Time};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use crate::control::Control;
pub(crate) use gather::exposition;
pub(crate) use names::Names;
pub use settings::{MetricsSettings, OpenTo};
pub(crate) use tally::Tally;

/// Bounds of waits in seconds: from a moment to a week.
const WAITS: [f64; 14] = [
    1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0, 14_400.0, 28_800.0, 86_400.0,
    259_200.0, 604_800.0,
];

/// Bounds of passes and syncs in seconds: from what a small cluster takes to a stall.
const PASSES: [f64; 13] =
    [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];

/// What was counted since the server started.
#[derive(Debug)]
pub(crate) struct Meters {
    registry: Registry,
    names: RwLock<Names>,
    waits: Family<Started, Histogram, fn() -> Histogram>,
    preemptions: Family<GaveWay, Counter>,
    passes: Histogram,
    syncs: Histogram,
    reports: Counter,
    announcements: Counter,
    requests: Family<Request, Counter>,
    tellings: Family<Told, Counter>,
    pub(crate) marks: Marks,
}

/// How far the journal, its snapshots and the history have come.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// When the journal was synced last, in milliseconds.
    pub(crate) synced_ms: AtomicU64,
    /// The entry of the last snapshot that was kept, and its time.
    pub(crate) snapshot: AtomicU64,
    pub(crate) snapshot_ms: AtomicU64,
    /// The last entry that the history has.
    pub(crate) history: AtomicU64,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Started {
    class: String,
    team: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct GaveWay {
    rung: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct Request {
    /// The address as the router knows it, without what stands in its places.
    pub(crate) route: String,
    pub(crate) method: &'static str,
    /// The first digit of the answer's status: `2xx`.
    pub(crate) status: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Told {
    result: &'static str,
}

/// Something that a batch did and that is counted after it.
#[derive(Debug)]
pub(crate) enum Happened {
    /// A job has its first place after this wait.
    Started { class: String, team: Option<String>, waited: Millis },
    /// A job has left its place for another.
    GaveWay(Rung),
}

impl Meters {
    /// Before anything is counted.
    pub(crate) fn new(cluster: &ClusterSpec, sequence: u64) -> Meters {
        let (mut registry, mut names) = (Registry::default(), Names::default());
        names.learn(cluster);
        let waits: Family<Started, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(WAITS));
        let meters = Meters {
            names: RwLock::new(names),
            waits,
            preemptions: Family::default(),
            passes: Histogram::new(PASSES),
            syncs: Histogram::new(PASSES),
            reports: Counter::default(),
            announcements: Counter::default(),
            requests: Family::default(),
            tellings: Family::default(),
            marks: Marks { history: AtomicU64::new(sequence), ..Marks::default() },
            registry: Registry::default(),
        };
        for rung in RUNGS {
            meters.preemptions.get_or_create(&GaveWay { rung: word(rung) }).inc_by(0);
        }
        for result in ["told", "failed"] {
            meters.tellings.get_or_create(&Told { result }).inc_by(0);
        }
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("muster_build", "The version that runs", build);
        let help = "Seconds that jobs were ready before they got their first place";
        registry.register("muster_wait_seconds", help, meters.waits.clone());
        let help = "Jobs that left their place for another job, by how";
        registry.register("muster_preemptions", help, meters.preemptions.clone());
        let help = "Seconds in which a batch of entries was decided";
        registry.register("muster_pass_seconds", help, meters.passes.clone());
        let help = "Seconds in which a batch was written to the journal and synced";
        registry.register("muster_journal_sync_seconds", help, meters.syncs.clone());
        let help = "Reports of agents that were taken in";
        registry.register("muster_agent_reports", help, meters.reports.clone());
        let help = "Announcements of nodes that were taken in";
        registry.register("muster_agent_announcements", help, meters.announcements.clone());
        let help = "Requests by route, method and class of status";
        registry.register("muster_http_requests", help, meters.requests.clone());
        let help = "Tries to tell a webhook or a command of an alert, by what came of it";
        registry.register("muster_alert_tellings", help, meters.tellings.clone());
        Meters { registry, ..meters }
    }

    /// The configuration has changed.
    pub(crate) fn learn(&self, cluster: &ClusterSpec) {
        self.names.write().unwrap_or_else(PoisonError::into_inner).learn(cluster);
    }

    /// The names that labels may have.
    pub(crate) fn names(&self) -> Names {
        self.names.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A batch was journaled in this long.
    pub(crate) fn synced(&self, took: Duration, now: Time) {
        self.syncs.observe(took.as_secs_f64());
        self.marks.synced_ms.store(now.0, Ordering::Relaxed);
    }

    /// A batch was decided in this long, and this happened in it.
    pub(crate) fn decided(&self, took: Duration, happened: Vec<Happened>) {
        self.passes.observe(took.as_secs_f64());
        if happened.is_empty() {
            return;
        }
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        for one in happened {
            match one {
                Happened::Started { class, team, waited } => {
                    let team = names.teams.label(team.as_deref().unwrap_or_default());
                    let labels = Started { class: names.classes.label(&class), team };
                    self.waits.get_or_create(&labels).observe(seconds(waited.0));
                }
                Happened::GaveWay(rung) => {
                    self.preemptions.get_or_create(&GaveWay { rung: word(rung) }).inc();
                }
            }
        }
    }

    /// A snapshot is on disk.
    pub(crate) fn saved(&self, sequence: u64, time: Time) {
        self.marks.snapshot.store(sequence, Ordering::Relaxed);
        self.marks.snapshot_ms.store(time.0, Ordering::Relaxed);
    }

    /// The history has everything up to an entry.
    pub(crate) fn recorded(&self, sequence: u64) {
        self.marks.history.store(sequence, Ordering::Relaxed);
    }

    /// An agent has announced its node.
    pub(crate) fn announced(&self) {
        self.announcements.inc();
    }

    /// An agent has reported so many things.
    pub(crate) fn reported(&self, reports: usize) {
        self.reports.inc_by(reports as u64);
    }

    /// A request was answered.
    pub(crate) fn answered(&self, request: &Request) {
        self.requests.get_or_create(request).inc();
    }

    /// A webhook or a command was told of an alert, or could not be.
    pub(crate) fn told(&self, is_told: bool) {
        let result = if is_told { "told" } else { "failed" };
        self.tellings.get_or_create(&Told { result }).inc();
    }

    /// All of it, as text.
    fn write(&self, text: &mut String) -> std::fmt::Result {
        text::encode_registry(text, &self.registry)
    }
}

/// What of an action is counted. The state is as it was after the action.
pub(crate) fn happened(control: &Control, now: Time, action: &Action) -> Option<Happened> {
    let Action::Moved { job, attempt, state } = *action else { return None };
    match state {
        JobState::Launching if attempt.0 == 1 => {
            let spec = control.spec(control.job(job)?);
            let waited = now.since(control.ready_since(job)?);
            let team = spec.team.as_ref().map(ToString::to_string);
            Some(Happened::Started { class: spec.class.to_string(), team, waited })
        }
        JobState::Paused => control.gave_way_by(job).map(Happened::GaveWay),
        JobState::Stopping if control.follows(job) == Some(Then::Again) => {
            control.gave_way_by(job).map(Happened::GaveWay)
        }
        _ => None,
    }
}

const RUNGS: [Rung; 4] = [Rung::Freeze, Rung::Suspend, Rung::Checkpoint, Rung::Requeue];

fn word(rung: Rung) -> &'static str {
    match rung {
        Rung::Freeze => "freeze",
        Rung::Suspend => "suspend",
        Rung::Checkpoint => "checkpoint",
        Rung::Requeue => "requeue",
    }
}

/// Milliseconds in seconds.
#[expect(clippy::cast_precision_loss, reason = "times and GPU time lose nothing that matters")]
fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}
