//! The marginals that were published, found again in what is made.

use std::collections::BTreeMap;

use muster_model::Millis;

use super::{Mix, Recipe};
use crate::job::{Gpus, Job, Outcome};
use crate::trace::Trace;

const JOBS: u64 = 30_000;

fn make(mix: Mix, gpus: u32, seed: u64) -> Trace {
    Recipe::new(mix, JOBS, gpus, seed).make().unwrap()
}

/// The part of the jobs for which something holds, in thousandths.
fn part(trace: &Trace, holds: impl Fn(&Job) -> bool) -> usize {
    trace.jobs.iter().filter(|job| holds(job)).count() * 1_000 / trace.jobs.len()
}

/// The part of the GPU time of jobs for which something holds, in thousandths.
fn time_part(trace: &Trace, holds: impl Fn(&Job) -> bool) -> u128 {
    let time =
        |jobs: &mut dyn Iterator<Item = &Job>| -> u128 { jobs.map(Job::milli_gpu_millis).sum() };
    time(&mut trace.jobs.iter().filter(|job| holds(job))) * 1_000
        / time(&mut trace.jobs.iter()).max(1)
}

fn gpus(job: &Job) -> u32 {
    let Gpus::Whole(gpus) = job.gpus else { panic!("made-up jobs have whole GPUs") };
    gpus
}

fn went_wrong(job: &Job) -> bool {
    job.outcome != Outcome::Completed
}

#[test]
fn the_mix_of_2017_has_single_gpus_quick_ends_long_tails_and_failures() {
    for seed in [1, 2, 3] {
        let trace = make(Mix::Philly, 512, seed);
        let single = part(&trace, |job| gpus(job) == 1);
        assert!((915..=950).contains(&single), "{single}");
        let quick = part(&trace, |job| job.duration < Millis::minutes(4));
        assert!((200..=330).contains(&quick), "{quick}");
        let wrong = part(&trace, went_wrong);
        assert!((300..=400).contains(&wrong), "{wrong}");
        let mut durations: Vec<u64> = trace.jobs.iter().map(|job| job.duration.0).collect();
        durations.sort_unstable();
        let (median, p99) = (durations[durations.len() / 2], durations[durations.len() * 99 / 100]);
        assert!((500_000..=2_500_000).contains(&median), "{median}");
        assert!(p99 > 50 * median, "{p99} and {median}");
    }
}

#[test]
fn the_later_mix_gives_most_gpu_time_to_few_huge_gangs() {
    for seed in [1, 2, 3] {
        let trace = make(Mix::Llm, 16_384, seed);
        let huge = |job: &Job| gpus(job) >= 256;
        let (jobs, time) = (part(&trace, huge), time_part(&trace, huge));
        assert!((5..=30).contains(&jobs), "{jobs}");
        assert!(time > 600, "{time}");
        let small = |job: &Job| gpus(job) <= 8;
        let (jobs, time) = (part(&trace, small), time_part(&trace, small));
        assert!(jobs > 880, "{jobs}");
        assert!(time < 100, "{time}");
        let wrong = part(&trace, went_wrong);
        assert!((300..=450).contains(&wrong), "{wrong}");
    }
}

#[test]
fn a_recipe_makes_the_same_jobs_again_and_another_seed_makes_others() {
    let [first, again] = [make(Mix::Llm, 1024, 5), make(Mix::Llm, 1024, 5)];
    assert_eq!(first, again);
    assert_ne!(first.jobs, make(Mix::Llm, 1024, 6).jobs);
    // The very bits: they must be the same on every machine and after every change that is not
    // meant to change them.
    let sum = first.jobs.iter().fold(0_u64, |sum, job| {
        sum.wrapping_mul(31).wrapping_add(job.submit.0 ^ job.duration.0 ^ u64::from(gpus(job)))
    });
    insta::assert_snapshot!(sum, @"12851935891206101533");
}

