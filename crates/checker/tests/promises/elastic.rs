//! The sizes of elastic jobs are legal and do not flutter.

use muster_checker::Promise::{
    Attempt as AttemptPromise, Conservation, Elastic, Exclusive, Plan, Quota as QuotaPromise,
    Taken, Topology, Unknown,
};
use muster_engine::action::{Action, JobState, Outcome};
use muster_engine::command::{Command, Exit};
use muster_engine::snapshot::{NodeReport, NodeRun};
use muster_model::{
    Attempt, ClusterSpec, GpuSet, JobId, JobSpec, Level, NodeId, QueueSpec, Quota, Segment,
    TaskCount, Time,
};

use crate::act::{job, moved, node, place, resize, stop};
use crate::plan::plan_for;
use crate::stage::{Stage, broken, kept};

const MINUTE: u64 = 60_000;

/// A job of one to four one-GPU tasks.
fn stretchy() -> JobSpec {
    let mut spec = job(1, 1);
    spec.groups[0].tasks = TaskCount { min: 1, max: 4 };
    spec
}

/// Two nodes in different racks, and such a job that runs with one task on the first.
fn running(spec: JobSpec) -> (Stage, [NodeId; 2], JobId) {
    let mut stage = Stage::new();
    let nodes = [("n0", "r0"), ("n1", "r1")].map(|(name, rack)| stage.join(node(name, "z", rack)));
    let job = stage.submit(spec);
    stage.run(job, &[(nodes[0], &[(0, 1)])]);
    (stage, nodes, job)
}

/// The same once it has grown to three tasks, two of them on the second node, and an hour later.
fn grown() -> (Stage, [NodeId; 2], JobId) {
    let (mut stage, [a, b], job) = running(stretchy());
    stage.play(&Command::Tick, &[resize(job, 1, b, &[(1, 1), (2, 2)])]);
    let run = stage.job_record(job).run.as_mut().expect("it runs");
    let tasks = vec![place(0, 1, 1), place(0, 2, 2)];
    run.nodes.push(NodeRun { node: b, tasks, report: NodeReport::Started });
    stage.play(&resized(b, job, 1), &[]);
    stage.wait(60 * MINUTE);
    stage.play(&Command::Tick, &[]);
    (stage, [a, b], job)
}

fn resized(node: NodeId, job: JobId, resize: u32) -> Command {
    Command::Resized { node, job, attempt: Attempt(1), resize }
}

#[test]
fn a_job_that_grows_and_ends_breaks_nothing() {
    let (mut stage, [a, b], job) = grown();
    kept(stage.try_compare());
    stage.play(&stage.end(a, job, Exit::Code(0)), &[]);
    let over = [moved(job, 1, JobState::Ended(Outcome::Completed))];
    stage.play(&stage.end(b, job, Exit::Code(0)), &over);
    kept(stage.try_compare());
}

#[test]
fn a_size_beyond_the_most_is_seen() {
    let (mut stage, [a, _], job) = running(stretchy());
    let tasks = [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16)];
    let verdict = stage.try_tick(&[resize(job, 1, a, &tasks)]);
    broken(verdict, Elastic, "group 0 of job 1 has 5 tasks of 1 to 4");
}

#[test]
fn a_size_below_the_fewest_is_seen() {
    let (mut stage, [a, _], job) = running(stretchy());
    stage.submit(self::job(1, 8));
    let verdict = stage.try_tick(&[resize(job, 1, a, &[])]);
    broken(verdict, Elastic, "group 0 of job 1 has 0 tasks of 1 to 4");
}

#[test]
fn a_rigid_job_that_is_resized_is_seen() {
    let (mut stage, [a, _], job) = running(job(1, 1));
    let verdict = stage.try_tick(&[resize(job, 1, a, &[(0, 1), (1, 2)])]);
    broken(verdict, Elastic, "has 2 tasks of 1 to 1");
}

#[test]
fn a_gap_in_the_ranks_is_seen() {
    let (mut stage, [a, _], job) = running(stretchy());
    let verdict = stage.try_tick(&[resize(job, 1, a, &[(0, 1), (2, 2)])]);
    broken(verdict, Elastic, "group 0 of job 1 has ranks [0, 2]");
}

#[test]
fn a_rank_given_twice_is_seen() {
    let (mut stage, [a, _], job) = running(stretchy());
    let verdict = stage.try_tick(&[resize(job, 1, a, &[(0, 1), (0, 2)])]);
    broken(verdict, Elastic, "has ranks [0, 0]");
}

#[test]
fn half_a_segment_is_seen() {
    let mut spec = job(2, 1);
    spec.groups[0].tasks = TaskCount { min: 2, max: 8 };
    spec.topology.segment = Some(Segment { tasks: 2, level: Level::from("rack") });
    let mut stage = Stage::new();
    let a = stage.join(node("n0", "z", "r"));
    let job = stage.submit(spec);
    stage.run(job, &[(a, &[(0, 1), (1, 2)])]);
    let verdict = stage.try_tick(&[resize(job, 1, a, &[(0, 1), (1, 2), (2, 4)])]);
    broken(verdict, Elastic, "has 3 tasks by 2");
}

