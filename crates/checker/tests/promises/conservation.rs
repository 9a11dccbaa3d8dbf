//! The engine's state is what its commands and actions say, and its index counts right.

use muster_checker::Promise::{Conservation, Exclusive};
use muster_engine::action::{Action, JobState};
use muster_engine::command::{Command, Refusal};
use muster_engine::snapshot::{ClaimRecord, FreeCount, JobRecord, NodeReport, RunRecord, Sight};
use muster_model::{Array, Attempt, GpuSet, JobId, MilliGpu, Name, NodeId, QueueSpec, Time};

use crate::act::{ALL, HIGH, LOW, job, moved, node};
use crate::stage::{Stage, Verdict, broken, kept};

/// What a change of the account is to be seen as, and the change.
type Change<Of> = (&'static str, fn(&mut Of));

/// Two nodes in two racks; a running job on half of the first, a queued one of 17 GPUs.
fn story() -> (Stage, [NodeId; 2], JobId) {
    let mut stage = Stage::new();
    let a = stage.join(node("n0", "z", "r1"));
    let b = stage.join(node("n1", "z", "r2"));
    let first = stage.submit(job(1, 4));
    stage.submit(job(17, 1));
    stage.run(first, &[(a, &[(0, LOW)])]);
    (stage, [a, b], first)
}

fn tampered(change: impl Fn(&mut Stage)) -> Verdict {
    let (mut stage, _, _) = story();
    change(&mut stage);
    stage.try_compare()
}

#[test]
fn an_honest_account_is_fine() {
    kept(tampered(|_| {}));
}

#[test]
fn every_fact_of_a_job_that_is_changed_is_seen() {
    let changes: [Change<JobRecord>; 7] = [
        ("job 1 is running by all", |job| job.state = JobState::Queued),
        ("another attempt", |job| job.attempt = Attempt(2)),
        ("another specification", |job| job.spec = std::sync::Arc::new(crate::act::job(1, 5))),
        ("place in its array", |job| job.element = Some((JobId(9), 1))),
        ("time of submission", |job| job.submitted = Time(5)),
        ("time of its end", |job| job.ended = Some(Time(5))),
        ("is held: No, and true inside", |job| job.held = true),
    ];
    for (detail, change) in changes {
        let verdict = tampered(|stage| change(stage.job_record(JobId(1))));
        broken(verdict, Conservation, detail);
    }
}

#[test]
fn an_attempt_that_is_lost_or_made_up_is_seen() {
    let verdict = tampered(|stage| stage.job_record(JobId(1)).run = None);
    broken(verdict, Conservation, "job 1 has lost an attempt that nodes hold");
    let verdict = tampered(|stage| {
        let run = stage.job_record(JobId(1)).run.clone();
        stage.job_record(JobId(2)).run = run;
    });
    broken(verdict, Conservation, "job 2 has an attempt that no node holds");
}

#[test]
fn an_array_with_another_number_of_elements_inside_is_seen() {
    let mut stage = Stage::new();
    let mut spec = job(1, 1);
    spec.array = Some(Array { indexes: vec![4, 5], throttle: None });
    stage.submit(spec);
    kept(stage.try_compare());
    stage.snapshot.arrays[0].elements = 3;
    broken(stage.try_compare(), Conservation, "array 1 has 3 elements inside");
}

#[test]
fn every_fact_of_an_attempt_that_is_changed_is_seen() {
    let changes: [Change<RunRecord>; 7] = [
        ("placed at another time", |run| run.placed = Time(7)),
        ("started at another time", |run| run.started = None),
        ("on 1 nodes, and on 0 inside", |run| run.nodes.clear()),
        ("on node 1 inside and was not launched there", |run| run.nodes[0].node = NodeId(1)),
        ("other tasks or GPUs on node 0", |run| run.nodes[0].tasks[0].gpus = GpuSet(HIGH)),
        ("other tasks or GPUs on node 0", |run| run.nodes[0].tasks[0].rank = 1),
        ("node 0 said Started of job 1, and Asked", |run| {
            run.nodes[0].report = NodeReport::Asked;
        }),
    ];
    for (detail, change) in changes {
        let verdict = tampered(|stage| {
            change(stage.job_record(JobId(1)).run.as_mut().unwrap());
        });
        broken(verdict, Conservation, detail);
    }
}

#[test]
fn every_fact_of_a_node_that_is_changed_is_seen() {
    let changes: [Change<Stage>; 7] = [
        ("node 1 is not in the snapshot", |stage| drop(stage.snapshot.nodes.pop())),
        ("node 0 has another specification", |stage| {
            stage.node_record(NodeId(0)).spec.gpus = 16;
        }),
        ("node 0 has another drain", |stage| stage.node_record(NodeId(0)).drained = true),
        ("node 0 has another health", |stage| {
            stage.node_record(NodeId(0)).unhealthy = GpuSet::one(2);
        }),
        ("node 0 is Seen, and Gone inside", |stage| {
            stage.node_record(NodeId(0)).sight = Sight::Gone;
        }),
        ("node 2 is inside and never joined", |stage| {
            let mut phantom = stage.snapshot.nodes[1].clone();
            phantom.id = NodeId(2);
            stage.snapshot.nodes.push(phantom);
        }),
        ("not in order of number", |stage| stage.snapshot.nodes.swap(0, 1)),
    ];
    for (detail, change) in changes {
        broken(tampered(change), Conservation, detail);
    }
}

#[test]
fn a_node_that_refused_and_does_not_rest_is_seen() {
    let (mut stage, [a, _], _) = story();
    let job = stage.submit(job(1, 1));
    stage.start(job, &[(a, &[(0, 1 << 7)])]);
    let refusal = Refusal::Node(Name::from("busy"));
    let refused = Command::Refused { node: a, job, attempt: Attempt(1), refusal };
    stage.play(&refused, &[moved(job, 1, JobState::Waiting)]);
    broken(stage.try_compare(), Conservation, "node 0 is to rest until 11000");
    stage.node_record(a).rests_until = Time(11_000);
    kept(stage.try_compare());
}

#[test]
fn a_clock_or_a_version_that_differs_is_seen() {
    broken(tampered(|stage| stage.snapshot.now = Time(2)), Conservation, "the snapshot is of 2");
    broken(tampered(|stage| stage.snapshot.version = 99), Conservation, "version 99");
}

#[test]
fn queues_and_configuration_that_differ_are_seen() {
    let verdict = tampered(|stage| stage.snapshot.cluster.queues.push(QueueSpec::new("x")));
    broken(verdict, Conservation, "the queues of the snapshot");
    let verdict = tampered(|stage| stage.snapshot.cluster.classes[0].value = 1);
    broken(verdict, Conservation, "the configuration in the snapshot has changed");
    let (mut stage, _, _) = story();
    let queue = QueueSpec { weight: 7, ..QueueSpec::new("default") };
    stage.play(&Command::QueueSet { queue }, &[]);
    kept(stage.try_compare());
    stage.snapshot.cluster.queues[0].weight = 1;
    broken(stage.try_compare(), Conservation, "the queues of the snapshot");
}

#[test]
fn claims_that_make_no_sense_are_seen() {
    let claim = |job, nodes: &[u32]| ClaimRecord {
        job: JobId(job),
        nodes: nodes.iter().map(|node| NodeId(*node)).collect(),
        since: Time(1_000),
        reserved: None,
    };
    let cases = [
        (vec![claim(1, &[1])], "held for job 1, which does not wait"),
        (vec![claim(2, &[9])], "unknown node 9 is held for a starving job"),
        (vec![claim(2, &[1, 1])], "node 1 is held for a starving job twice"),
    ];
    for (claims, detail) in cases {
        let verdict = tampered(|stage| stage.snapshot.claims.clone_from(&claims));
        broken(verdict, Conservation, detail);
    }
    kept(tampered(|stage| stage.snapshot.claims = vec![claim(2, &[1])]));
}

#[test]
fn a_gpu_that_two_attempts_of_the_account_hold_is_seen() {
    let (mut stage, [a, _], _) = story();
    let other = stage.submit(job(1, 4));
    stage.run(other, &[(a, &[(0, HIGH)])]);
    stage.job_record(other).run.as_mut().unwrap().nodes[0].tasks[0].gpus = GpuSet(ALL);
    broken(stage.try_compare(), Exclusive, "GPUs 0b1111 of node 0 held twice");
}

#[test]
fn a_node_is_answered_with_a_number_of_its_own() {
    let (mut stage, _, _) = story();
    let joins = |name| Command::NodeJoined { spec: node(name, "z", "r1"), running: Vec::new() };
    let accepted =
        |number, name| Action::NodeAccepted { node: NodeId(number), name: Name::from(name) };
    broken(stage.try_step(&joins("n9"), &[]), Conservation, "node n9 joined and got no answer");
    let verdict = stage.try_step(&joins("n9"), &[accepted(1, "n9")]);
    broken(verdict, Conservation, "node n9 was given the number 1 of another");
    let verdict = stage.try_step(&joins("n0"), &[accepted(5, "n0")]);
    broken(verdict, Conservation, "node n0 was accepted as 5 and has another number");
    let verdict = stage.try_tick(&[accepted(6, "n6")]);
    broken(verdict, Conservation, "node 6 (n6) was accepted and did not join");
}

/// The right counts of the story, written by hand.
fn counts() -> Vec<FreeCount> {
    let count = |domain: &[&str], nodes: &[u32]| FreeCount {
        domain: domain.iter().map(|name| Name::from(*name)).collect(),
        model: Some(Name::from("H100")),
        nodes: nodes.to_vec(),
        shared: Vec::new(),
    };
    vec![
        count(&[], &[0, 0, 0, 0, 1, 0, 0, 0, 1]),
        count(&["z"], &[0, 0, 0, 0, 1, 0, 0, 0, 1]),
        count(&["z", "r1"], &[0, 0, 0, 0, 1]),
        count(&["z", "r2"], &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]),
    ]
}

