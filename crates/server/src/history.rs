//! What the history is told of an entry: rows of jobs, attempts and places, and events in words.

mod asked;
mod ledger;

use std::collections::{BTreeMap, BTreeSet};

use muster_api::moment::Moment;
use muster_api::view::{EventView, JobState, JobView, Outcome};
use muster_engine::action::{Action, TaskPlace};
use muster_engine::command::{Command, Refusal};
use muster_model::count::several;
use muster_model::{JobId, NodeId, Team, Time};
use muster_store::history::{
    AttemptRow, Change, EventPosition, EventRow, JobRow, NodeRow, PlacementRow, StepRow,
};
use serde::de::DeserializeOwned;

use crate::control::{Answer, Applied, Control, Job};
use crate::entry::Entry;
use crate::idle;

pub(crate) use ledger::standing;

/// Events of one entry that can be told apart in one number.
const PARTS: u64 = 1 << 16;

/// The changes that follow from an entry which has just been applied.
pub fn changes(
    control: &Control,
    (sequence, now): (u64, Time),
    entry: &Entry,
    applied: &Applied,
) -> Vec<Change> {
    let (changes, views) = (Vec::new(), BTreeMap::new());
    let shaken = &applied.books.shaken;
    let mut telling = Telling { control, sequence, now, entry, shaken, changes, part: 0, views };
    telling.entry(entry, applied);
    let mut touched = BTreeSet::new();
    for action in &applied.actions {
        match action {
            Action::Accepted { job, elements } => {
                telling.accepted(entry, *job);
                touched.extend((job.0..=job.0 + u64::from(*elements)).map(JobId));
            }
            Action::Moved { job, attempt, state } => {
                touched.insert(*job);
                telling.moved(*job, action);
                telling.doomed(action);
                telling.overhead(*job, *attempt, *state);
            }
            Action::Launch { node, job, tasks, .. } | Action::Resize { node, job, tasks, .. } => {
                telling.placed(*node, *job, tasks);
            }
            _ => {}
        }
    }
    for job in touched {
        telling.job(job);
    }
    telling.books(applied);
    for (job, step) in &applied.steps {
        telling.step(*job, *step);
    }
    telling.changes
}

/// The event that a change is, as people see it.
pub(crate) fn event(change: &Change) -> Option<EventView> {
    let Change::Event(row) = change else { return None };
    Some(event_view(row))
}

/// An event of the history as people see it.
pub(crate) fn event_view(row: &EventRow) -> EventView {
    EventView {
        id: row.at.sequence * PARTS + row.at.part.min(PARTS - 1),
        at: Moment(Time(row.time_ms)),
        kind: row.kind.clone(),
        job: row.job_id,
        node: row.node.clone(),
        text: row.text.clone(),
    }
}

/// The place among all events that a number stands for.
pub(crate) fn event_position(id: u64) -> EventPosition {
    EventPosition { sequence: id / PARTS, part: id % PARTS }
}

/// How a job of the history ended.
pub(crate) fn outcome(row: &JobRow) -> Option<Outcome> {
    named(row.outcome.as_deref()?)
}

/// What a word of the history stands for.
fn named<T: DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}

/// A job of the history as people see it.
pub(crate) fn job_view(row: &JobRow) -> JobView {
    JobView {
        id: row.id,
        name: row.name.clone(),
        user: row.user.clone(),
        team: Some(row.team.clone()).filter(|team| !team.is_empty()),
        queue: row.queue.clone(),
        class: row.class.clone(),
        state: named(&row.state).unwrap_or(JobState::Ended),
        outcome: outcome(row),
        exit_code: row.exit.and_then(|code| i32::try_from(code).ok()),
        exit_signal: row.exit_signal.as_deref().map(str::to_owned),
        cancelled_by: row.cancelled_by.as_deref().map(str::to_owned),
        reason: None,
        array: row.array_id,
        index: row.array_index.and_then(|index| u32::try_from(index).ok()),
        tasks: u32::try_from(row.tasks).unwrap_or(u32::MAX),
        gpus_milli: row.gpus,
        models: Vec::new(),
        attempt: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        nodes: Vec::new(),
        submitted: Moment(Time(row.submitted_ms)),
        started: row.started_ms.map(|time| Moment(Time(time))),
        ended: row.ended_ms.map(|time| Moment(Time(time))),
    }
}

/// Rows being put together for one entry.
struct Telling<'a> {
    control: &'a Control,
    sequence: u64,
    now: Time,
    entry: &'a Entry,
    /// Jobs that had something on a node which has just come, gone or changed.
    shaken: &'a BTreeSet<JobId>,
    changes: Vec<Change>,
    part: u64,
    /// Jobs that have moved: made once for the event and the row, for it is dear.
    views: BTreeMap<JobId, JobView>,
}