#[test]
fn a_growth_out_of_the_required_level_is_seen() {
    let mut spec = stretchy();
    spec.topology.require = Some(Level::from("rack"));
    let (mut stage, [_, b], job) = running(spec);
    let verdict = stage.try_tick(&[resize(job, 1, b, &[(1, 1)])]);
    broken(verdict, Topology, "must be in one rack");
}

#[test]
fn a_growth_onto_gpus_of_another_is_seen() {
    let (mut stage, [a, _], job) = running(stretchy());
    let other = stage.submit(self::job(1, 1));
    stage.run(other, &[(a, &[(0, 2)])]);
    let verdict = stage.try_tick(&[resize(job, 1, a, &[(0, 1), (1, 2)])]);
    broken(verdict, Exclusive, "hold GPU 1 of node 0");
}

#[test]
fn a_growth_onto_a_drained_node_is_seen() {
    let (mut stage, [_, b], job) = running(stretchy());
    stage.play(&Command::NodeDrained { node: b }, &[]);
    let verdict = stage.try_tick(&[resize(job, 1, b, &[(1, 1)])]);
    broken(verdict, Exclusive, "which is drained");
}

#[test]
fn a_growth_beyond_a_limit_is_seen() {
    let limit = Quota::of_gpus(2);
    let queues = vec![QueueSpec { limit, ..QueueSpec::new("default") }];
    let mut stage = Stage::with(ClusterSpec { queues, ..ClusterSpec::default() });
    let a = stage.join(node("n0", "z", "r"));
    let job = stage.submit(stretchy());
    stage.run(job, &[(a, &[(0, 1)])]);
    let verdict = stage.try_tick(&[resize(job, 1, a, &[(0, 1), (1, 2), (2, 4)])]);
    broken(verdict, QuotaPromise, "queue default uses 3 of 2 GPUs");
}

#[test]
fn growing_again_too_soon_is_seen() {
    for (wait, is_seen) in [(9 * MINUTE, true), (10 * MINUTE, false)] {
        let (mut stage, [a, _], job) = running(stretchy());
        stage.play(&Command::Tick, &[resize(job, 1, a, &[(0, 1), (1, 2)])]);
        stage.play(&resized(a, job, 1), &[]);
        stage.wait(wait);
        let verdict = stage.try_tick(&[resize(job, 2, a, &[(0, 1), (1, 2), (2, 4)])]);
        match is_seen {
            true => broken(verdict, Elastic, "job 1 grows at"),
            false => kept(verdict),
        }
    }
}

#[test]
fn growing_while_a_resize_is_under_way_is_seen() {
    let (mut stage, [a, b], job) = running(stretchy());
    stage.play(&Command::Tick, &[resize(job, 1, a, &[(0, 1), (1, 2)])]);
    stage.wait(60 * MINUTE);
    let verdict = stage.try_tick(&[resize(job, 2, b, &[(2, 1)])]);
    broken(verdict, Elastic, "job 1 grows while a resize of it is under way");
}

#[test]
fn an_order_older_than_the_latest_is_seen() {
    let (mut stage, [a, _], job) = grown();
    stage.submit(self::job(1, 8));
    let verdict = stage.try_tick(&[resize(job, 0, a, &[(0, 1)])]);
    broken(verdict, Elastic, "resize 0 of job 1 follows a later one");
}

#[test]
fn tasks_taken_while_nobody_waits_are_seen() {
    let (mut stage, [_, b], job) = grown();
    let shrink = [resize(job, 2, b, &[(1, 1)])];
    broken(stage.try_tick(&shrink), Elastic, "job 1 is asked to give tasks back, and nobody waits");
    let (mut stage, [_, b], job) = grown();
    stage.submit(self::job(2, 8));
    kept(stage.try_tick(&[resize(job, 2, b, &[(1, 1)])]));
}

#[test]
fn a_growth_that_did_not_come_to_be_may_be_taken_back_though_nobody_waits() {
    let (mut stage, [_, b], job) = running(stretchy());
    stage.play(&Command::Tick, &[resize(job, 1, b, &[(1, 1), (2, 2)])]);
    kept(stage.try_tick(&[resize(job, 2, b, &[])]));
}

#[test]
fn a_job_that_does_not_run_and_is_resized_is_seen() {
    let mut stage = Stage::new();
    let a = stage.join(node("n0", "z", "r"));
    let job = stage.submit(stretchy());
    stage.start(job, &[(a, &[(0, 1)])]);
    let verdict = stage.try_tick(&[resize(job, 1, a, &[(0, 1), (1, 2)])]);
    broken(verdict, Elastic, "attempt 1 of job 1, launching, was resized on node 0");
}

