//! Small traces with ends that can be told beforehand, every step judged.

mod sharing;
mod teams;

use std::path::Path;

use muster_model::{Millis, Policy, Time};
use muster_trace::{Cluster, Gpus, Job, Mix, Recipe, Trace};

use super::{Cost, Options, Replayed, Rules, run};

const MINUTE: u64 = 60_000;

/// A job: when it is submitted and how long it runs, in minutes, and its GPUs.
fn job(submit: u64, minutes: u64, gpus: u32) -> Job {
    let id = format!("{submit}-{minutes}-{gpus}");
    Job::new(id, Time(submit * MINUTE), Millis::minutes(minutes), Gpus::Whole(gpus))
}

fn cluster(line: &str) -> Cluster {
    Cluster::find(line, Path::new("nowhere")).unwrap()
}

/// Nobody is spared, and nothing but rank decides.
fn srtf() -> Options {
    Options::new(Rules::named("srtf").unwrap())
}

fn replay(jobs: Vec<Job>, line: &str, options: &Options) -> Replayed {
    run(&Trace::new("small", jobs), &cluster(line), options, |_| {}).unwrap()
}

/// When jobs ended, in seconds after the first was submitted.
fn ends(replayed: &Replayed) -> Vec<u64> {
    let seconds = |end: Time| end.since(replayed.first).0 / 1_000;
    replayed.records.iter().map(|record| seconds(record.end.unwrap())).collect()
}

#[test]
fn a_gang_waits_until_all_of_it_fits_and_takes_whole_nodes() {
    let fifo = Options::new(Rules::named("fifo").unwrap());
    let jobs = vec![job(0, 60, 1), job(1, 10, 16), job(2, 5, 8)];
    let replayed = replay(jobs.clone(), "2x8:H100", &fifo);
    // The head blocks, though the last would have a node.
    assert_eq!(ends(&replayed), [3_600, 4_200, 4_500]);
    let mut muster = Options { cost: Cost::Never, ..Options::new(Rules::muster()) };
    muster.rules.policy.reservations.most = 0;
    let replayed = replay(jobs, "2x8:H100", &muster);
    assert_eq!(ends(&replayed), [3_600, 4_200, 420]);
    let waited: Vec<u64> = replayed.records.iter().map(|record| record.waited.0 / 1_000).collect();
    assert_eq!(waited, [0, 3_540, 0]);
    assert_eq!(replayed.figures().max_gap_s, 3_540.0);
}

#[test]
fn a_pause_frees_gpus_at_once_and_costs_what_the_table_says() {
    for (line, gpus, cost) in [("1x8:H100", 8, 40), ("2x8:H100", 16, 60)] {
        let jobs = vec![job(0, 100, gpus), job(10, 5, gpus)];
        let replayed = replay(jobs, line, &srtf());
        assert_eq!(ends(&replayed), [6_300 + cost, 900], "{gpus} GPUs");
        let figures = replayed.figures();
        assert_eq!(figures.preemptions, 1);
        let lost = f64::from(gpus) * cost as f64 / 3_600.0;
        assert!((figures.gpu_hours_lost - lost).abs() < 1e-6, "{}", figures.gpu_hours_lost);
    }
}

#[test]
fn a_suspended_job_goes_on_after_what_moving_its_state_takes() {
    let jobs = vec![job(0, 100, 8), job(10, 5, 8)];
    let replayed = replay(jobs, "1x8:H100", &Options { cost: Cost::Measured, ..srtf() });
    let [first, second] = ends(&replayed)[..] else { panic!("two jobs") };
    // 20 GiB leave in eleven seconds, and are back in four.
    assert!((911..=912).contains(&second), "{second}");
    assert!((6_315..=6_316).contains(&first), "{first}");
    assert_eq!(replayed.figures().preemptions, 1);
}

#[test]
fn nobody_is_paused_where_that_is_switched_off() {
    let jobs = vec![job(0, 100, 8), job(10, 5, 8)];
    let replayed = replay(jobs, "1x8:H100", &Options { cost: Cost::Never, ..srtf() });
    assert_eq!(ends(&replayed), [6_000, 6_300]);
}

#[test]
fn jobs_stay_in_their_pool_and_those_of_none_are_refused() {
    let in_pool = |pool: &str, job: Job| Job { pool: Some(pool.into()), ..job };
    let jobs = vec![
        in_pool("a", job(0, 60, 8)),
        in_pool("a", job(1, 60, 8)),
        in_pool("b", job(2, 60, 8)),
        in_pool("c", job(3, 60, 8)),
        in_pool("b", job(3, 60, 9)),
    ];
    let options = Options::new(Rules::named("fifo").unwrap());
    let replayed = replay(jobs, "1x8:H100/pool=a+1x8:H100/pool=b", &options);
    assert_eq!(ends(&replayed), [3_600, 7_200, 3_720]);
    let refused: Vec<usize> = replayed.refused.iter().map(|(index, _)| *index).collect();
    assert_eq!(refused, [3, 4]);
    assert_eq!(replayed.figures().refused, 2);
}

