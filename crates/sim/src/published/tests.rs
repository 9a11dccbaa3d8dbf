//! The rules on clusters small enough to follow by hand, and against the same rules written down
//! second by second.

mod naive;

use muster_model::{Millis, Time};
use muster_trace::{Cluster, Gpus, Trace};
use proptest::prelude::*;

use super::nodes::Nodes;
use super::{Figures, Job, Outcome, Pool, PublishedError, Rule, Setting};

fn job(submit_s: u64, duration_s: u64, gpus: u32) -> Job {
    Job { submit_s, duration_s, gpus, deadline_s: None }
}

fn pool(nodes: u32, jobs: impl Into<Vec<Job>>) -> Pool {
    Pool { name: String::new(), nodes, gpus_per_node: 8, jobs: jobs.into() }
}

fn waits(outcomes: &[Outcome]) -> Vec<u64> {
    outcomes.iter().map(|outcome| outcome.wait_s).collect()
}

#[test]
fn nobody_passes_the_first_in_line_under_fifo() {
    let pool = pool(1, [job(0, 100, 6), job(1, 10, 8), job(2, 10, 1)]);
    let outcomes = pool.run(Rule::Fifo);
    assert_eq!(waits(&outcomes), [0, 99, 108]);
    assert_eq!(outcomes[2], Outcome { wait_s: 108, gap_s: 108, jct_s: 118, preemptions: 0 });
}

#[test]
fn the_shortest_is_first_under_sjf_and_blocks_too() {
    let jobs = [job(0, 100, 6), job(1, 50, 1), job(1, 10, 8), job(2, 20, 1)];
    assert_eq!(waits(&pool(1, jobs).run(Rule::Sjf)), [0, 109, 99, 108]);
}

#[test]
fn equals_keep_the_order_of_the_file() {
    let jobs = [job(0, 10, 8), job(5, 10, 8), job(5, 10, 8)];
    for rule in Rule::ALL {
        let waits = waits(&pool(1, jobs).run(rule));
        assert!(waits[1] < waits[2], "{rule}: {waits:?}");
    }
}

#[test]
fn the_earliest_deadline_is_first_under_edf() {
    let late = Job { deadline_s: Some(500), ..job(1, 10, 8) };
    let soon = Job { deadline_s: Some(200), ..job(2, 10, 8) };
    let outcomes = pool(1, [job(0, 100, 8), job(0, 10, 8), late, soon]).run(Rule::Edf);
    assert_eq!(waits(&outcomes), [0, 120, 109, 98]);
}

#[test]
fn srtf_preempts_at_a_cost_and_runs_end_a_second_late() {
    let outcomes = pool(1, [job(0, 100, 8), job(10, 20, 8)]).run(Rule::Srtf);
    assert_eq!(outcomes[1], Outcome { jct_s: 21, ..Outcome::default() });
    // 90 s left and 40 s more, from the second on in which the other ends.
    assert_eq!(outcomes[0], Outcome { wait_s: 21, gap_s: 21, jct_s: 31 + 131, preemptions: 1 });
}

#[test]
fn who_is_selected_without_a_place_uses_up_the_count() {
    // Three GPUs are free on each node. The gang of six is selected for them by count; there is no
    // such place, and the last job gets none of them either.
    let jobs = [job(0, 100, 5), job(0, 101, 5), job(1, 150, 6), job(2, 160, 1)];
    let outcomes = pool(2, jobs).run(Rule::Srtf);
    assert_eq!(outcomes[2].wait_s, 100);
    assert_eq!(outcomes[3].wait_s, 99);
    assert_eq!(outcomes[0].preemptions + outcomes[1].preemptions, 0);
}

#[test]
fn tiresias_decides_at_round_minutes_and_lets_go_who_had_enough() {
    // 18,000 GPU-seconds are 2,250 s of eight GPUs, over at 2,310; the next minute is 2,340.
    let outcomes = pool(1, [job(30, 5_000, 8), job(70, 100, 8)]).run(Rule::Tiresias);
    assert_eq!((outcomes[0].preemptions, outcomes[1].preemptions), (1, 0));
    assert_eq!(outcomes[1].wait_s, 2_340 - 70);
    assert_eq!(outcomes[1].jct_s, 2_340 + 101 - 70);
    // It began at 60, was stopped at 2,340 and goes on at 2,460, the first minute after 2,441.
    assert_eq!(outcomes[0].jct_s, 2_460 + (5_000 - 2_280 + 40) + 1 - 30);
}

