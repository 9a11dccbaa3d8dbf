//! The engine's answers, in the words people read.

use std::sync::Arc;

use muster_engine::action::{Action, JobState, Outcome, TaskPlace};
use muster_engine::command::{Command, Exit};
use muster_engine::explain::{
    Advice, Alternative, Change, Decision, Lent, NotLarger, OrderTerms, Place, RepairTerms,
    RiskTerms, Size, Why,
};
use muster_engine::reason::Reason;
use muster_model::{
    Attempt, GpuSet, Invalid, JobId, JobSpec, Level, MilliGpu, Millis, Name, NodeId, NodeSpec,
    QueueName, TaskCount, TaskShape, Time,
};

use super::Scene;

const START: Time = Time(5_000_000);

/// A scene with nodes `n1` to `n4`, where job 1 is a learner with actors.
fn scene() -> Scene {
    let mut scene = Scene::new(START);
    for number in 1..=4 {
        let spec = NodeSpec::new(&format!("n{number}"), "H100", 8);
        let accepted = Action::NodeAccepted { node: NodeId(number - 1), name: spec.name.clone() };
        scene.saw(START, &Command::NodeJoined { spec, running: Vec::new() }, &[accepted]);
    }
    let spec = JobSpec::new("play", "user-a", "default")
        .group("learner", TaskCount::exactly(1), TaskShape::gpus(4))
        .group("actors", TaskCount::exactly(2), TaskShape::gpus(1));
    let accepted = Action::Accepted { job: JobId(1), elements: 0 };
    scene.saw(START, &Command::Submit { spec: Arc::new(spec) }, &[accepted]);
    scene
}

fn task(group: u16, gpus: u64) -> TaskPlace {
    TaskPlace { group, rank: 0, gpus: GpuSet(gpus), share: None }
}

fn launch(node: u32, job: u64, attempt: u32, tasks: &[TaskPlace]) -> Action {
    let (node, job, attempt) = (NodeId(node), JobId(job), Attempt(attempt));
    Action::Launch { node, job, attempt, tasks: tasks.to_vec() }
}

fn moved(job: u64, state: JobState) -> Action {
    Action::Moved { job: JobId(job), attempt: Attempt(1), state }
}

#[test]
fn gang_on_several_nodes_is_one_line_and_its_state_goes_without_saying() {
    let tasks = [task(0, 0xff)];
    let actions = [launch(0, 2, 1, &tasks), launch(1, 2, 1, &tasks), moved(2, JobState::Launching)];
    assert_eq!(scene().actions(&actions), ["job 2 launches on n[1-2]: gpus 0-7"]);
}

#[test]
fn state_of_another_attempt_is_said() {
    let actions = [launch(0, 2, 2, &[task(0, 1)]), moved(2, JobState::Launching)];
    let lines = ["job 2 attempt 2 launches on n1: gpu 0", "job 2 is launching"];
    assert_eq!(scene().actions(&actions), lines);
}

#[test]
fn groups_of_a_gang_are_named_with_their_places() {
    let actions = [launch(2, 1, 1, &[task(0, 0xf), task(1, 0x10), task(1, 0x20)])];
    let line = "job 1 launches on n3: learner gpus 0-3; actors 2 tasks, gpus 4-5";
    assert_eq!(scene().actions(&actions), [line]);
}

#[test]
fn tasks_of_several_gpus_and_of_none_are_told_apart() {
    let two = [launch(0, 2, 1, &[task(0, 0b11), task(0, 0b1100)])];
    assert_eq!(scene().actions(&two), ["job 2 launches on n1: 2 tasks, gpus 0-1 and 2-3"]);
    let none = [launch(0, 2, 1, &[task(0, 0), task(0, 0)])];
    assert_eq!(scene().actions(&none), ["job 2 launches on n1: 2 tasks"]);
}

#[test]
fn jobs_that_move_alike_share_a_line() {
    let queued = JobState::Queued;
    let failed = JobState::Ended(Outcome::Failed(Exit::Signal(9)));
    let actions = [moved(4, queued), moved(5, queued), moved(6, queued), moved(9, failed)];
    let lines = ["jobs 4-6 are queued", "job 9 is over: failed, signal KILL"];
    assert_eq!(scene().actions(&actions), lines);
}

