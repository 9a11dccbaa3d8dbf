//! What is followed over time adds up to what is counted otherwise.

use std::path::Path;

use muster_model::{MilliGpu, Millis, Time};
use muster_trace::{Cluster, Gpus, Job, Mix, Recipe, Trace};

use super::super::{Cost, Options, Replayed, Rules, run};
use super::{Series, Signal, buckets};

fn replay(trace: &Trace, line: &str, options: Options) -> (Replayed, Series) {
    let cluster = Cluster::find(line, Path::new("nowhere")).unwrap();
    let replayed = run(trace, &cluster, &Options { series: true, ..options }, |_| {}).unwrap();
    let series = replayed.series.clone().expect("it was asked for");
    (replayed, series)
}

fn small(jobs: &[(u64, u64, u32)]) -> Trace {
    let job = |&(submit, minutes, gpus): &(u64, u64, u32)| {
        let submit = Time(Millis::minutes(submit).0);
        Job::new("job", submit, Millis::minutes(minutes), Gpus::Whole(gpus))
    };
    Trace::new("small", jobs.iter().map(job).collect())
}

/// A signal every ten minutes.
fn every_ten_minutes(series: &Series, signal: Signal, until: u64) -> Vec<f64> {
    let at = |minute: u64| {
        let bucket = Millis::minutes(minute).0 / series.width.0;
        series.mean(signal, usize::try_from(bucket).unwrap())
    };
    (0..until).step_by(10).map(|minute| (at(minute + 5) * 100.0).round() / 100.0).collect()
}

#[test]
fn a_small_day_is_followed_from_job_to_job() {
    // Half a node for half an hour; a whole one must wait for nobody; two nodes for both.
    let trace = small(&[(0, 30, 4), (10, 10, 8), (10, 10, 16)]);
    let (_, series) = replay(&trace, "2x8:H100", Options::new(Rules::named("fifo").unwrap()));
    let signal = |signal| every_ten_minutes(&series, signal, 40);
    assert_eq!(series.length, Millis::minutes(40));
    assert_eq!(signal(Signal::Allocated), [4.0, 12.0, 4.0, 16.0]);
    assert_eq!(signal(Signal::Useful), [4.0, 12.0, 4.0, 16.0]);
    assert_eq!(signal(Signal::Waiting), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(signal(Signal::WaitingGpus), [0.0, 16.0, 16.0, 0.0]);
    // The other half of the node with four in use; the free node beside it is whole.
    assert_eq!(signal(Signal::Fragmented), [4.0, 4.0, 4.0, 0.0]);
}

#[test]
fn what_a_pause_costs_is_allocated_and_not_useful() {
    let trace = small(&[(0, 100, 8), (10, 10, 8)]);
    let (replayed, series) =
        replay(&trace, "1x8:H100", Options::new(Rules::named("srtf").unwrap()));
    let lost = (series.mean_of_all(Signal::Allocated) - series.mean_of_all(Signal::Useful))
        * series.length.0 as f64
        / 3_600_000.0;
    assert!((lost - replayed.figures().gpu_hours_lost).abs() < 1e-6, "{lost}");
    assert!(lost > 0.08);
}

/// Over all time the signals are what the figures say.
fn assert_conserved(replayed: &Replayed, series: &Series) {
    let (figures, gpus) = (replayed.figures(), replayed.gpus.iter().sum::<u64>() as f64);
    let near = |one: f64, other: f64| {
        assert!((one - other).abs() <= 1e-6 * other.abs().max(1e-3), "{one} and {other}");
    };
    near(series.mean_of_all(Signal::Allocated) / gpus, figures.allocated_share);
    near(series.mean_of_all(Signal::Useful) / gpus, figures.useful_share);
    let waited: u64 = replayed.records.iter().map(|record| record.waited.0).sum();
    near(series.mean_of_all(Signal::Waiting), waited as f64 / series.length.0 as f64);
    assert!(series.buckets() <= buckets::MOST);
    for bucket in 0..series.buckets() {
        let [allocated, fragmented] =
            [Signal::Allocated, Signal::Fragmented].map(|signal| series.mean(signal, bucket));
        assert!(allocated + fragmented <= gpus + 1e-6, "{allocated} and {fragmented} of {gpus}");
        assert!(series.mean(Signal::Useful, bucket) <= allocated + 1e-3);
    }
}

#[test]
fn means_over_all_buckets_are_the_figures_of_the_run() {
    let trace = Recipe { load_percent: 140, ..Recipe::new(Mix::Llm, 300, 64, 3) }.make().unwrap();
    let muster = || Options { check: false, ..Options::new(Rules::muster()) };
    let worlds = [
        muster(),
        Options { cost: Cost::Measured, ..muster() },
        Options { failures_ppm: 400_000, launch: Millis::seconds(20), ..muster() },
        Options { until: Some(Millis::hours(30)), ..muster() },
        Options { check: false, ..Options::new(Rules::named("srtf").unwrap()) },
    ];
    for (number, options) in worlds.into_iter().enumerate() {
        let (replayed, series) = replay(&trace, "8x8:H100", options);
        assert!(replayed.figures().preemptions > 0, "world {number} has no pauses");
        assert_conserved(&replayed, &series);
    }
}

#[test]
fn pools_and_shares_are_counted_too() {
    let mut trace = small(&[(0, 60, 8), (0, 60, 4), (5, 60, 8), (6, 30, 1)]);
    trace.jobs[3].gpus = Gpus::Share(MilliGpu(250));
    for (job, pool) in trace.jobs.iter_mut().zip(["a", "b", "a", "b"]) {
        job.pool = Some(pool.into());
    }
    let line = "1x8:H100/pool=a+1x8:H100/pool=b";
    let (replayed, series) = replay(&trace, line, Options::new(Rules::muster()));
    assert_conserved(&replayed, &series);
    let fragmented = every_ten_minutes(&series, Signal::Fragmented, 60);
    assert_eq!(fragmented, [4.0, 3.75, 3.75, 3.75, 4.0, 4.0]);
}

#[test]
fn following_a_replay_changes_nothing_about_it() {
    let trace = Recipe::new(Mix::Philly, 200, 32, 5).make().unwrap();
    let cluster = Cluster::find("4x8:H100", Path::new("nowhere")).unwrap();
    let options = Options { check: false, ..Options::new(Rules::muster()) };
    let plain = run(&trace, &cluster, &options, |_| {}).unwrap();
    let (followed, _) = replay(&trace, "4x8:H100", options);
    assert!(plain.series.is_none());
    assert_eq!(plain, Replayed { series: None, ..followed });
}
