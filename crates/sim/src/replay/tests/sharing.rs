//! Jobs that have part of a GPU, alone and beside others.

use muster_model::{MilliGpu, Millis};
use muster_trace::{Gpus, Job};

use super::super::{Cost, Options, Replayed, Rules};
use super::{ends, job, replay};

/// A job that asks for so many thousandths of a GPU.
fn share(submit: u64, minutes: u64, milli: u64) -> Job {
    Job { gpus: Gpus::Share(MilliGpu(milli)), ..job(submit, minutes, 1) }
}

fn shared(factors: &str) -> Options {
    let rules = Rules::named("fifo").unwrap();
    Options { slowdown_shared: factors.parse().unwrap(), ..Options::new(rules) }
}

fn minutes(replayed: &Replayed) -> Vec<f64> {
    ends(replayed).iter().map(|seconds| *seconds as f64 / 60.0).collect()
}

#[test]
fn two_who_share_a_gpu_take_longer_by_the_factor_while_both_compute() {
    let jobs = vec![share(0, 60, 500), share(20, 24, 500)];
    let alone = replay(jobs.clone(), "1x1:H100", &Options::new(Rules::named("fifo").unwrap()));
    assert_eq!(minutes(&alone), [60.0, 44.0]);
    // The second does its 24 minutes in 30. The first has done 20 and then 24 of 60 by then.
    let both = replay(jobs, "1x1:H100", &shared("1.25"));
    assert_eq!(minutes(&both), [66.0, 50.0]);
    let slowed: Vec<Millis> = both.records.iter().map(|record| record.slowed).collect();
    assert_eq!(slowed, [Millis::minutes(6); 2]);
    let figures = both.figures();
    // Half a GPU for 66 minutes and half for 30, of which 60 and 24 were needed.
    assert!((figures.allocated_share - 48.0 / 66.0).abs() < 1e-9, "{}", figures.allocated_share);
    assert!((figures.useful_share - 42.0 / 66.0).abs() < 1e-9, "{}", figures.useful_share);
    assert!((figures.gpu_hours_lost - 0.1).abs() < 1e-9, "{}", figures.gpu_hours_lost);
}

#[test]
fn whoever_has_a_gpu_to_themselves_is_not_slowed_down() {
    // Each has a card of its own: three quarters and a half do not fit on one.
    let jobs = vec![share(0, 60, 750), share(0, 30, 500), job(0, 45, 1)];
    let replayed = replay(jobs, "1x3:H100", &shared("2"));
    assert_eq!(minutes(&replayed), [60.0, 30.0, 45.0]);
    assert_eq!(replayed.figures().gpu_hours_lost, 0.0);
}

#[test]
fn each_further_neighbour_counts_as_it_comes_and_goes() {
    let jobs = vec![share(0, 100, 250), share(10, 50, 250), share(20, 20, 250)];
    let replayed = replay(jobs, "1x1:H100", &shared("1.25,2"));
    // Until 20 the second has done 8 of 50. Of three, the last does its 20 in 40, as do the others.
    // From 60 on two are left: the second has 22 to do, the first 100 - 10 - 8 - 20 = 62.
    // The second is over 27.5 minutes later, when the first has 40 to do and is alone.
    assert_eq!(minutes(&replayed), [127.5, 87.5, 60.0]);
}

#[test]
fn a_neighbour_counts_from_when_it_computes_and_not_while_it_is_launched() {
    let jobs = vec![share(0, 60, 500), share(10, 12, 500)];
    let options = Options { launch: Millis::minutes(1), ..shared("1.5") };
    let replayed = replay(jobs, "1x1:H100", &options);
    // They begin at 1 and at 11; the second is over 18 minutes later, the first has done 12 more.
    assert_eq!(minutes(&replayed), [67.0, 29.0]);
}

#[test]
fn what_a_job_was_slowed_down_by_is_not_useful_even_if_it_did_not_end() {
    let jobs = vec![share(0, 100, 500), share(0, 100, 500)];
    let options = Options { until: Some(Millis::minutes(50)), series: true, ..shared("1.25") };
    let replayed = replay(jobs, "1x1:H100", &options);
    let figures = replayed.figures();
    assert_eq!((figures.jobs, figures.unfinished), (0, 2));
    assert_eq!((figures.allocated_share, figures.useful_share), (1.0, 0.8));
    let series = replayed.series.unwrap();
    assert!((series.mean_of_all(super::super::Signal::Useful) - 0.8).abs() < 1e-9);
}

#[test]
fn neighbours_that_a_node_takes_with_it_are_forgotten() {
    let jobs: Vec<Job> = (0..8).map(|_| share(0, 3_000, 500)).collect();
    let failing = Options { failures_ppm: 300_000, cost: Cost::Never, ..shared("1.25") };
    let replayed = replay(jobs.clone(), "2x2:H100", &failing);
    assert_eq!(replayed.figures().unfinished, 0);
    assert_eq!(replayed, replay(jobs, "2x2:H100", &failing), "the same again, to the millisecond");
    for record in &replayed.records {
        // At most five fourths of all it held, and of each end something was shared.
        assert!(record.slowed.0 > 0 && record.slowed.0 * 5 <= record.held.0, "{record:?}");
    }
}