fn counted(counts: &[FreeCount]) -> Verdict {
    let (mut stage, _, _) = story();
    stage.checker.compare(&stage.snapshot, counts, None)
}

#[test]
fn an_index_that_counts_right_is_fine() {
    kept(counted(&counts()));
    let mut padded = counts();
    padded.push(FreeCount {
        domain: vec![Name::from("empty")],
        model: None,
        nodes: vec![0, 0],
        shared: Vec::new(),
    });
    kept(counted(&padded));
}

#[test]
fn an_index_that_counts_wrong_is_seen_at_every_level() {
    for index in 0..4 {
        let mut wrong = counts();
        wrong[index].nodes = vec![0, 1];
        broken(counted(&wrong), Conservation, "nodes by free GPUs for H100 in");
        let mut missing = counts();
        missing.remove(index);
        broken(counted(&missing), Conservation, "the index says []");
    }
}

#[test]
fn an_index_that_counts_what_is_not_there_is_seen() {
    let mut extra = counts();
    extra.push(FreeCount {
        domain: Vec::new(),
        model: Some(Name::from("A100")),
        nodes: vec![3],
        shared: Vec::new(),
    });
    broken(counted(&extra), Conservation, "A100 in []: the index says [3], a recount []");
    let mut twice = counts();
    twice.push(twice[0].clone());
    broken(counted(&twice), Conservation, "two counts for H100 in []");
}

