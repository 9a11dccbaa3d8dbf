//! What every history answers about how busy each GPU of a job was.

use muster_store::History;
use muster_store::history::{
    ActivityQuestion, Before, Change, GpuActivity, GpuSample, HeldPlace, HoldingRow, SampleRow,
};

use super::history::{job, reader};
use super::retention::forget_by;

const HOUR_MS: u64 = 3_600_000;
const FIVE_MS: u64 = HOUR_MS / 12;

/// Two GPUs of each of two nodes are held from the beginning on.
fn held() -> [Change; 2] {
    let place = |node: &str| HeldPlace { node: node.into(), model: "H100".into(), gpus: 2000 };
    let places = vec![place("node-1"), place("node-2")];
    let holding = HoldingRow { job_id: 1, attempt: 1, at_ms: 0, places };
    [Change::Job(job(1, "user-a", "running")), Change::Holding(holding)]
}

fn sample(node: &str, (from_ms, to_ms): (u64, u64), busy: [Option<u32>; 2]) -> Change {
    let held_gpu_ms = 2 * (to_ms - from_ms);
    let active: Option<u64> =
        busy.iter().map(|busy| Some(u64::from((*busy)?) * (to_ms - from_ms) / 1000)).sum();
    let gpus = (0..).zip(busy).map(|(gpu, busy)| GpuSample { gpu, busy }).collect();
    let (node, active_gpu_ms) = (node.to_owned(), active);
    Change::Sample(SampleRow {
        job_id: 1,
        attempt: 1,
        node,
        from_ms,
        to_ms,
        held_gpu_ms,
        active_gpu_ms,
        gpus,
    })
}

fn ask(history: &dyn History, to_ms: u64, step_ms: u64, limit: usize) -> GpuActivity {
    let question = ActivityQuestion { job_id: 1, attempt: 1, from_ms: 0, to_ms, step_ms, limit };
    reader(history).activity(&question).unwrap()
}

/// Node, GPU and how busy it was.
fn whole(activity: &GpuActivity) -> Vec<(&str, u32, Option<u32>)> {
    activity.rows.iter().map(|row| (row.node.as_str(), row.gpu, row.busy)).collect()
}

pub(crate) fn each_gpu_is_told_of_and_those_least_busy_first(history: &mut dyn History) {
    let changes = [
        sample("node-1", (0, 100), [Some(1000), Some(400)]),
        sample("node-1", (100, 200), [Some(800), Some(0)]),
        sample("node-2", (50, 200), [None, Some(600)]),
    ];
    history.record(1, &[held().to_vec(), changes.to_vec()].concat()).unwrap();
    let all = ask(history, 200, 100, 10);
    let order = [
        ("node-1", 1, Some(200)),
        ("node-2", 1, Some(600)),
        ("node-1", 0, Some(900)),
        ("node-2", 0, None),
    ];
    assert_eq!(whole(&all), order, "what nobody measured is not called idle");
    assert_eq!(all.rows[0].steps, [Some(400), Some(0)]);
    assert_eq!(all.rows[1].steps, [Some(600), Some(600)]);
    assert_eq!(all.rows[3].steps, [None, None]);
    let worst = ask(history, 200, 100, 1);
    assert_eq!((whole(&worst), worst.more), (order[..1].to_vec(), 3));
    let early = ask(history, 50, 20, 10);
    assert_eq!(whole(&early), [("node-1", 1, Some(400)), ("node-1", 0, Some(1000))]);
    assert_eq!(early.rows[0].steps, [Some(400); 3], "the last step is half a one");
}

pub(crate) fn each_gpu_is_told_of_by_the_hour_once_samples_are_summed_up(
    history: &mut dyn History,
) {
    let mut changes = held().to_vec();
    // Twelve to an hour and not in step with it; one GPU is idle, one gets busier.
    changes.extend((0..36).map(|number: u32| {
        let from_ms = 1000 + u64::from(number) * FIVE_MS;
        sample("node-1", (from_ms, from_ms + FIVE_MS), [Some(number * 20), Some(0)])
    }));
    history.record(1, &changes).unwrap();
    let by_hours = |history: &dyn History| ask(history, 3 * HOUR_MS, HOUR_MS, 10);
    let before = by_hours(history);
    assert_eq!(before.rows[1].steps.len(), 3);
    let old = Before { samples_ms: 4 * HOUR_MS, ..Before::default() };
    let fewer = forget_by(history, old, 0).samples;
    assert!(fewer > 30, "{fewer} of 36 are gone");
    let after = by_hours(history);
    assert_eq!(after.rows[0], before.rows[0], "the idle one is as idle as it was");
    for (after, before) in after.rows[1].steps.iter().zip(&before.rows[1].steps) {
        let apart = after.unwrap().abs_diff(before.unwrap());
        assert!(apart <= 4, "a step of what is kept: {after:?}, {before:?}");
    }
}