#[test]
fn a_replay_that_is_cut_short_counts_what_had_not_ended() {
    let options = Options { until: Some(Millis::minutes(90)), ..srtf() };
    let replayed = replay(vec![job(0, 60, 8), job(0, 120, 8)], "1x8:H100", &options);
    let figures = replayed.figures();
    assert_eq!((figures.jobs, figures.unfinished), (1, 1));
    assert_eq!(figures.makespan_s, 5_400.0);
    assert_eq!(figures.allocated_share, 1.0);
}

#[test]
fn jobs_come_as_many_times_faster_as_asked() {
    let options = Options { scale_milli: 2_000, ..srtf() };
    let replayed = replay(vec![job(10, 1, 8), job(30, 1, 8)], "1x8:H100", &options);
    assert_eq!(ends(&replayed), [60, 660]);
}

#[test]
fn nodes_that_are_slow_to_launch_are_waited_for() {
    let options = Options { launch: Millis::minutes(10), ..srtf() };
    let replayed = replay(vec![job(0, 60, 8), job(0, 20, 8)], "2x8:H100", &options);
    assert_eq!(ends(&replayed), [70 * 60, 30 * 60]);
}

#[test]
fn deadlines_are_counted_from_the_end_of_each_job() {
    let due = |minute: u64, job: Job| Job { deadline: Some(Time(minute * MINUTE)), ..job };
    let jobs = vec![due(60, job(0, 60, 8)), due(90, job(0, 60, 8)), job(0, 60, 8)];
    let figures = replay(jobs, "1x8:H100", &srtf()).figures();
    assert_eq!(figures.deadlines_met_share, Some(0.5));
}

#[test]
fn work_since_the_latest_save_is_lost_with_a_node() {
    let jobs: Vec<Job> = (0..6).map(|_| job(0, 3_000, 8)).collect();
    let options = Options { failures_ppm: 300_000, ..Options::new(Rules::muster()) };
    let replayed = replay(jobs, "6x8:H100", &options);
    let figures = replayed.figures();
    assert_eq!((figures.jobs, figures.unfinished), (6, 0));
    assert!(figures.gpu_hours_lost > 1.0, "{}", figures.gpu_hours_lost);
    // An hour and a restart at most for each failure, of which there are few.
    assert!(figures.gpu_hours_lost < 8.0 * 6.0 * 4.0, "{}", figures.gpu_hours_lost);
}

#[test]
fn a_made_up_week_keeps_every_promise_and_repeats_to_the_byte() {
    let trace = Recipe { load_percent: 140, ..Recipe::new(Mix::Llm, 250, 64, 3) }.make().unwrap();
    let mut policy = Policy::default();
    policy.pausing.run_min = Millis::minutes(1);
    let options = Options::new(Rules { policy, ..Rules::muster() });
    let once = run(&trace, &cluster("8x8:H100"), &options, |_| {}).unwrap();
    let twice = run(&trace, &cluster("8x8:H100"), &options, |_| {}).unwrap();
    assert_eq!(once, twice);
    let figures = once.figures();
    assert_eq!((figures.jobs, figures.unfinished, figures.refused), (250, 0, 0));
    assert!(figures.preemptions > 0, "an overload without a pause proves little");
    assert!(figures.mean_jct_s >= figures.bound_mean_jct_s);
    let unchecked = run(&trace, &cluster("8x8:H100"), &Options { check: false, ..options }, |_| {});
    assert_eq!(unchecked.unwrap(), once);
}

#[test]
fn jobs_that_wait_are_told_a_latest_start_and_have_started_by_then() {
    let trace =
        Recipe { load_percent: 140, ..Recipe::new(Mix::Philly, 250, 64, 3) }.make().unwrap();
    let options = Options { promises: true, ..Options::new(Rules::muster()) };
    let asked = run(&trace, &cluster("8x8:H100"), &options, |_| {}).unwrap();
    let promises = asked.promises.expect("they asked");
    assert!(promises.told > 20 && promises.asked >= promises.told, "{promises:?}");
    assert_eq!(promises.broken, 0, "{promises:?}");
    // Asking changes nothing.
    let plain = run(&trace, &cluster("8x8:H100"), &Options { promises: false, ..options }, |_| {});
    assert_eq!(plain.unwrap(), Replayed { promises: None, ..asked });
}

#[test]
fn gang_on_several_nodes_takes_as_much_longer_as_is_said() {
    let slow = Options { slowdown: "1.5".parse().unwrap(), ..srtf() };
    let replayed = replay(vec![job(0, 60, 16), job(0, 30, 8)], "3x8:H100", &slow);
    assert_eq!(ends(&replayed), [5_400, 1_800]);
    let figures = replayed.figures();
    assert!((figures.gpu_hours_lost - 8.0).abs() < 1e-6, "half an hour of sixteen GPUs");
}

#[test]
fn what_a_slow_gang_has_done_before_a_pause_is_counted_by_its_own_pace() {
    let slow = Options { slowdown: "2".parse().unwrap(), ..srtf() };
    let jobs = vec![job(0, 100, 16), job(10, 5, 16)];
    // It has done five minutes of work in ten, and is back after ten more.
    let replayed = replay(jobs, "2x8:H100", &slow);
    assert_eq!(ends(&replayed), [(10 + 10) * 60 + 95 * 2 * 60 + 2 * 60, 1_200]);
}
