//! A gang that loses a node gets its old place back before anyone takes it.

use muster_checker::Promise::{Repair, Tier};
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Exit};
use muster_engine::explain::{OrderTerms, RepairTerms};
use muster_engine::snapshot::{ClaimRecord, DecisionRecord, NodeReport, PlaceRecord, Sight};
use muster_model::{Attempt, JobId, JobSpec, Name, NodeId};

use crate::act::{ALL, job, moved, node, stop};
use crate::stage::{Stage, Verdict, broken, kept};

/// A gang on the first two of four nodes, another job waiting; the gang has lost its first node
/// and its second is about to end it. Of the last two nodes only the first few are usable. The
/// engine was looked at before that.
fn losing(lost: JobSpec, other: JobSpec, usable: usize) -> (Stage, [NodeId; 4], JobId, JobId) {
    let mut stage = Stage::new();
    let nodes = ["n0", "n1", "n2", "n3"].map(|name| stage.join(node(name, "z", "r")));
    let gang = stage.submit(lost);
    stage.run(gang, &[(nodes[0], &[(0, ALL)]), (nodes[1], &[(1, ALL)])]);
    let lost = Command::NodesLost { nodes: vec![nodes[0]], lease_ends: stage.now };
    let stopping = [stop(gang, 1, nodes[1]), moved(gang, 1, JobState::Stopping)];
    stage.play(&lost, &stopping);
    stage.node_record(nodes[0]).sight = Sight::Gone;
    let run = stage.job_record(gang).run.as_mut().expect("it is stopping");
    run.nodes[0].report = NodeReport::Ended;
    for node in &nodes[2 + usable..] {
        stage.play(&Command::NodeDrained { node: *node }, &[]);
    }
    let waiting = stage.submit(other);
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    stage.wake = None;
    (stage, nodes, gang, waiting)
}

fn of_class(tasks: u32, class: &str) -> JobSpec {
    JobSpec { class: Name::from(class), ..job(tasks, 8) }
}

fn usual() -> (Stage, [NodeId; 4], JobId, JobId) {
    losing(job(2, 8), job(1, 8), 2)
}

/// The gang's second node ends it, and these starts follow in this order.
fn ending(
    stage: &mut Stage,
    node: NodeId,
    gang: JobId,
    starts: &[(JobId, &[(NodeId, u32)])],
) -> Verdict {
    let ended = stage.end(node, gang, Exit::Stopped);
    let mut actions: Vec<Action> = vec![moved(gang, 1, JobState::Queued)];
    for (job, places) in starts {
        let ranks: Vec<[(u32, u64); 1]> = places.iter().map(|(_, rank)| [(*rank, ALL)]).collect();
        let places: Vec<_> =
            places.iter().zip(&ranks).map(|((node, _), tasks)| (*node, &tasks[..])).collect();
        actions.extend(stage.start_of(*job, &places));
    }
    let verdict = stage.try_step(&ended, &actions);
    stage.record(&ended, &actions);
    verdict?;
    stage.try_compare()
}

/// What the engine says of the latest attempt of a job.
fn decide(stage: &mut Stage, id: JobId, repair: Option<RepairTerms>) {
    let now = stage.now;
    let record = stage.job_record(id);
    let attempt = Attempt(record.attempt.0 + 1);
    let order = OrderTerms {
        floor: false,
        guaranteed: false,
        class: 500,
        rank: 0,
        weight: 0,
        fair_share: 0,
        urgency: 0,
        key: 0,
    };
    record.decision = Some(Box::new(DecisionRecord {
        attempt,
        at: now,
        order,
        chosen: PlaceRecord { node: NodeId(0), depth: 0, left: 0 },
        runner_up: None,
        repair: repair.map(Box::new),
        risk: None,
    }));
}

fn terms(stayed: u32, moved: u32, lost: &[NodeId]) -> Option<RepairTerms> {
    Some(RepairTerms { stayed, moved, lost: lost.to_vec() })
}

#[test]
fn a_gang_that_gets_its_place_back_first_is_as_it_should_be() {
    let (mut stage, nodes, gang, other) = usual();
    decide(&mut stage, gang, terms(1, 1, &nodes[..1]));
    let back: &[_] = &[(nodes[2], 0), (nodes[1], 1)];
    let starts: [(JobId, &[_]); 2] = [(gang, back), (other, &[(nodes[3], 0)])];
    kept(ending(&mut stage, nodes[1], gang, &starts));
}

