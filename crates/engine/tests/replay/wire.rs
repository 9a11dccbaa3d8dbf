//! Commands and actions as they are journaled: each kind reads back as what was written.

use std::collections::BTreeSet;

use muster_engine::action::{Action, JobState, MigPlace, Outcome, SharePlace, TaskPlace};
use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_engine::reason::Movable;
use muster_model::{
    Attempt, Booking, Dependency, DependencyKind, Estimate, Expression, GpuSet, Invalid, Isolation,
    JobId, JobSpec, Mib, MilliGpu, Millis, NodeId, NodeSpec, QueueSpec, Quota, Rung, Time,
};

const NODE: NodeId = NodeId(4);
const JOB: JobId = JobId(17);
const ATTEMPT: Attempt = Attempt(2);

fn rich_spec() -> JobSpec {
    JobSpec::gang("train", 4, 8)
        .models(["H100", "A100"])
        .require("rack")
        .segment(2, "node")
        .only_on(Expression::Not(Box::new(Expression::Has("spot".into()))))
        .array([1, 5, 9])
        .throttle(2)
        .after(JobId(3), DependencyKind::AfterNotOk)
        .singleton()
        .limit(Millis::hours(3))
        .estimate(Millis::hours(1), Millis::hours(2))
        .deadline(Time(99_000))
        .begin(Time(5_000))
        .warning(12, Millis::minutes(2))
        .rung(Rung::Checkpoint, Millis::seconds(10), Millis::seconds(20))
        .weight(-2)
        .booking("cooling")
        .hold()
}

fn commands() -> Vec<Command> {
    let estimate = Estimate { median: Millis(5), p90: Millis(9) };
    let node_spec = NodeSpec::new("n-1", "H100", 8).domains(["r1"]).label("disk", "fast");
    let queue = QueueSpec::new("team/a").limit(Quota::of_gpus(8).model("H100", 4)).weight(3);
    let booking = Booking::new("cooling", Time(9)).until(Time(99)).node("n-1").domain(["r1"]);
    let booking = booking.user("user-a").queue("team/a").requeue_leftovers();
    let running = vec![Running { job: JOB, attempt: ATTEMPT }];
    let refused = |refusal| Command::Refused { node: NODE, job: JOB, attempt: ATTEMPT, refusal };
    let ended = |exit| Command::Ended { node: NODE, job: JOB, attempt: ATTEMPT, exit };
    let mut commands = vec![
        Command::Submit { spec: rich_spec().into() },
        Command::Cancel { job: JOB },
        Command::Hold { job: JOB },
        Command::Release { job: JOB },
        Command::Requeue { job: JOB },
        Command::Amend { job: JOB, spec: rich_spec().into() },
        Command::Estimated { job: JOB, estimate },
        Command::NodeJoined { spec: node_spec, running: running.clone() },
        Command::NodeLost { node: NODE, lease_ends: Time(7) },
        Command::NodesLost { nodes: vec![NODE, NodeId(5)], lease_ends: Time(7) },
        Command::NodeReturned { node: NODE, running },
        Command::NodeDrained { node: NODE },
        Command::NodeResumed { node: NODE },
        Command::GpuUnhealthy { node: NODE, gpu: 3 },
        Command::GpuHealthy { node: NODE, gpu: 3 },
        Command::Started { node: NODE, job: JOB, attempt: ATTEMPT },
        refused(Refusal::Node("disk-full".into())),
        refused(Refusal::Job("no-such-user".into())),
        Command::Resized { node: NODE, job: JOB, attempt: ATTEMPT, resize: 3 },
        Command::Progress { job: JOB, attempt: ATTEMPT, rate: 1200, done_ppm: Some(250_000) },
        Command::QueueSet { queue },
        Command::Saved { job: JOB, attempt: ATTEMPT },
        Command::Idle { job: JOB, attempt: ATTEMPT, is_idle: true },
        Command::Paused { node: NODE, job: JOB, attempt: ATTEMPT, order: 2, rung: Rung::Suspend },
        Command::PauseRefused {
            node: NODE,
            job: JOB,
            attempt: ATTEMPT,
            order: 1,
            rung: Rung::Freeze,
        },
        Command::Resumed { node: NODE, job: JOB, attempt: ATTEMPT, order: 3, rung: Rung::Suspend },
        Command::BookingSet { booking },
        Command::BookingRemoved { name: "cooling".into() },
        Command::Tick,
    ];
    commands.extend([Exit::Code(-1), Exit::Signal(9), Exit::OutOfMemory, Exit::Stopped].map(ended));
    commands
}

fn command_kind(command: &Command) -> &'static str {
    match command {
        Command::Submit { .. } => "submit",
        Command::Cancel { .. } => "cancel",
        Command::Hold { .. } => "hold",
        Command::Release { .. } => "release",
        Command::Requeue { .. } => "requeue",
        Command::Amend { .. } => "amend",
        Command::Estimated { .. } => "estimated",
        Command::NodeJoined { .. } => "node-joined",
        Command::NodeLost { .. } => "node-lost",
        Command::NodesLost { .. } => "nodes-lost",
        Command::NodeReturned { .. } => "node-returned",
        Command::NodeDrained { .. } => "node-drained",
        Command::NodeResumed { .. } => "node-resumed",
        Command::GpuUnhealthy { .. } => "gpu-unhealthy",
        Command::GpuHealthy { .. } => "gpu-healthy",
        Command::Started { .. } => "started",
        Command::Refused { .. } => "refused",
        Command::Ended { .. } => "ended",
        Command::Resized { .. } => "resized",
        Command::Progress { .. } => "progress",
        Command::QueueSet { .. } => "queue-set",
        Command::Saved { .. } => "saved",
        Command::Idle { .. } => "idle",
        Command::Paused { .. } => "paused",
        Command::PauseRefused { .. } => "pause-refused",
        Command::Resumed { .. } => "resumed",
        Command::BookingSet { .. } => "booking-set",
        Command::BookingRemoved { .. } => "booking-removed",
        Command::Tick => "tick",
    }
}