#[test]
fn closed_nodes_are_counted_nowhere() {
    let close: [fn(&mut Stage, NodeId); 5] = [
        |stage, node| stage.play(&Command::NodeDrained { node }, &[]),
        |stage, node| {
            stage.play(&Command::NodeLost { node, lease_ends: Time(1_000_000) }, &[]);
        },
        |stage, node| stage.node_record(node).rests_until = Time(1_000_000),
        |stage, node| {
            let claim = ClaimRecord {
                job: JobId(2),
                nodes: vec![node],
                since: Time(1_000),
                reserved: None,
            };
            stage.snapshot.claims.push(claim);
        },
        |stage, node| {
            let mut alone = job(1, 0);
            alone.groups[0].task.exclusive = true;
            let alone = stage.submit(alone);
            stage.run(alone, &[(node, &[(0, 0)])]);
        },
    ];
    for close in close {
        let (mut stage, [_, b], _) = story();
        close(&mut stage, b);
        let verdict = stage.checker.compare(&stage.snapshot, &counts(), Some(Time(1_000)));
        broken(verdict, Conservation, "H100 in [z/r2]: the index says");
        let mut right = counts();
        right[0].nodes.truncate(5);
        right[1].nodes.truncate(5);
        right.pop();
        kept(stage.checker.compare(&stage.snapshot, &right, Some(Time(1_000))));
    }
}

#[test]
fn unhealthy_gpus_and_their_limits_are_counted() {
    let (mut stage, [a, _], _) = story();
    stage.play(&Command::GpuUnhealthy { node: a, gpu: 7 }, &[]);
    // One that is held and ill is not free once, not twice.
    stage.play(&Command::GpuUnhealthy { node: a, gpu: 0 }, &[]);
    let mut right = counts();
    for count in &mut right[..3] {
        count.nodes[4] = 0;
        count.nodes[3] = 1;
    }
    kept(stage.checker.compare(&stage.snapshot, &right, None));
}

#[test]
fn a_guarantee_changes_no_count() {
    let (mut stage, _, _) = story();
    let mut queue = QueueSpec::new("default");
    queue.guarantee.gpus = Some(MilliGpu::whole(8));
    stage.play(&Command::QueueSet { queue }, &[]);
    kept(stage.checker.compare(&stage.snapshot, &counts(), None));
}
