//! What is written reads back as what it was.

use std::sync::Arc;

use muster_engine::action::Action;
use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_model::{
    Attempt, Booking, ClusterSpec, DependencyKind, Estimate, Expression, GpuSet, JobId, JobSpec,
    Mib, Millis, Name, NodeId, NodeLinks, NodeSpec, Policy, QueueSpec, Quota, Requeue, TaskCount,
    TaskShape, Time,
};

use super::Writer;
use crate::log::Entry;
use crate::story::START;
use crate::story::act::{Act, Tell};
use crate::story::layout::{Part, parts};

/// The acts of a story that begins with a node `n1` and goes on with a command.
fn written(command: Command) -> Vec<Act> {
    let mut writer = Writer::new("A run", "By chance.", &ClusterSpec::default());
    let spec = NodeSpec::new("n1", "H100", 8);
    let accepted = Action::NodeAccepted { node: NodeId(0), name: spec.name.clone() };
    let joined = Command::NodeJoined { spec, running: Vec::new() };
    writer.add(&Entry { now: START, command: joined, actions: vec![accepted] });
    writer.add(&Entry { now: START + Millis(1500), command, actions: Vec::new() });
    acts(writer.text())
}

fn acts(text: &str) -> Vec<Act> {
    let parts = parts(text).unwrap_or_else(|(line, problem)| {
        panic!("line {line}: {}\n{text}", problem.what);
    });
    let act = |part| match part {
        Part::Step(step) => Some(step.act),
        Part::Prose(_) => None,
    };
    parts.into_iter().filter_map(act).collect()
}

fn read_back(spec: JobSpec) {
    let acts = written(Command::Submit { spec: Arc::new(spec.clone()) });
    let submit = Tell::Submit { spec: Box::new(spec), queue_is_named: true };
    assert_eq!(acts.last(), Some(&Act::Tell(submit)));
}

#[test]
fn submission_with_everything_reads_back() {
    let has = |label: &str| Expression::Has(Name::from(label));
    let either = Expression::Or(vec![has("a"), Expression::And(vec![has("b"), has("c")])]);
    let disk = Expression::Is(Name::from("disk"), vec![Name::from("fast")]);
    let spec = JobSpec::new("play", "user-b", "research")
        .group("learner", TaskCount::exactly(1), TaskShape::gpus(8))
        .models(["H100", "A100"])
        .nvlink()
        .group("actors", TaskCount { min: 2, max: 4 }, TaskShape::gpus(0))
        .cpus(3)
        .memory(Mib(1500))
        .exclusive()
        .team("vision")
        .class("batch")
        .weight(-2)
        .require("rack")
        .segment(2, "rack")
        .spread()
        .apart()
        .only_on(Expression::Not(Box::new(either)))
        .rather_on(disk)
        .rather_not_on(Expression::Node(vec![Name::from("n1"), Name::from("n2")]))
        .array([0, 1, 5])
        .throttle(2)
        .after(JobId(7), DependencyKind::AfterNotOk)
        .singleton()
        .limit(Millis::hours(36))
        .estimate(Millis(90_250), Millis::hours(2))
        .deadline(START + Millis::days(2))
        .begin(START + Millis(1))
        .warning(12, Millis::seconds(90))
        .requeue(Requeue { when_lost: true, when_failed: true, most: 3 })
        .booking("demo")
        .hold();
    read_back(spec);
}

#[test]
fn usual_submission_reads_back() {
    read_back(JobSpec::gang("a", 1, 1));
    read_back(JobSpec::gang("a", 4, 8).models(["H100"]).prefer("node"));
}

#[test]
fn node_with_its_own_wiring_reads_back() {
    let links = NodeLinks {
        nvlink: vec![GpuSet(0b0011), GpuSet(0b1100)],
        pcie: Vec::new(),
        numa: vec![GpuSet(0b1111)],
    };
    let spec = NodeSpec::new("n2", "A100", 4)
        .links(links)
        .cpus(7)
        .memory(Mib::gib(100))
        .domains(["a", "r1"])
        .pool("spot")
        .label("disk", "fast");
    let acts = written(Command::NodeJoined { spec: spec.clone(), running: Vec::new() });
    assert_eq!(acts.last(), Some(&Act::Tell(Tell::Join(vec![spec]))));
}