#[test]
fn another_on_its_old_gpus_before_it_is_seen() {
    let (mut stage, nodes, gang, other) = usual();
    let starts: [(JobId, &[_]); 2] =
        [(other, &[(nodes[1], 0)]), (gang, &[(nodes[2], 0), (nodes[3], 1)])];
    let verdict = ending(&mut stage, nodes[1], gang, &starts);
    broken(verdict, Repair, "job 2 was started on GPUs of job 1 before it");
}

#[test]
fn another_elsewhere_before_it_takes_nothing() {
    let (mut stage, nodes, gang, other) = usual();
    let starts: [(JobId, &[_]); 2] =
        [(other, &[(nodes[3], 0)]), (gang, &[(nodes[2], 0), (nodes[1], 1)])];
    kept(ending(&mut stage, nodes[1], gang, &starts));
}

#[test]
fn another_instead_of_it_is_seen_where_it_would_have_fit() {
    let (mut stage, nodes, gang, other) = losing(job(2, 8), job(2, 8), 1);
    let starts: [(JobId, &[_]); 1] = [(other, &[(nodes[1], 0), (nodes[2], 1)])];
    let verdict = ending(&mut stage, nodes[1], gang, &starts);
    broken(verdict, Repair, "job 2 has GPUs of job 1, which lost a node");
}

#[test]
fn another_may_have_its_gpus_where_it_does_not_fit() {
    let (mut stage, nodes, gang, other) = losing(job(2, 8), job(1, 8), 0);
    kept(ending(&mut stage, nodes[1], gang, &[(other, &[(nodes[1], 0)])]));
}

#[test]
fn a_job_that_crashes_again_and_again_may_be_passed() {
    let (mut stage, nodes, gang, other) = losing(job(2, 8), job(2, 8), 1);
    stage.job_record(gang).crashes = 2;
    let starts: [(JobId, &[_]); 1] = [(other, &[(nodes[1], 0), (nodes[2], 1)])];
    kept(ending(&mut stage, nodes[1], gang, &starts));
}

#[test]
fn while_nodes_are_held_for_someone_the_order_is_not_judged() {
    let (mut stage, nodes, gang, other) = losing(job(2, 8), job(2, 8), 1);
    let starving = stage.submit(job(4, 8));
    let since = stage.now;
    stage.snapshot.claims =
        vec![ClaimRecord { job: starving, nodes: vec![nodes[3]], since, reserved: None }];
    let starts: [(JobId, &[_]); 1] = [(other, &[(nodes[1], 0), (nodes[2], 1)])];
    kept(ending(&mut stage, nodes[1], gang, &starts));
}

#[test]
fn a_lower_class_may_pass_a_higher_one_to_get_its_place_back() {
    let (mut stage, nodes, gang, _) = losing(of_class(2, "batch"), of_class(2, "express"), 1);
    let back: &[_] = &[(nodes[2], 0), (nodes[1], 1)];
    decide(&mut stage, gang, terms(1, 1, &nodes[..1]));
    kept(ending(&mut stage, nodes[1], gang, &[(gang, back)]));
    // Without saying so, it would be an overtaking.
    let (mut stage, nodes, gang, _) = losing(of_class(2, "batch"), of_class(2, "express"), 1);
    let back: &[_] = &[(nodes[2], 0), (nodes[1], 1)];
    let verdict = ending(&mut stage, nodes[1], gang, &[(gang, back)]);
    broken(verdict, Tier, "job 1 was started and job 2 of a higher class waits");
}

#[test]
fn who_says_more_tasks_stayed_than_did_is_seen() {
    for (stayed, lost) in [(2, 0..1), (0, 0..1), (1, 0..2), (1, 0..0)] {
        let (mut stage, nodes, gang, _) = usual();
        decide(&mut stage, gang, terms(stayed, 2 - stayed, &nodes[lost]));
        let back: &[_] = &[(nodes[2], 0), (nodes[1], 1)];
        let verdict = ending(&mut stage, nodes[1], gang, &[(gang, back)]);
        broken(verdict, Repair, "tasks where they were");
    }
}

#[test]
fn who_goes_first_without_having_lost_a_node_is_seen() {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let other = stage.submit(job(1, 8));
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    decide(&mut stage, other, terms(0, 1, &[node]));
    stage.start(other, &[(node, &[(0, ALL)])]);
    broken(stage.try_compare(), Repair, "job 1 is started as if it had lost a node");
}

#[test]
fn a_gang_that_is_lost_twice_in_one_attempt_is_seen() {
    let (mut stage, _, gang, _) = usual();
    stage.wake = Some(stage.now);
    stage.job_record(gang).requeues = 1;
    kept(stage.try_compare());
    stage.job_record(gang).requeues = 2;
    broken(stage.try_compare(), Repair, "job 1 was requeued 2 times in 1 attempts");
}