#[test]
fn a_gang_is_put_on_the_tightest_node_and_larger_ones_on_free_nodes() {
    let mut nodes = Nodes::new(&pool(3, []));
    assert_eq!(nodes.take(5), Some(vec![(0, 5)]));
    assert_eq!(nodes.take(2), Some(vec![(0, 2)]));
    assert_eq!(nodes.take(4), Some(vec![(1, 4)]));
    assert_eq!(nodes.take(16), None);
    assert_eq!(nodes.take(12), Some(vec![(2, 8), (1, 4)]));
    nodes.give(&vec![(2, 8), (1, 4)]);
    assert_eq!(nodes.take(13), None, "no node has five left beside the free one");
    nodes.give(&vec![(1, 4)]);
    assert_eq!(nodes.take(13), Some(vec![(1, 8), (2, 5)]));
}

#[test]
fn a_trace_is_split_by_the_pools_of_its_cluster() {
    let text = "job_id,user,vc,gpu_num,cpu_num,state,submit_time,duration
1,a,left,8,8,COMPLETED,0,100\n2,a,right,8,8,COMPLETED,0,50\n3,a,left,8,8,COMPLETED,1,10\n";
    let trace = Trace::read("tiny", text.as_bytes(), &Default::default()).unwrap();
    let traces = std::path::Path::new("none");
    let pooled = Cluster::find("1x8:V100/pool=left+1x8:V100/pool=right", traces).unwrap();
    let setting = Setting::new(&trace, &pooled).unwrap();
    let outcomes = setting.run(Rule::Fifo);
    assert_eq!(waits(&outcomes), [0, 0, 99]);
    let figures = Figures::of(&setting, Rule::Fifo, &outcomes);
    assert_eq!((figures.jobs, figures.mean_queue_s, figures.makespan_s), (3, 33.0, 110));
    assert_eq!((figures.p50_jct_s, figures.p99_jct_s, figures.max_gap_s), (100, 109, 99));
    assert_eq!(figures.pools[0].mean_queue_s, 49.5);
    let merged = Setting::new(&trace, &pooled.merged()).unwrap();
    assert_eq!(waits(&merged.run(Rule::Fifo)), [0, 0, 49]);
}

#[test]
fn what_could_never_run_is_refused() {
    let cluster = |line: &str| Cluster::find(line, std::path::Path::new("none")).unwrap();
    let trace = |gpus| {
        let job = muster_trace::Job::new("1", Time(0), Millis::hours(1), gpus);
        Trace::new("one", vec![job])
    };
    let refused = |gpus, line| Setting::new(&trace(gpus), &cluster(line)).unwrap_err();
    let large = refused(Gpus::Whole(9), "1x8:V100");
    assert!(matches!(large, PublishedError::TooLarge { gpus: 9, most: 8, .. }), "{large}");
    let share = refused(Gpus::Share(muster_model::MilliGpu(500)), "1x8:V100");
    assert!(matches!(share, PublishedError::Share { gpus: 500, .. }), "{share}");
    let unequal = refused(Gpus::Whole(1), "1x8:V100+1x4:V100");
    assert!(matches!(unequal, PublishedError::Unequal { one: 8, other: 4, .. }), "{unequal}");
    let nowhere = refused(Gpus::Whole(1), "1x8:V100/pool=left");
    assert!(matches!(nowhere, PublishedError::NoPool { .. }), "{nowhere}");
}

/// A crowded pool: gangs that do and do not fit on a node, with many equal times.
pub(super) fn crowds() -> impl Strategy<Value = Pool> {
    let gpus = prop_oneof![4 => 1_u32..=4, 3 => Just(8), 2 => 5_u32..=8, 1 => 9_u32..=16];
    let jobs = prop::collection::vec((0_u64..400, 1_u64..300, gpus), 1..25);
    (2_u32..=3, jobs).prop_map(|(nodes, jobs)| {
        let mut jobs: Vec<Job> =
            jobs.into_iter().map(|(submit, long, gpus)| job(submit, long, gpus)).collect();
        jobs.sort_by_key(|job| job.submit_s);
        pool(nodes, jobs)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn skipped_seconds_change_nothing(pool in crowds(), times in 1_u64..120) {
        prop_assert_eq!(pool.run(Rule::Srtf), naive::srtf(&pool));
        // Longer jobs, so that some fall to the lower level.
        let mut long = pool;
        long.jobs.iter_mut().for_each(|job| job.duration_s *= times);
        prop_assert_eq!(long.run(Rule::Tiresias), naive::tiresias(&long));
    }
}