#[test]
fn every_other_command_reads_back() {
    let (node, job, attempt) = (NodeId(0), JobId(3), Attempt(2));
    let refusal = Refusal::Job(Name::from("no-such-folder"));
    let estimate = Estimate { median: Millis::minutes(9), p90: Millis::hours(1) };
    let commands = [
        Command::Cancel { job },
        Command::Hold { job },
        Command::Release { job },
        Command::Requeue { job },
        Command::Amend { job, spec: JobSpec::gang("train", 2, 4).into() },
        Command::Estimated { job, estimate },
        Command::NodeLost { node, lease_ends: START + Millis::minutes(5) },
        Command::NodesLost { nodes: vec![node], lease_ends: START + Millis::minutes(5) },
        Command::NodeReturned { node, running: vec![Running { job, attempt }] },
        Command::NodeReturned { node, running: Vec::new() },
        Command::NodeDrained { node },
        Command::NodeResumed { node },
        Command::GpuUnhealthy { node, gpu: 3 },
        Command::GpuHealthy { node, gpu: 3 },
        Command::Started { node, job, attempt },
        Command::Refused { node, job, attempt, refusal },
        Command::Ended { node, job, attempt, exit: Exit::Code(-1) },
        Command::Ended { node, job, attempt, exit: Exit::Signal(9) },
        Command::Ended { node, job, attempt, exit: Exit::OutOfMemory },
        Command::Ended { node, job, attempt, exit: Exit::Stopped },
        Command::BookingRemoved { name: Name::from("demo") },
        Command::BookingSet { booking: Booking::new("demo", START).domain([]) },
        Command::Resized { node, job, attempt, resize: 4 },
        Command::Progress { job, attempt, rate: 1200, done_ppm: None },
        Command::Progress { job, attempt, rate: 1200, done_ppm: Some(250_000) },
        Command::Idle { job, attempt, is_idle: true },
        Command::Idle { job, attempt, is_idle: false },
        Command::Tick,
    ];
    let acts: Vec<_> = commands.map(|command| written(command).pop()).into_iter().collect();
    for (index, act) in acts.iter().enumerate() {
        assert!(!acts[..index].contains(act), "two commands read back as {act:?}");
    }
}

#[test]
fn booking_with_everything_reads_back() {
    let booking = Booking::new("demo", START + Millis::hours(1)).node("n1").domain(["z", "r"]);
    let booking = booking.domain([]).until(START + Millis::hours(2)).requeue_leftovers();
    let booking = booking.user("user-a").user("user-b").queue("a/b").queue("c");
    let acts = written(Command::BookingSet { booking: booking.clone() });
    assert_eq!(acts.last(), Some(&Act::Tell(Tell::Booked(Box::new(booking)))));
}

#[test]
fn node_that_joins_again_rejoins() {
    let spec = NodeSpec::new("n1", "H100", 8);
    let acts = written(Command::NodeJoined { spec, running: Vec::new() });
    assert_eq!(acts.last(), Some(&Act::Tell(Tell::Rejoin(Name::from("n1"), Vec::new()))));
}

#[test]
fn time_is_set_without_waking_anyone() {
    let acts = written(Command::Tick);
    assert_eq!(acts[acts.len() - 2], Act::ClockAt(START + Millis(1500)));
}

#[test]
fn time_that_goes_back_is_written_too() {
    let mut writer = Writer::new("A run", "By chance.", &ClusterSpec::default());
    let back = Time(START.0 - 1);
    writer.add(&Entry { now: back, command: Command::Tick, actions: Vec::new() });
    assert!(acts(writer.text()).contains(&Act::ClockAt(back)));
}

#[test]
fn configuration_reads_back() {
    let mut cluster = ClusterSpec::default().levels(["zone", "rack"]).queues([
        QueueSpec::new("a").guarantee(Quota::of_gpus(8).model("H100", 4)),
        QueueSpec::new("a/b").user_limit(Quota::of_gpus(1).memory(Mib::gib(3))).weight(7),
    ]);
    cluster.policy = Policy { stop_grace: Millis::seconds(7), ..Policy::default() };
    let writer = Writer::new("A run", "By chance.", &cluster);
    let acts = acts(writer.text());
    let queues: Vec<_> = acts.iter().filter(|act| matches!(act, Act::Queue(_))).collect();
    assert_eq!(queues[1], &Act::Queue(cluster.queues[1].clone()));
    assert_eq!(acts.len(), 4);
}
