//! No attempt outstays its time.

use muster_checker::Promise::Limit;
use muster_engine::action::JobState;
use muster_engine::command::Command;
use muster_model::{ClusterSpec, JobSpec, Millis, NodeId, Policy, Time};

use crate::act::{ALL, job, moved, node, stop};
use crate::stage::{Stage, broken, kept};

const HOUR: Millis = Millis::hours(1);

fn running(cluster: ClusterSpec, spec: JobSpec) -> Stage {
    let mut stage = Stage::with(cluster);
    let node = stage.join(node("n0", "z", "r"));
    let job = stage.submit(spec);
    stage.run(job, &[(node, &[(0, ALL)])]);
    stage
}

fn seen_at(stage: &mut Stage, span: Millis, detail: &str) {
    stage.wait(span.0 - 1);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
    stage.wait(1);
    stage.wake = None;
    stage.play(&Command::Tick, &[]);
    broken(stage.try_compare(), Limit, detail);
}

#[test]
fn a_job_that_runs_beyond_its_own_limit_is_seen() {
    let mut spec = job(1, 8);
    spec.timing.limit = Some(HOUR);
    let mut stage = running(ClusterSpec::default(), spec);
    seen_at(&mut stage, HOUR, "job 1 runs beyond its limit of 3600000 ms");
}

#[test]
fn a_job_that_runs_beyond_its_classes_limit_is_seen() {
    let mut cluster = ClusterSpec::default();
    cluster.classes.iter_mut().for_each(|class| class.limit_default = Some(HOUR));
    let mut stage = running(cluster, job(1, 8));
    seen_at(&mut stage, HOUR, "job 1 runs beyond its limit");
}

#[test]
fn the_clusters_limit_caps_every_other() {
    let policy = Policy { limit_max: HOUR, ..Policy::default() };
    let mut spec = job(1, 8);
    spec.timing.limit = Some(Millis::hours(2));
    let mut stage = running(ClusterSpec { policy, ..ClusterSpec::default() }, spec);
    seen_at(&mut stage, HOUR, "job 1 runs beyond its limit");
}

#[test]
fn a_job_stopped_at_its_limit_is_fine() {
    let mut spec = job(1, 8);
    spec.timing.limit = Some(HOUR);
    let mut stage = running(ClusterSpec::default(), spec);
    let job = muster_model::JobId(1);
    stage.wait(HOUR.0);
    let stopping = [stop(job, 1, NodeId(0)), moved(job, 1, JobState::Stopping)];
    stage.play(&Command::Tick, &stopping);
    kept(stage.try_compare());
}

#[test]
fn what_is_still_due_is_not_judged_yet() {
    let mut spec = job(1, 8);
    spec.timing.limit = Some(HOUR);
    let mut stage = running(ClusterSpec::default(), spec);
    stage.wait(HOUR.0);
    stage.play(&Command::Tick, &[]);
    stage.wake = Some(stage.now);
    kept(stage.try_compare());
}

fn launching() -> Stage {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r"));
    let job = stage.submit(job(1, 8));
    stage.start(job, &[(node, &[(0, ALL)])]);
    stage
}

#[test]
fn a_launch_that_takes_too_long_is_seen() {
    seen_at(&mut launching(), Millis::minutes(5), "job 1 launches for more than 300000 ms");
}

#[test]
fn a_launch_on_a_node_out_of_sight_may_wait_for_its_lease() {
    let mut stage = launching();
    let lost = Command::NodeLost { node: NodeId(0), lease_ends: Time(10_000_000) };
    stage.play(&lost, &[]);
    stage.wait(Millis::minutes(6).0);
    stage.play(&Command::Tick, &[]);
    kept(stage.try_compare());
}
