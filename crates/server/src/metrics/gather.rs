//! What is true at the moment of asking: read from the state in parts, so that decisions are made
//! in between, and written as text in the format of OpenMetrics.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use muster_api::view::{JobState, QueueView};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::names::{Names, Words};
use super::seconds;
use super::tally::Sums;
use crate::control::Census;
use crate::http::App;

/// Nodes counted while the state is held.
const NODES_AT_ONCE: usize = 512;

/// States of jobs that are counted, each for every queue.
const STATES: [JobState; 8] = [
    JobState::Waiting,
    JobState::Queued,
    JobState::Launching,
    JobState::Running,
    JobState::Pausing,
    JobState::Paused,
    JobState::Resuming,
    JobState::Stopping,
];

/// States of nodes: one each.
const NODES: [&str; 5] = ["up", "drained", "unhealthy", "unknown", "gone"];

type Number = Gauge<f64, AtomicU64>;
type Sum = Counter<f64, AtomicU64>;

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct QueueState {
    queue: String,
    state: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct QueuePart {
    queue: String,
    part: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ModelPart {
    model: String,
    part: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Model {
    model: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct State {
    state: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Level {
    level: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Stage {
    stage: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Cause {
    cause: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Kind {
    kind: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct TeamStage {
    team: String,
    stage: &'static str,
}

/// Everything there is to tell, as text.
pub(crate) async fn exposition(app: &Arc<App>) -> Result<String, std::fmt::Error> {
    let sums = app.tally.sums(app).await;
    let mut sheet = Sheet { registry: Registry::default() };
    let names = app.driver.shared().meters().names();
    state(&mut sheet, app, &names);
    links(&mut sheet, app);
    disk(&mut sheet, app);
    time(&mut sheet, &sums);
    let mut text = String::new();
    app.driver.shared().meters().write(&mut text)?;
    text::encode_registry(&mut text, &sheet.registry)?;
    text::encode_eof(&mut text)?;
    Ok(text)
}

/// Figures that are made for one answer.
struct Sheet {
    registry: Registry,
}

impl Sheet {
    fn gauge(&mut self, name: &str, help: &str, value: f64) {
        let gauge = Number::default();
        gauge.set(value);
        self.registry.register(name, help, gauge);
    }

    fn counter(&mut self, name: &str, help: &str, value: f64) {
        let counter = Sum::default();
        counter.inc_by(value);
        self.registry.register(name, help, counter);
    }

    fn gauges<L>(&mut self, name: &str, help: &str) -> Family<L, Number>
    where
        L: Clone + std::fmt::Debug + std::hash::Hash + Eq + EncodeLabelSet + Send + Sync + 'static,
    {
        let family = Family::default();
        self.registry.register(name, help, family.clone());
        family
    }

    fn counters<L>(&mut self, name: &str, help: &str) -> Family<L, Sum>
    where
        L: Clone + std::fmt::Debug + std::hash::Hash + Eq + EncodeLabelSet + Send + Sync + 'static,
    {
        let family = Family::default();
        self.registry.register(name, help, family.clone());
        family
    }
}

/// Jobs, queues, nodes, GPUs and gaps.
fn state(sheet: &mut Sheet, app: &App, names: &Names) {
    let shared = app.driver.shared();
    let mut census = Census::default();
    let (ids, queues, largest) = {
        let control = shared.read();
        control.count_jobs(&mut census);
        (control.node_ids(), control.queue_books(), control.largest_gangs())
    };
    for some in ids.chunks(NODES_AT_ONCE) {
        let control = shared.read();
        let when = (app.driver.now(), app.gone_ms);
        some.iter().for_each(|node| control.count_node(*node, when, &mut census));
    }
    jobs(sheet, &census, names);
    books(sheet, &queues, &names.queues);
    nodes(sheet, &census, &names.models);
    let help = "GPUs of the largest gang that could start now within one domain of a level";
    let family = sheet.gauges::<Level>("muster_largest_gang_gpus", help);
    for gang in largest {
        let level = names.levels.label(&gang.level);
        let gauge = family.get_or_create(&Level { level });
        gauge.set(gauge.get().max(count(gang.gpus)));
    }
    let help = "Built-in alerts that fire";
    let family = sheet.gauges::<Kind>("muster_alerts", help);
    for (kind, alerts) in app.alerts.firing() {
        family.get_or_create(&Kind { kind: kind.word() }).set(count(alerts));
    }
    let stalled = shared.pulse().stalled(app.stall).is_some();
    let help = "Whether a pass of the driver takes longer than `stall` allows";
    sheet.gauge("muster_stalled", help, f64::from(u8::from(stalled)));
}

fn jobs(sheet: &mut Sheet, census: &Census, names: &Names) {
    let family = sheet.gauges::<QueueState>("muster_jobs", "Jobs that are not over");
    for queue in names.queues.all() {
        for state in STATES {
            let labels = QueueState { queue: queue.clone(), state: state.to_string() };
            family.get_or_create(&labels).set(0.0);
        }
    }
    for ((queue, state), jobs) in &census.jobs {
        let labels = QueueState { queue: names.queues.label(queue), state: state.to_string() };
        family.get_or_create(&labels).inc_by(count(*jobs));
    }
    let help = "Jobs that have ended since the cluster began";
    sheet.counter("muster_jobs_ended", help, count(census.ended));
}

fn books(sheet: &mut Sheet, queues: &[QueueView], words: &Words) {
    let help = "GPUs that a queue uses, is guaranteed, borrows from others and lends to them";
    let family = sheet.gauges::<QueuePart>("muster_queue_gpus", help);
    for queue in queues {
        let parts = [
            ("used", queue.used_milli),
            ("guaranteed", queue.guarantee_milli.unwrap_or(0)),
            ("borrowed", queue.borrowed_milli),
            ("lent", queue.lent_milli),
        ];
        for (part, milli) in parts {
            let labels = QueuePart { queue: words.label(&queue.name), part };
            family.get_or_create(&labels).inc_by(seconds(milli));
        }
    }
}

fn nodes(sheet: &mut Sheet, census: &Census, models: &Words) {
    let family = sheet.gauges::<State>("muster_nodes", "Nodes by how they are");
    for state in NODES {
        let nodes = census.nodes.get(state).copied().unwrap_or(0);
        family.get_or_create(&State { state }).set(count(nodes));
    }
    let help = "GPUs that there are, that can be used, and that jobs hold";
    let family = sheet.gauges::<ModelPart>("muster_gpus", help);
    let ill = sheet.gauges::<Model>("muster_gpus_unhealthy", "GPUs that report errors");
    for (model, gpus) in &census.gpus {
        let model = models.label(model);
        let usable = (gpus.paid * 1000).saturating_sub(gpus.unusable_milli);
        let parts =
            [("paid", gpus.paid * 1000), ("usable", usable), ("allocated", gpus.allocated_milli)];
        for (part, milli) in parts {
            let labels = ModelPart { model: model.clone(), part };
            family.get_or_create(&labels).inc_by(seconds(milli));
        }
        ill.get_or_create(&Model { model }).inc_by(count(gpus.unhealthy));
    }
}

/// Agents and their leases.
fn links(sheet: &mut Sheet, app: &App) {
    let counts = app.links.counts(app.driver.now());
    let help = "Agents by whether they are heard, silent, or awaited since the start";
    let family = sheet.gauges::<State>("muster_agents", help);
    let states =
        [("connected", counts.connected), ("silent", counts.silent), ("awaited", counts.awaited)];
    for (state, agents) in states {
        family.get_or_create(&State { state }).set(count(agents));
    }
    let help = "Leases under which tasks may run, those of silent nodes included";
    sheet.gauge("muster_leases", help, count(counts.leases));
}

/// The journal, its snapshots and the history.
fn disk(sheet: &mut Sheet, app: &App) {
    let shared = app.driver.shared();
    let (sequence, marks) = (shared.sequence(), &shared.meters().marks);
    let [synced_ms, snapshot, snapshot_ms, history] =
        [&marks.synced_ms, &marks.snapshot, &marks.snapshot_ms, &marks.history]
            .map(|mark| mark.load(Ordering::Relaxed));
    let help = "Entries of the journal since the cluster began";
    sheet.counter("muster_journal_entries", help, count(sequence));
    let help = "When the journal was synced last; 0 if it was not since the start";
    sheet.gauge("muster_journal_last_sync_timestamp_seconds", help, seconds(synced_ms));
    let help = "Bytes of the journal on disk, its log included";
    sheet.gauge("muster_journal_size_bytes", help, size(&app.data, "journal.db"));
    let help = "When the last snapshot was made; 0 if there is none";
    sheet.gauge("muster_snapshot_timestamp_seconds", help, seconds(snapshot_ms));
    let help = "Entries since the last snapshot, which a start has to replay";
    sheet.gauge("muster_snapshot_lag_entries", help, count(sequence.saturating_sub(snapshot)));
    let help = "Entries that the history does not have yet";
    sheet.gauge("muster_history_lag_entries", help, count(sequence.saturating_sub(history)));
    let help = "Bytes of the history on disk, its log included";
    sheet.gauge("muster_history_size_bytes", help, size(&app.data, "history.db"));
}

/// Sums of GPU time.
fn time(sheet: &mut Sheet, sums: &Sums) {
    let help = "Seconds of GPUs since the server started, by stage of the funnel";
    let family = sheet.counters::<Stage>("muster_gpu_seconds", help);
    for (stage, gpu_ms) in &sums.stages {
        family.get_or_create(&Stage { stage }).inc_by(seconds(*gpu_ms));
    }
    let help = "Seconds of computing GPUs whose work is lost, by cause";
    let family = sheet.counters::<Cause>("muster_lost_gpu_seconds", help);
    for (cause, gpu_ms) in &sums.lost {
        family.get_or_create(&Cause { cause }).inc_by(seconds(*gpu_ms));
    }
    let help = "Seconds of GPUs since the server started, by team and stage of the funnel";
    let family = sheet.counters::<TeamStage>("muster_team_gpu_seconds", help);
    for ((team, stage), gpu_ms) in &sums.teams {
        let labels = TeamStage { team: team.clone(), stage };
        family.get_or_create(&labels).inc_by(seconds(*gpu_ms));
    }
    let help = "When the sums of GPU time were made";
    sheet.gauge("muster_usage_timestamp_seconds", help, seconds(sums.asked_ms));
}

/// Bytes of a database with its log; what cannot be looked at counts as nothing.
fn size(folder: &Path, file: &str) -> f64 {
    let names = [file.to_owned(), format!("{file}-wal")];
    let bytes = names.map(|name| std::fs::metadata(folder.join(name)).map_or(0, |it| it.len()));
    count(bytes.iter().sum())
}

/// A number as the format has them.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn count(number: u64) -> f64 {
    number as f64
}