fn actions() -> Vec<Action> {
    let share = SharePlace {
        mode: Isolation::Hard,
        milli: MilliGpu(500),
        memory: Mib::gib(40),
        mig: Some(MigPlace { profile: 3, slices: 3, start: 4, eighths: 4 }),
    };
    let tasks = vec![
        TaskPlace { group: 1, rank: 7, gpus: GpuSet(0b1010), share: None },
        TaskPlace { group: 2, rank: 0, gpus: GpuSet(0b1), share: Some(share) },
    ];
    let error = Invalid::new("groups[0].task.gpus", "65", "expected 0 to 64").meant("6");
    let mut actions = vec![
        Action::Accepted { job: JOB, elements: 3 },
        Action::Rejected { errors: vec![error] },
        Action::Amended { job: JOB, spec: rich_spec().into() },
        Action::NodeAccepted { node: NODE, name: "n-1".into() },
        Action::Launch { node: NODE, job: JOB, attempt: ATTEMPT, tasks: tasks.clone() },
        Action::Resize { node: NODE, job: JOB, attempt: ATTEMPT, resize: 3, tasks },
        Action::Stop { node: NODE, job: JOB, attempt: ATTEMPT, grace: Millis(30_000) },
        Action::Signal { node: NODE, job: JOB, attempt: ATTEMPT, signal: 12 },
        Action::Pause { node: NODE, job: JOB, attempt: ATTEMPT, order: 1, rung: Rung::Freeze },
        Action::Resume { node: NODE, job: JOB, attempt: ATTEMPT, order: 3, rung: Rung::Suspend },
        Action::Previewed {
            job: JOB,
            movable: Movable { jobs: vec![JobId(3)], cost: 360_000, otherwise: Time(7) },
        },
    ];
    let outcomes = [
        Outcome::Completed,
        Outcome::Failed(Exit::Signal(9)),
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::NodeLost,
        Outcome::LaunchFailed,
        Outcome::DependencyFailed,
        Outcome::DeadlineMissed,
    ];
    let mut states = vec![
        JobState::Waiting,
        JobState::Queued,
        JobState::Launching,
        JobState::Running,
        JobState::Pausing,
        JobState::Paused,
        JobState::Resuming,
        JobState::Stopping,
    ];
    states.extend(outcomes.map(JobState::Ended));
    let moved = states.into_iter().map(|state| Action::Moved { job: JOB, attempt: ATTEMPT, state });
    actions.extend(moved);
    actions
}

fn action_kind(action: &Action) -> &'static str {
    match action {
        Action::Accepted { .. } => "accepted",
        Action::Rejected { .. } => "rejected",
        Action::Amended { .. } => "amended",
        Action::NodeAccepted { .. } => "node-accepted",
        Action::Launch { .. } => "launch",
        Action::Stop { .. } => "stop",
        Action::Resize { .. } => "resize",
        Action::Signal { .. } => "signal",
        Action::Pause { .. } => "pause",
        Action::Resume { .. } => "resume",
        Action::Previewed { .. } => "previewed",
        Action::Moved { .. } => "moved",
    }
}

#[test]
fn every_command_reads_back_as_what_was_written() {
    for command in commands() {
        let json = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&json).unwrap(), command, "{json}");
    }
}

#[test]
fn every_action_reads_back_as_what_was_written() {
    for action in actions() {
        let json = serde_json::to_string(&action).unwrap();
        assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action, "{json}");
    }
}

#[test]
fn every_kind_is_written_under_its_own_name() {
    let commands = commands();
    let actions = actions();
    let named = |json: serde_json::Value| match json {
        serde_json::Value::String(name) => name,
        serde_json::Value::Object(map) => map.keys().next().cloned().unwrap_or_default(),
        other => panic!("unexpected form {other}"),
    };
    for command in &commands {
        assert_eq!(named(serde_json::to_value(command).unwrap()), command_kind(command));
    }
    for action in &actions {
        assert_eq!(named(serde_json::to_value(action).unwrap()), action_kind(action));
    }
    let kinds: BTreeSet<&str> = commands.iter().map(command_kind).collect();
    assert_eq!(kinds.len(), 29);
    let kinds: BTreeSet<&str> = actions.iter().map(action_kind).collect();
    assert_eq!(kinds.len(), 12);
}

#[test]
fn the_journal_reads_like_what_happened() {
    let json = |command: &Command| serde_json::to_string(command).unwrap();
    let ended = Command::Ended { node: NODE, job: JOB, attempt: ATTEMPT, exit: Exit::Code(0) };
    assert_eq!(json(&ended), r#"{"ended":{"node":4,"job":17,"attempt":2,"exit":{"code":0}}}"#);
    let lost = Command::NodeLost { node: NODE, lease_ends: Time(7) };
    assert_eq!(json(&lost), r#"{"node-lost":{"node":4,"lease_ends":7}}"#);
    assert_eq!(json(&Command::Tick), r#""tick""#);
    let after = Dependency::on(JOB, DependencyKind::AfterNotOk);
    let json = serde_json::to_string(&after).unwrap();
    assert_eq!(json, r#"{"on":{"job":17,"kind":"after-not-ok"}}"#);
}

#[test]
fn an_unknown_command_is_not_read() {
    for text in [r#""tock""#, r#"{"cancel":{}}"#, r#"{"cancel":{"job":-1}}"#, "17"] {
        assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
    }
}