#[test]
fn what_leaves_is_held_until_the_node_says_so() {
    let (mut stage, [_, b], job) = grown();
    let wide = stage.submit(self::job(1, 8));
    stage.play(&Command::Tick, &[resize(job, 2, b, &[])]);
    let early = stage.start_of(wide, &[(b, &[(0, 255)])]);
    broken(stage.try_tick(&early), Exclusive, "hold GPU 0 of node 1");

    let (mut stage, [_, b], job) = grown();
    let wide = stage.submit(self::job(1, 8));
    stage.play(&Command::Tick, &[resize(job, 2, b, &[])]);
    stage.play(&resized(b, job, 2), &[]);
    kept(stage.try_tick(&stage.start_of(wide, &[(b, &[(0, 255)])])));
}

#[test]
fn an_answer_to_an_earlier_resize_lets_nothing_go() {
    let (mut stage, [_, b], job) = grown();
    let wide = stage.submit(self::job(1, 8));
    stage.play(&Command::Tick, &[resize(job, 2, b, &[])]);
    stage.play(&resized(b, job, 1), &[]);
    let early = stage.start_of(wide, &[(b, &[(0, 255)])]);
    broken(stage.try_tick(&early), Exclusive, "hold GPU 0 of node 1");
}

#[test]
fn an_answer_that_nobody_waits_for_and_that_leads_to_something_is_seen() {
    let (mut stage, [_, b], job) = grown();
    kept(stage.try_compare());
    let actions = [stop(job, 1, b)];
    broken(stage.try_step(&resized(b, job, 1), &actions), AttemptPromise, "tells nothing new");
}

#[test]
fn tasks_that_differ_inside_are_seen() {
    let (mut stage, [_, b], job) = grown();
    let run = stage.job_record(job).run.as_mut().expect("it runs");
    run.nodes.iter_mut().find(|part| part.node == b).expect("it is there").tasks.pop();
    broken(stage.try_compare(), Conservation, "job 1 has other tasks or GPUs on node 1 inside");
}

#[test]
fn a_node_lost_with_tasks_on_their_way_costs_the_job_nothing() {
    let (mut stage, [_, b], job) = running(stretchy());
    stage.play(&Command::Tick, &[resize(job, 1, b, &[(1, 1)])]);
    let lease_ends = Time(stage.now.0 + MINUTE);
    stage.play(&Command::NodeLost { node: b, lease_ends }, &[]);
    stage.wait(2 * MINUTE);
    let actions = [Action::Stop {
        node: NodeId(0),
        job,
        attempt: Attempt(1),
        grace: muster_model::Millis::seconds(30),
    }];
    kept(stage.try_tick(&[]));
    // Nothing was lost that the job needs.
    kept(stage.try_tick(&actions));
    broken(stage.try_compare(), Taken, "job 1 is ended or paused without a cause");
}

#[test]
fn a_node_lost_with_tasks_that_ran_costs_the_attempt() {
    let (mut stage, [_, b], _) = grown();
    let lease_ends = Time(stage.now.0 + MINUTE);
    stage.play(&Command::NodeLost { node: b, lease_ends }, &[]);
    stage.wait(2 * MINUTE);
    kept(stage.try_tick(&[]));
    let record = stage.snapshot.nodes.iter_mut().find(|node| node.id == b).expect("it joined");
    record.sight = muster_engine::snapshot::Sight::Gone;
    broken(stage.try_compare(), Unknown, "job 1 lost a node for good and is still running");
}

/// Such a job that has been asked to give its tasks on the second node back for another that waits
/// for all of that node.
fn giving() -> (Stage, NodeId, JobId) {
    let (mut stage, [_, b], job) = grown();
    let waits = stage.submit(self::job(1, 8));
    stage.play(&Command::Tick, &[resize(job, 2, b, &[])]);
    plan_for(&mut stage, waits, &[], &[(b, 0xff)]);
    let plan = stage.snapshot.plans.last_mut().expect("it was just made");
    plan.givers = vec![job];
    plan.holds[0].gpus = GpuSet(0xfc);
    (stage, b, job)
}

#[test]
fn a_plan_for_tasks_that_are_given_back_is_kept() {
    let (mut stage, ..) = giving();
    kept(stage.try_compare());
}

#[test]
fn tasks_taken_without_a_plan_for_them_are_seen() {
    let (mut stage, ..) = giving();
    stage.snapshot.plans[0].givers.clear();
    let words = "job 1 is asked to give tasks back, and no plan says so";
    broken(stage.try_compare(), Elastic, words);
}

#[test]
fn a_plan_that_counts_on_tasks_nobody_asked_for_is_seen() {
    let (mut stage, [_, b], job) = grown();
    let waits = stage.submit(self::job(1, 8));
    stage.play(&Command::Tick, &[resize(job, 2, b, &[(1, 1)])]);
    plan_for(&mut stage, waits, &[], &[(b, 0xff)]);
    stage.snapshot.plans[0].givers = vec![job];
    stage.snapshot.plans[0].holds[0].gpus = GpuSet(0xfc);
    let words = "nobody gives way for all of the room for job 2 on node 1";
    broken(stage.try_compare(), Plan, words);
}