#[test]
fn stops_and_signals_name_nodes_and_times() {
    let (job, attempt) = (JobId(2), Attempt(1));
    let grace = Millis::seconds(30);
    let stop = |node| Action::Stop { node: NodeId(node), job, attempt, grace };
    let signal = Action::Signal { node: NodeId(3), job, attempt, signal: 10 };
    let lines = ["job 2 is told to stop on n[1-2] within 30s", "job 2 is sent USR1 on n4"];
    assert_eq!(scene().actions(&[stop(0), stop(1), signal]), lines);
}

#[test]
fn resizes_name_what_each_node_shall_have() {
    let (job, attempt) = (JobId(2), Attempt(1));
    let resize = |node, tasks: &[TaskPlace]| {
        let (node, tasks) = (NodeId(node), tasks.to_vec());
        Action::Resize { node, job, attempt, resize: 3, tasks }
    };
    let pair = [task(0, 0b1), task(0, 0b10)];
    let actions = [resize(0, &pair), resize(1, &pair), resize(2, &[]), resize(3, &[])];
    let lines = ["job 2 is to have 2 tasks, gpus 0-1 on n[1-2]", "job 2 is to leave n[3-4]"];
    assert_eq!(scene().actions(&actions), lines);
}

#[test]
fn why_of_an_elastic_job_names_its_size_and_what_keeps_it_small() {
    let later = START + Millis::minutes(10);
    let rows = [
        (NotLarger::AtMost, "all it can use"),
        (NotLarger::Changing { to: 6 }, "on its way to 6"),
        (NotLarger::Ending, "and about to end"),
        (
            NotLarger::Changed { until: later },
            "no more before +0h10m, for its size has just changed",
        ),
        (NotLarger::Off, "no more, for nothing grows under this policy"),
        (NotLarger::ManyWait, "no more, for many wait"),
        (NotLarger::Wanted { by: JobId(7) }, "no more, for job 7 waits"),
        (NotLarger::NotWorthIt, "no more, for that would not be worth a resize"),
        (NotLarger::NoRoom, "no more, for there is no room where it is"),
        (
            NotLarger::Limit { queue: QueueName::from("a/b") },
            "no more, for queue a/b is at its limit",
        ),
        (NotLarger::Next, "more in the next step"),
    ];
    for (not_larger, words) in rows {
        let why = running(Size { tasks: 4, fewest: 2, most: 8, lent: None, not_larger });
        let size = format!("has 4 of 2 to 8 tasks: {words}");
        assert_eq!(scene().why(&why), ["job 2 is running".to_owned(), size]);
    }
}

/// What is said of a running job of this size.
fn running(size: Size) -> Why {
    Why {
        job: JobId(2),
        state: JobState::Running,
        reasons: Vec::new(),
        estimated_start: None,
        latest_start: None,
        alternatives: Vec::new(),
        size: Some(size),
    }
}

#[test]
fn why_of_an_elastic_job_names_whose_nodes_it_was_lent_and_until_when() {
    let rows = [(vec![Name::from("r7")], "r7"), (Vec::new(), "nodes")];
    for (domain, place) in rows {
        let lent = Lent { tasks: 2, domain, by: JobId(81), until: Time(3_600_000) };
        let not_larger = NotLarger::AtMost;
        let why = running(Size { tasks: 4, fewest: 2, most: 4, lent: Some(lent), not_larger });
        let moment = scene().moment(Time(3_600_000));
        let lent = format!("2 of them on {place} until {moment}, lent from job 81");
        let size = format!("has 4 of 2 to 4 tasks, {lent}: all it can use");
        assert_eq!(scene().why(&why), ["job 2 is running".to_owned(), size]);
    }
}

#[test]
fn rejection_shows_every_error_and_its_hint() {
    let errors = vec![
        Invalid::new("class", "`standart`", "expected one of a, b").meant("standard"),
        Invalid::new("weight", "9", "expected -2 to 2"),
    ];
    let lines = [
        "not accepted: class: `standart` is not allowed; expected one of a, b",
        "hint: did you mean standard?",
        "not accepted: weight: 9 is not allowed; expected -2 to 2",
    ];
    assert_eq!(scene().actions(&[Action::Rejected { errors }]), lines);
}

