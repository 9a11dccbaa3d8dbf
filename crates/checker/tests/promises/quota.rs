//! No queue and no user gets more than its limit.

use muster_checker::Promise::Quota as QuotaPromise;
use muster_engine::action::{JobState, Outcome};
use muster_engine::command::{Command, Exit};
use muster_model::{
    ClusterSpec, JobSpec, Mib, MilliCpu, MilliGpu, Name, NodeId, QueueName, QueueSpec, Quota,
};

use crate::act::{HIGH, LOW, job, moved, node};
use crate::stage::{Stage, broken, kept};

fn gpus(gpus: u64) -> Quota {
    Quota { gpus: Some(MilliGpu::whole(gpus)), ..Quota::default() }
}

/// Queues `lab`, `lab/a` and `lab/b`, and one node.
fn lab(lab: Quota, a: Quota, a_user: Quota) -> (Stage, NodeId) {
    let queues = vec![
        QueueSpec { limit: lab, ..QueueSpec::new("lab") },
        QueueSpec { limit: a, user_limit: a_user, ..QueueSpec::new("lab/a") },
        QueueSpec::new("lab/b"),
    ];
    let mut stage = Stage::with(ClusterSpec { queues, ..ClusterSpec::default() });
    let node = stage.join(node("n0", "z", "r"));
    (stage, node)
}

fn of(queue: &str, user: &str, gpus: u32) -> JobSpec {
    let mut spec = job(1, gpus);
    spec.queue = QueueName::from(queue);
    spec.user = Name::from(user);
    spec
}

#[test]
fn a_queue_may_use_its_limit_to_the_last_gpu() {
    let (mut stage, node) = lab(Quota::default(), gpus(8), Quota::default());
    let first = stage.submit(of("lab/a", "user-a", 4));
    let second = stage.submit(of("lab/a", "user-a", 4));
    stage.start(first, &[(node, &[(0, LOW)])]);
    stage.start(second, &[(node, &[(0, HIGH)])]);
}

#[test]
fn one_gpu_beyond_the_limit_is_seen() {
    let (mut stage, node) = lab(Quota::default(), gpus(7), Quota::default());
    let first = stage.submit(of("lab/a", "user-a", 4));
    let second = stage.submit(of("lab/a", "user-b", 4));
    stage.start(first, &[(node, &[(0, LOW)])]);
    let actions = stage.start_of(second, &[(node, &[(0, HIGH)])]);
    broken(stage.try_tick(&actions), QuotaPromise, "queue lab/a uses 8 of 7 GPUs");
}

#[test]
fn two_starts_of_one_step_that_exceed_the_limit_together_are_seen() {
    let (mut stage, node) = lab(Quota::default(), gpus(4), Quota::default());
    let first = stage.submit(of("lab/a", "user-a", 4));
    let second = stage.submit(of("lab/a", "user-b", 4));
    let mut actions = stage.start_of(first, &[(node, &[(0, LOW)])]);
    actions.extend(stage.start_of(second, &[(node, &[(0, HIGH)])]));
    broken(stage.try_tick(&actions), QuotaPromise, "queue lab/a uses 8 of 4 GPUs");
}

#[test]
fn a_parent_counts_all_its_children() {
    let (mut stage, node) = lab(gpus(6), Quota::default(), Quota::default());
    let first = stage.submit(of("lab/a", "user-a", 4));
    let second = stage.submit(of("lab/b", "user-b", 4));
    stage.start(first, &[(node, &[(0, LOW)])]);
    let actions = stage.start_of(second, &[(node, &[(0, HIGH)])]);
    broken(stage.try_tick(&actions), QuotaPromise, "queue lab uses 8 of 6 GPUs");
}

#[test]
fn what_has_ended_no_longer_counts() {
    let (mut stage, node) = lab(Quota::default(), gpus(4), Quota::default());
    let first = stage.submit(of("lab/a", "user-a", 4));
    let second = stage.submit(of("lab/a", "user-a", 4));
    stage.run(first, &[(node, &[(0, LOW)])]);
    let mut actions = vec![moved(first, 1, JobState::Ended(Outcome::Completed))];
    actions.extend(stage.start_of(second, &[(node, &[(0, LOW)])]));
    stage.play(&stage.end(node, first, Exit::Code(0)), &actions);
}

