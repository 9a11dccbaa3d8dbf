//! The workload is what its description says: valid, mostly small, with a heavy tail.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::command::Exit;
use muster_model::JobSpec;

use super::{Jobs, Plan};
use crate::bench::layout::{Layout, START};

const DRAWS: usize = 10_000;

fn draw(gpus: u32, seed: u64) -> Vec<(JobSpec, Plan)> {
    let mut jobs = Jobs::new(Layout::new(gpus), seed);
    (0..DRAWS).map(|_| jobs.next(START)).collect()
}

fn gpus(job: &JobSpec) -> u32 {
    job.groups[0].tasks.max * job.groups[0].task.gpus
}

fn part(jobs: &[(JobSpec, Plan)], is: impl Fn(&JobSpec) -> bool) -> f64 {
    jobs.iter().filter(|(job, _)| is(job)).count() as f64 / jobs.len() as f64
}

#[test]
fn every_job_is_valid_in_clusters_of_all_sizes() {
    for size in [8, 64, 1_000, 100_000] {
        let cluster = Layout::new(size).cluster();
        for (job, _) in draw(size, 1).iter().take(2_000) {
            assert_eq!(job.validate(&cluster), Ok(()), "{size}");
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_jobs() {
    assert_eq!(draw(1_000, 5)[..100], draw(1_000, 5)[..100]);
    assert_ne!(draw(1_000, 5)[..100], draw(1_000, 6)[..100]);
}

#[test]
fn most_jobs_are_small_and_the_tail_reaches_the_largest_gang() {
    let jobs = draw(100_000, 2);
    let small = part(&jobs, |job| gpus(job) <= 8);
    assert!((0.79..0.85).contains(&small), "{small}");
    assert_eq!(jobs.iter().map(|(job, _)| gpus(job)).max(), Some(1_024));
    let (all, large) = jobs.iter().fold((0, 0), |(all, large), (job, _)| {
        let size = u64::from(gpus(job));
        (all + size, large + if size >= 64 { size } else { 0 })
    });
    assert!(large * 2 > all, "gangs of 64 and more use most GPUs: {large} of {all}");
}

#[test]
fn gangs_of_a_small_cluster_are_scaled_down() {
    assert_eq!(draw(1_000, 2).iter().map(|(job, _)| gpus(job)).max(), Some(64));
}

#[test]
fn tasks_of_a_gang_fit_their_nodes_whole() {
    for (job, _) in draw(100_000, 3) {
        let group = &job.groups[0];
        assert!(group.task.gpus <= 8 && (group.tasks.max == 1 || group.task.gpus == 8));
        let each = u64::from(group.task.gpus);
        assert!(group.task.cpus.0 <= each * 16_000 && group.task.memory.0 <= each * 128 * 1024);
    }
}

#[test]
fn five_classes_and_all_queues_are_used_with_the_standard_class_most() {
    let jobs = draw(100_000, 4);
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    for (job, _) in &jobs {
        *classes.entry(job.class.as_str()).or_default() += 1;
    }
    assert_eq!(classes.len(), 5);
    assert_eq!(classes.values().max(), classes.get("standard"));
    let queues: BTreeSet<&str> = jobs.iter().map(|(job, _)| job.queue.as_str()).collect();
    let users: BTreeSet<&str> = jobs.iter().map(|(job, _)| job.user.as_str()).collect();
    assert!(queues.len() > 195 && users.len() > 380, "{} {}", queues.len(), users.len());
}

#[test]
fn wishes_come_as_often_as_described() {
    let jobs = draw(100_000, 5);
    let wide: Vec<_> = jobs.iter().filter(|(job, _)| gpus(job) > 8).cloned().collect();
    let required = part(&wide, |job| job.topology.require.is_some());
    assert!((0.37..0.50).contains(&required), "{required}");
    let segmented = part(&wide, |job| job.topology.segment.is_some());
    assert!((0.02..0.06).contains(&segmented), "{segmented}");
    let constrained = part(&jobs, |job| {
        let constraint = &job.constraint;
        constraint.require.is_some() || constraint.prefer.is_some() || constraint.avoid.is_some()
    });
    assert!((0.14..0.18).contains(&constrained), "{constrained}");
    let choosy = part(&jobs, |job| job.groups[0].task.models.len() == 2);
    assert!((0.08..0.17).contains(&choosy), "{choosy}");
}

#[test]
fn few_jobs_fail_or_outlive_their_limit() {
    let jobs = draw(1_000, 6);
    let over = jobs
        .iter()
        .filter(|(job, plan)| job.timing.limit.is_some_and(|limit| limit < plan.duration));
    let over = over.count();
    assert!((1..DRAWS / 50).contains(&over), "{over}");
    let failed = jobs.iter().filter(|(_, plan)| plan.exit != Exit::Code(0)).count();
    assert!((DRAWS / 50..DRAWS / 25).contains(&failed), "{failed}");
}

#[test]
fn plain_jobs_have_no_wish_and_take_turns_at_the_queues() {
    let mut jobs = Jobs::new(Layout::new(1_000), 7);
    let plain: Vec<JobSpec> = (0..200).map(|_| jobs.plain(1, START).0).collect();
    let queues: BTreeSet<&str> = plain.iter().map(|job| job.queue.as_str()).collect();
    assert_eq!(queues.len(), 200);
    assert!(plain.iter().all(|job| {
        gpus(job) == 1 && job.topology == Default::default() && job.constraint == Default::default()
    }));
}
