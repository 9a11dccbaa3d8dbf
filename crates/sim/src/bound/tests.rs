//! The bounds by hand, and against schedules.

use proptest::prelude::*;

use super::{Pool, Work, makespan, mean_jct};
use crate::published::{self, Job, Rule};

fn work(release_ms: u64, duration_ms: u64, gpus: u32) -> Work {
    Work { release_ms, duration_ms, gpus }
}

fn pool(gpus: u64, works: impl Into<Vec<Work>>) -> Pool {
    Pool { gpus, works: works.into() }
}

#[test]
fn without_a_queue_the_durations_are_the_bound() {
    let pool = pool(8, [work(0, 100, 1), work(50, 300, 2)]);
    assert_eq!((pool.by_duration(), pool.mean_jct()), (200.0, 200.0));
    assert_eq!(makespan(&[pool]), 350.0);
}

#[test]
fn full_gangs_follow_each_other_on_the_fast_machine() {
    // Of three gangs with all GPUs, the shortest interrupts; 10 + 30 + 60 is the best there is.
    let pool = pool(4, [work(0, 20, 4), work(0, 30, 4), work(5, 10, 4)]);
    let ends = (15.0 - 5.0) + 30.0 + 60.0;
    assert_eq!(pool.by_fast_machine(), ends / 3.0);
    assert_eq!(pool.mean_jct(), ends / 3.0);
    assert_eq!(makespan(&[pool]), 60.0);
}

#[test]
fn busy_times_tell_more_than_both_where_gangs_are_half_as_wide() {
    // Four jobs of half the GPUs, two at a time: 10, 10, 20, 20. On the fast machine each takes 5:
    // its mean ends are 12.5; their middles are 2.5, 7.5, 12.5, 17.5, each with 5 more.
    let pool = pool(2, vec![work(0, 10, 1); 4]);
    assert_eq!((pool.by_duration(), pool.by_fast_machine()), (10.0, 12.5));
    assert_eq!((pool.by_busy_time(), pool.mean_jct()), (15.0, 15.0));
}

#[test]
fn gangs_above_half_of_the_gpus_are_never_at_once() {
    let pool = pool(8, [work(0, 100, 5), work(10, 100, 5), work(20, 100, 5)]);
    assert_eq!(makespan(&[pool]), 300.0);
}

#[test]
fn pools_add_up_by_their_jobs() {
    let busy = pool(1, [work(0, 10, 1), work(0, 10, 1)]);
    let idle = pool(1, [work(100, 40, 1)]);
    assert_eq!(mean_jct(&[busy.clone(), idle.clone()]), (10.0 + 20.0 + 40.0) / 3.0);
    assert_eq!(makespan(&[busy, idle]), 140.0);
    assert_eq!((mean_jct(&[]), makespan(&[])), (0.0, 0.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_schedule_beats_a_bound(
        jobs in prop::collection::vec((0_u64..300, 1_u64..200, 1_u32..=16), 1..30)
    ) {
        let mut jobs: Vec<Job> = jobs
            .into_iter()
            .map(|(submit_s, duration_s, gpus)| {
                Job { submit_s, duration_s, gpus, deadline_s: None }
            })
            .collect();
        jobs.sort_by_key(|job| job.submit_s);
        let works: Vec<Work> =
            jobs.iter().map(|job| work(job.submit_s, job.duration_s, job.gpus)).collect();
        let first = jobs[0].submit_s;
        let bounds = [pool(16, works)];
        let (least_mean, least_span) = (mean_jct(&bounds), makespan(&bounds));
        let (name, gpus_per_node) = (String::new(), 8);
        let pool = published::Pool { name, nodes: 2, gpus_per_node, jobs };
        for rule in Rule::ALL {
            let outcomes = pool.run(rule);
            let sum: u64 = outcomes.iter().map(|outcome| outcome.jct_s).sum();
            let mean = sum as f64 / outcomes.len() as f64;
            let ends = pool.jobs.iter().zip(&outcomes).map(|(job, end)| job.submit_s + end.jct_s);
            let span = (ends.max().unwrap() - first) as f64;
            prop_assert!(mean >= least_mean - 1e-6, "{}: {} < {}", rule, mean, least_mean);
            prop_assert!(span >= least_span - 1e-6, "{}: {} < {}", rule, span, least_span);
        }
    }
}
