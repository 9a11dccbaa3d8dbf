//! What is reserved is lent to elastic jobs only as far as they can shrink out of it.

use muster_checker::Promise::Elastic;
use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_engine::snapshot::{ClaimRecord, NodeReport, NodeRun, ReservedRecord};
use muster_model::{Attempt, JobId, JobSpec, Millis, NodeId, TaskCount, Time};

use crate::act::{job, node, place, resize};
use crate::stage::{Stage, Verdict, broken, kept};

const MINUTE: u64 = 60_000;

/// A job of one to four one-GPU tasks.
fn stretchy() -> JobSpec {
    let mut spec = job(1, 1);
    spec.groups[0].tasks = TaskCount { min: 1, max: 4 };
    spec
}

/// Such a job on one node, and another node that has been reserved for a gang for an hour, from so
/// many minutes from now on.
fn reserved(spec: JobSpec, start: Option<u64>) -> (Stage, NodeId, JobId) {
    let mut stage = Stage::new();
    let [a, b] = [("n0", "r0"), ("n1", "r1")].map(|(name, rack)| stage.join(node(name, "z", rack)));
    let job_id = stage.submit(spec);
    stage.run(job_id, &[(a, &[(0, 1)])]);
    let gang = stage.submit(job(1, 9));
    let since = stage.now;
    stage.wait(60 * MINUTE);
    let start = start.map(|minutes| Time(stage.now.0 + minutes * MINUTE));
    let reserved = start.map(|start| ReservedRecord { start, first: start, slips: 0 });
    stage.snapshot.claims.push(ClaimRecord { job: gang, nodes: vec![b], since, reserved });
    stage.wake = Some(stage.now);
    (stage, b, job_id)
}

/// The job grows onto the reserved node, and the account says from which rank on that is lent.
fn grows(stage: &mut Stage, node: NodeId, job: JobId, lent_from: Option<u32>) -> Verdict {
    let grow: [Action; 1] = [resize(job, 1, node, &[(1, 1)])];
    stage.play(&Command::Tick, &grow);
    let run = stage.job_record(job).run.as_mut().expect("it runs");
    let tasks = vec![place(0, 1, 1)];
    run.nodes.push(NodeRun { node, tasks, report: NodeReport::Asked });
    run.elastic.get_or_insert_default().lent_from = lent_from;
    stage.try_compare()
}

#[test]
fn who_can_leave_in_time_may_grow_onto_reserved_nodes() {
    let (mut stage, node, job) = reserved(stretchy(), Some(30));
    kept(grows(&mut stage, node, job, Some(1)));
}

#[test]
fn who_cannot_leave_in_time_is_seen() {
    let slow = stretchy().resize(Millis::minutes(2));
    for (spec, start) in [(stretchy(), 0), (slow, 30)] {
        let (mut stage, node, job) = reserved(spec, Some(start));
        broken(grows(&mut stage, node, job, Some(1)), Elastic, "cannot leave in time");
    }
}

#[test]
fn growth_onto_reserved_nodes_that_nobody_counts_as_lent_is_seen() {
    for lent_from in [None, Some(2)] {
        let (mut stage, node, job) = reserved(stretchy(), Some(30));
        broken(grows(&mut stage, node, job, lent_from), Elastic, "nothing says on loan");
    }
}

#[test]
fn growth_onto_what_is_held_for_a_starving_job_is_seen() {
    let (mut stage, node, job) = reserved(stretchy(), None);
    broken(grows(&mut stage, node, job, Some(1)), Elastic, "which starves");
}

/// The verdict when the engine rests while the job has grown onto the reserved node, where others
/// may be as well.
fn at_rest_with(others: u32) -> Verdict {
    let (mut stage, node, job_id) = reserved(stretchy(), Some(30));
    for other in 0..others {
        let id = stage.submit(job(1, 1));
        stage.run(id, &[(node, &[(0, 1 << (5 + other))])]);
    }
    kept(grows(&mut stage, node, job_id, Some(1)));
    stage.wait(MINUTE);
    let resized = Command::Resized { node, job: job_id, attempt: Attempt(1), resize: 1 };
    stage.play(&resized, &[]);
    let run = stage.job_record(job_id).run.as_mut().expect("it runs");
    run.nodes.last_mut().expect("it has grown").report = NodeReport::Started;
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
    stage.wake = None;
    stage.try_compare()
}

#[test]
fn gang_that_waits_for_nothing_but_what_was_lent_is_seen() {
    broken(at_rest_with(0), Elastic, "waits for nothing but what was lent");
    kept(at_rest_with(1));
}