#[test]
fn jobs_are_as_many_as_asked_in_order_and_load_the_gpus_as_asked() {
    for (mix, load) in [(Mix::Philly, 60), (Mix::Llm, 130)] {
        let recipe = Recipe { load_percent: load, ..Recipe::new(mix, JOBS, 2048, 9) };
        let trace = recipe.make().unwrap();
        assert_eq!(trace.jobs.len() as u64, JOBS);
        assert!(trace.jobs.is_sorted_by_key(|job| job.submit));
        assert!(trace.jobs.iter().all(|job| job.check().is_ok()));
        let work: u128 = trace.jobs.iter().map(Job::milli_gpu_millis).sum();
        let room = u128::from(trace.length().0) * 2048 * 10;
        let percent = work / room;
        assert!(percent.abs_diff(u128::from(load)) <= 3, "{percent} for {load}");
    }
}

#[test]
fn no_job_is_larger_than_a_quarter_of_the_cluster() {
    for gpus_in_all in [8, 100, 1_000, 100_000] {
        let trace = Recipe::new(Mix::Llm, 5_000, gpus_in_all, 1).make().unwrap();
        let largest = trace.jobs.iter().map(gpus).max().unwrap();
        assert!(largest <= gpus_in_all / 4, "{largest} of {gpus_in_all}");
    }
}

#[test]
fn most_jobs_were_submitted_before_and_lasted_about_as_long() {
    let trace = make(Mix::Llm, 2048, 4);
    let mut runs: BTreeMap<(&str, &str), Vec<&Job>> = BTreeMap::new();
    for job in &trace.jobs {
        let key = (job.user.as_deref().unwrap(), job.name.as_deref().unwrap());
        runs.entry(key).or_default().push(job);
    }
    let first_runs = runs.len() as u64;
    assert!(first_runs * 10 < JOBS * 4, "{first_runs} of {JOBS}");
    // Two completed runs of one template are mostly within a factor of four of each other,
    // while two jobs of any kind are mostly not.
    let near = |one: &Job, other: &Job| {
        let (one, other) = (one.duration.0.max(1), other.duration.0.max(1));
        one.max(other) < 4 * one.min(other)
    };
    let (mut pairs, mut near_pairs) = (0, 0);
    for runs in runs.values() {
        let done: Vec<_> = runs.iter().filter(|job| !went_wrong(job)).collect();
        for pair in done.windows(2) {
            pairs += 1;
            near_pairs += u32::from(near(pair[0], pair[1]));
        }
    }
    let far = trace.jobs.iter().zip(trace.jobs.iter().skip(997));
    let strangers: u32 = far.map(|(one, other)| u32::from(near(one, other))).sum();
    assert!(near_pairs * 10 > pairs * 8, "{near_pairs} of {pairs}");
    assert!(u64::from(strangers) * 10 < JOBS * 6, "{strangers} of {JOBS}");
}

#[test]
fn few_users_submit_most_jobs_and_everyone_has_one_team() {
    let trace = make(Mix::Philly, 2048, 4);
    let mut counts: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    for job in &trace.jobs {
        let team = job.team.as_deref().unwrap();
        let entry = counts.entry(job.user.as_deref().unwrap()).or_insert((0, team));
        assert_eq!(entry.1, team);
        entry.0 += 1;
    }
    let mut sizes: Vec<u64> = counts.values().map(|(count, _)| *count).collect();
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    let top: u64 = sizes.iter().take(sizes.len() / 10).sum();
    assert!(sizes.len() > 100 && top * 10 > JOBS * 4, "{top} by a tenth of {}", sizes.len());
}

#[test]
fn what_cannot_be_made_is_refused_with_the_bounds() {
    let recipe = Recipe::new(Mix::Llm, 10, 64, 1);
    let cases = [
        (Recipe { jobs: 0, ..recipe }, "the jobs are 0\nhint: expected 1 to 100000000"),
        (Recipe { gpus: 7, ..recipe }, "the GPUs are 7\nhint: expected 8 to 1000000"),
        (Recipe { load_percent: 0, ..recipe }, "the load in percent are 0"),
    ];
    for (recipe, wanted) in cases {
        let said = recipe.make().unwrap_err().to_string();
        assert!(said.contains(wanted), "{said}");
    }
    assert_eq!("llm-like".parse(), Ok(Mix::Llm));
    assert!("big".parse::<Mix>().is_err());
}