#[test]
fn a_limit_on_one_model_counts_that_model_only() {
    for (model, is_seen) in [("H100", true), ("A100", false)] {
        let models = [(Name::from(model), MilliGpu::whole(2))].into();
        let (mut stage, node) =
            lab(Quota { models, ..Quota::default() }, Quota::default(), Quota::default());
        let job = stage.submit(of("lab/a", "user-a", 4));
        let verdict = stage.try_tick(&stage.start_of(job, &[(node, &[(0, LOW)])]));
        match is_seen {
            true => broken(verdict, QuotaPromise, "queue lab uses 4 of 2 H100 GPUs"),
            false => kept(verdict),
        }
    }
}

#[test]
fn limits_on_cpus_and_memory_count() {
    let quotas = [
        (Quota { cpus: Some(MilliCpu(500)), ..Quota::default() }, "1 of 0.500 CPUs"),
        (Quota { memory: Some(Mib(1023)), ..Quota::default() }, "1024 of 1023 MiB of memory"),
    ];
    for (quota, detail) in quotas {
        let (mut stage, node) = lab(Quota::default(), quota, Quota::default());
        let job = stage.submit(of("lab/a", "user-a", 1));
        let actions = stage.start_of(job, &[(node, &[(0, 1)])]);
        broken(stage.try_tick(&actions), QuotaPromise, detail);
    }
}

#[test]
fn a_users_limit_counts_that_user_only() {
    for (user, is_seen) in [("user-a", true), ("user-b", false)] {
        let (mut stage, node) = lab(Quota::default(), Quota::default(), gpus(4));
        let first = stage.submit(of("lab/a", "user-a", 4));
        let second = stage.submit(of("lab/a", user, 4));
        stage.start(first, &[(node, &[(0, LOW)])]);
        let verdict = stage.try_tick(&stage.start_of(second, &[(node, &[(0, HIGH)])]));
        match is_seen {
            true => broken(verdict, QuotaPromise, "user-a uses 8 of 4 GPUs in queue lab/a"),
            false => kept(verdict),
        }
    }
}

#[test]
fn a_limit_lowered_below_the_usage_lets_nothing_in() {
    let (mut stage, node) = lab(Quota::default(), Quota::default(), Quota::default());
    let first = stage.submit(of("lab/a", "user-a", 4));
    let second = stage.submit(of("lab/a", "user-a", 1));
    stage.start(first, &[(node, &[(0, LOW)])]);
    let queue = QueueSpec { limit: gpus(2), ..QueueSpec::new("lab/a") };
    stage.play(&Command::QueueSet { queue }, &[]);
    let actions = stage.start_of(second, &[(node, &[(0, 0b1_0000)])]);
    broken(stage.try_tick(&actions), QuotaPromise, "queue lab/a uses 5 of 2 GPUs");
}

#[test]
fn a_limit_lowered_below_the_usage_does_not_bind_who_wants_none_of_it() {
    let (mut stage, node) = lab(Quota::default(), Quota::default(), Quota::default());
    let first = stage.submit(of("lab/a", "user-a", 4));
    let second = stage.submit(of("lab/a", "user-a", 0));
    stage.start(first, &[(node, &[(0, LOW)])]);
    let queue = QueueSpec { limit: gpus(2), ..QueueSpec::new("lab/a") };
    stage.play(&Command::QueueSet { queue }, &[]);
    stage.start(second, &[(node, &[(0, 0)])]);
}

#[test]
fn a_queue_that_does_not_exist_is_seen() {
    let (mut stage, node) = lab(Quota::default(), Quota::default(), Quota::default());
    let job = stage.submit(of("lab/c", "user-a", 1));
    let actions = stage.start_of(job, &[(node, &[(0, 1)])]);
    broken(stage.try_tick(&actions), QuotaPromise, "unknown queue lab/c");
}