impl Telling<'_> {
    fn event(&mut self, kind: &str, job: Option<JobId>, node: Option<String>, text: String) {
        let at = EventPosition { sequence: self.sequence, part: self.part };
        self.part += 1;
        let (kind, job_id) = (kind.to_owned(), job.map(|job| job.0));
        let row = EventRow { at, time_ms: self.now.0, kind, job_id, node, text };
        self.changes.push(Change::Event(row));
    }

    /// What the entry itself says, where that is more than its consequences.
    fn entry(&mut self, entry: &Entry, applied: &Applied) {
        match entry {
            Entry::Told(Command::Idle { job, is_idle, .. }) => {
                let rule = self.control.idle_rule(*job);
                let text = match rule.filter(|_| *is_idle) {
                    Some(rule) => idle::told(*job, rule),
                    None => "its GPUs compute again".to_owned(),
                };
                self.event(if *is_idle { "idle" } else { "busy" }, Some(*job), None, text);
            }
            Entry::Configured { by, .. } => {
                self.event("configured", None, None, format!("configured by {by}"));
            }
            Entry::Announced { spec, running, .. } => {
                let name = spec.name.to_string();
                let accepted = applied
                    .actions
                    .iter()
                    .any(|action| matches!(action, Action::NodeAccepted { .. }));
                if !accepted {
                    return self.event(
                        "node-refused",
                        None,
                        Some(name.clone()),
                        format!("node {name} was refused"),
                    );
                }
                let model = spec.gpu_model.as_ref().map(ToString::to_string).unwrap_or_default();
                self.changes.push(Change::Node(NodeRow {
                    name: name.clone(),
                    model: model.clone(),
                    gpus: u64::from(spec.gpus),
                    state: "up".to_owned(),
                    first_joined_ms: self.now.0,
                    last_joined_ms: self.now.0,
                    last_lost_ms: None,
                }));
                let text = format!(
                    "node {name} joined with {} {model}, {} of its jobs running",
                    several(spec.gpus, "GPU"),
                    running.len()
                );
                self.event("node-joined", None, Some(name), text);
            }
            Entry::Told(command) => {
                self.saved(command);
                self.command(command, "");
            }
            Entry::Explained { command: Command::Amend { job, .. }, detail } => {
                if applied.answer == Answer::Done {
                    self.amended(*job, detail);
                }
            }
            Entry::Explained { command, detail } => self.command(command, detail),
            Entry::Forgotten { node, by } => {
                if applied.answer == Answer::Done {
                    self.node("node-forgotten", *node, &format!("was forgotten by {by}"));
                }
            }
            Entry::Submitted { .. } | Entry::Inside(_) => {}
        }
    }

    /// What a command says by itself.
    fn command(&mut self, command: &Command, detail: &str) {
        match command {
            Command::NodeLost { node, lease_ends } => {
                self.lost(&[*node], *lease_ends);
            }
            Command::NodesLost { nodes, lease_ends } => self.lost(nodes, *lease_ends),
            Command::NodeDrained { node } => {
                self.node("node-drained", *node, "takes no new work");
            }
            Command::NodeResumed { node } => {
                self.node("node-resumed", *node, "takes work again");
            }
            Command::GpuUnhealthy { node, gpu } => {
                self.node("gpu-unhealthy", *node, &format!("reports errors of GPU {gpu}"));
            }
            Command::GpuHealthy { node, gpu } => {
                self.node("gpu-healthy", *node, &format!("says that GPU {gpu} is well again"));
            }
            Command::Refused { node, job, refusal, .. } => {
                let name = self.control.node_name(*node).to_string();
                let text =
                    format!("node {name} did not launch job {job}: {}", said(refusal, detail));
                self.event("launch-refused", Some(*job), Some(name), text);
            }
            _ => {}
        }
    }

    fn node(&mut self, kind: &str, node: NodeId, what: &str) {
        let name = self.control.node_name(node).to_string();
        self.event(kind, None, Some(name.clone()), format!("node {name} {what}"));
    }

    fn lost(&mut self, nodes: &[NodeId], lease_ends: Time) {
        for node in nodes {
            let what = format!(
                "cannot be seen; what runs there is taken to run until {}",
                Moment(lease_ends)
            );
            self.node("node-lost", *node, &what);
        }
    }

    fn moved(&mut self, job: JobId, action: &Action) {
        let Action::Moved { state, attempt, .. } = action else { return };
        let Some(known) = self.control.job(job) else { return };
        let mut view = self.view(known);
        view.set_state(*state);
        let (kind, text) = match view.state {
            JobState::Ended => {
                let outcome = view.outcome.map(|outcome| outcome.to_string()).unwrap_or_default();
                let code = view.exit_code.filter(|code| *code != 0);
                let exit = code.map(|code| format!(" with exit code {code}"));
                let by = view.exit_signal.as_ref().map(|signal| format!(" by {signal}"));
                let how = exit.or(by).unwrap_or_default();
                (format!("job-{outcome}"), format!("job {job} {outcome}{how}"))
            }
            JobState::Launching => {
                let nodes = view.nodes.join(", ");
                ("job-launching".to_owned(), format!("job {job} launches on {nodes}"))
            }
            state if attempt.0 > 1 => {
                (format!("job-{state}"), format!("job {job} is {state} (attempt {attempt})"))
            }
            state => (format!("job-{state}"), format!("job {job} is {state}")),
        };
        self.event(&kind, Some(job), None, text);
        if known.attempt == *attempt {
            self.attempt(known, &view);
        }
        self.views.insert(job, view);
    }

    fn view(&mut self, job: &Job) -> JobView {
        self.views.remove(&job.id).unwrap_or_else(|| self.control.job_view(job))
    }

    fn attempt(&mut self, job: &Job, view: &JobView) {
        let Some(launched) = job.launched.filter(|_| job.attempt.0 > 0) else { return };
        let is_over = !view.state.is_active();
        let gave_way = is_over.then(|| self.control.gave_way(self.now, job.id)).flatten();
        let again = if gave_way.is_some() { "preempted" } else { "again" };
        let outcome =
            is_over.then(|| view.outcome.map_or(again.to_owned(), |outcome| outcome.to_string()));
        self.changes.push(Change::Attempt(AttemptRow {
            job_id: job.id.0,
            attempt: u64::from(job.attempt.0),
            launched_ms: launched.0,
            started_ms: job.started.map(|time| time.0),
            ended_ms: is_over.then_some(self.now.0),
            outcome,
            nodes: job.places.len() as u64,
            gpus: view.gpus_milli,
            note: gave_way.filter(|_| view.outcome.is_none()),
            lost: is_over.then(|| self.cause(job.id, view.outcome)).flatten(),
            saved_ms: None,
        }));
    }

    fn placed(&mut self, node: NodeId, job: JobId, tasks: &[TaskPlace]) {
        let Some(known) = self.control.job(job) else { return };
        let name = self.control.node_name(node).to_string();
        for task in tasks {
            let gpus: Vec<String> = task.gpus.iter().map(|gpu| gpu.to_string()).collect();
            self.changes.push(Change::Placement(PlacementRow {
                job_id: job.0,
                attempt: u64::from(known.attempt.0),
                node: name.clone(),
                group_index: u64::from(task.group),
                rank: u64::from(task.rank),
                gpus: gpus.join(","),
                share_milli: task.share.map(|share| share.milli.0),
            }));
        }
    }

    fn step(&mut self, job: JobId, step: u32) {
        let Some(view) = self.control.step_view(job, step) else { return };
        self.changes.push(Change::Step(StepRow {
            job_id: job.0,
            attempt: u64::from(view.attempt),
            step: u64::from(step),
            name: view.name.clone(),
            started_ms: view.started.map(|time| time.0.0),
            ended_ms: view.ended.map(|time| time.0.0),
            view: serde_json::to_string(&view).unwrap_or_default(),
        }));
    }

    /// The team a job is accounted to: the one it names, or the only one its user is in.
    fn team(&self, named: Option<String>, user: &str) -> String {
        let is_member = |team: &&Team| team.members.iter().any(|member| member.as_str() == user);
        let mut teams = self.control.cluster().teams.iter().filter(is_member);
        let only = teams.next().filter(|_| teams.next().is_none());
        named.or_else(|| only.map(|team| team.name.to_string())).unwrap_or_default()
    }

    fn job(&mut self, id: JobId) {
        let Some(job) = self.control.job(id) else { return };
        let mut view = self.view(job);
        view.set_state(job.state);
        let team = self.team(view.team.take(), &view.user);
        self.changes.push(Change::Job(JobRow {
            id: id.0,
            array_id: view.array,
            array_index: view.index.map(u64::from),
            name: view.name,
            user: view.user,
            team,
            queue: view.queue,
            class: view.class,
            tasks: u64::from(view.tasks),
            gpus: view.gpus_milli,
            state: view.state.to_string(),
            outcome: view.outcome.map(|outcome| outcome.to_string()),
            exit: view.exit_code.map(i64::from),
            submitted_ms: job.submitted.0,
            started_ms: job.started.map(|time| time.0),
            ended_ms: job.ended.map(|time| time.0),
            attempts: u64::from(job.attempt.0),
            exit_signal: view.exit_signal.map(Into::into),
            cancelled_by: view.cancelled_by.map(Into::into),
        }));
    }
}

/// Why a node did not launch: the whole story where there is one, else its one word.
fn said(refusal: &Refusal, detail: &str) -> String {
    let (Refusal::Node(word) | Refusal::Job(word)) = refusal;
    if detail.is_empty() { word.to_string() } else { detail.to_owned() }
}