#[test]
fn why_names_reasons_times_and_what_would_help() {
    let later = START + Millis::hours(2);
    let change = |change, starts| Alternative { change, starts };
    let why = Why {
        job: JobId(2),
        state: JobState::Queued,
        reasons: vec![Reason::BeginTime { at: later }, Reason::Gpus { wanted: 16, free: 15 }],
        estimated_start: Some(later),
        latest_start: Some(START + Millis::days(1)),
        alternatives: vec![
            change(Change::Smaller { tasks: 1, gpus: 8 }, START),
            change(Change::Smaller { tasks: 2, gpus: 0 }, START),
            change(Change::Share(MilliGpu(250)), START),
            change(Change::Model(Name::from("A100")), START),
            change(Change::WithoutLevel(Level::Named(Name::from("rack"))), START),
            change(Change::WithoutConstraint, START),
            change(Change::MoreQuota { queue: QueueName::from("a/b"), gpus: 4000 }, START),
            change(Change::WhenEnds(JobId(1)), later),
        ],
        size: None,
    };
    let lines = [
        "job 2 is queued",
        "because: may not start before +2h00m",
        "because: needs 16 GPUs; 15 are free",
        "probably starts at +2h00m",
        "starts at +1d00h00m at the latest",
        "would start now with 1 task, 8 GPUs in all",
        "would start now with 2 tasks",
        "would start now with 0.25 of a GPU for each task",
        "would start now on A100",
        "would start now without one rack for all",
        "would start now on any nodes",
        "would start now with 4 GPUs more for queue a/b",
        "would start at +2h00m when job 1 ends",
    ];
    assert_eq!(scene().why(&why), lines);
}

#[test]
fn decision_names_the_place_the_next_best_and_the_standing() {
    let place = |domain: &[&str], nodes: &[u32], left| Place {
        domain: domain.iter().map(|name| Name::from(*name)).collect(),
        nodes: nodes.iter().map(|&node| NodeId(node)).collect(),
        left,
    };
    let order = OrderTerms {
        floor: false,
        guaranteed: true,
        class: 500,
        rank: 21_824,
        weight: 1000,
        fair_share: -500,
        urgency: 0,
        key: 21_324,
    };
    let decision = Decision {
        job: JobId(2),
        attempt: Attempt(1),
        at: START,
        order,
        chosen: place(&["r1", "n1"], &[0], 0),
        runner_up: Some(place(&["r2"], &[], 1)),
        repair: None,
        risk: None,
        moved: None,
        advice: None,
    };
    let lines = [
        "attempt 1 of job 2 was placed at +0h00m",
        "got r1/n1, with room for 0 more tasks",
        "next best: r2, with room for 1 more task",
        "standing: within its queue's guarantee, class 500, key 21.324",
        "key: rank 21.824 - weight 1 - fair share -0.5 - urgency 0",
    ];
    assert_eq!(scene().decision(&decision), lines);
    let after_failures = Decision {
        repair: Some(RepairTerms { stayed: 6, moved: 2, lost: vec![NodeId(1)] }),
        risk: Some(RiskTerms { avoided: vec![NodeId(0)], used: vec![NodeId(1)] }),
        moved: None,
        advice: Some(Advice {
            mttf: Millis::minutes(200),
            save_every: Some(Millis(472_440)),
            spares: Some(3),
        }),
        ..decision
    };
    let lines = [
        "standing: ahead of the queue after the loss of a node, class 500, key 21.324",
        "key: rank 21.824 - weight 1 - fair share -0.5 - urgency 0",
        "repaired after losing n2: 6 stayed, 2 moved",
        "kept off nodes that fail often: n1",
        "had to use nodes that fail often: n2",
        "a node of it fails about every 3h20m",
        "save about every 7m52s",
        "3 spare nodes would do in 99 of 100 cases",
    ];
    assert_eq!(scene().decision(&after_failures)[3..], lines);
}

#[test]
fn node_that_is_unknown_is_shown_by_its_number() {
    let actions = [launch(77, 2, 1, &[task(0, 1)])];
    assert_eq!(scene().actions(&actions), ["job 2 launches on #77: gpu 0"]);
}
