//! What every history forgets, and what it never does.

use muster_store::History;
use muster_store::history::{
    AttemptRow, Before, Change, EventFilter, EventPage, EventPosition, EventRow, Forgotten,
    JobDocument, JobFilter, JobRow, PlacementRow, StepRow,
};

use super::history::{job, reader};
use super::ledger::{held, sample};

pub(crate) fn ended(id: u64, ended_ms: u64) -> Change {
    Change::Job(JobRow { ended_ms: Some(ended_ms), ..job(id, "user-a", "ended") })
}

fn event(sequence: u64, time_ms: u64, job_id: Option<u64>) -> Change {
    let at = EventPosition { sequence, part: 0 };
    Change::Event(EventRow { at, time_ms, job_id, ..EventRow::default() })
}

/// All that there is of one job.
fn whole(id: u64, ended_ms: u64) -> Vec<Change> {
    let (spec, node) = ("{}".to_owned(), "node-1".to_owned());
    vec![
        ended(id, ended_ms),
        Change::Document(JobDocument { job_id: id, spec, program: None }),
        Change::Attempt(AttemptRow { job_id: id, attempt: 1, ..AttemptRow::default() }),
        Change::Placement(PlacementRow { job_id: id, attempt: 1, node, ..PlacementRow::default() }),
        Change::Step(StepRow { job_id: id, attempt: 1, ..StepRow::default() }),
        held(id, ended_ms - 50, 1000),
        held(id, ended_ms, 0),
        sample(id, (ended_ms - 50, ended_ms), 50, Some(20)),
        event(id, ended_ms, Some(id)),
    ]
}

/// Forgets until nothing is left to forget, and adds it all up.
pub(crate) fn forget(history: &mut dyn History, time_ms: u64, keep: u64) -> Forgotten {
    forget_by(history, Before::all(time_ms), keep)
}

/// The same with a time for each kind.
pub(crate) fn forget_by(history: &mut dyn History, before: Before, keep: u64) -> Forgotten {
    let mut sum = Forgotten::default();
    // Ends: every call but the last forgets something.
    loop {
        let part = history.forget_before(before, keep).unwrap();
        sum.jobs += part.jobs;
        sum.events += part.events;
        sum.samples += part.samples;
        if !part.is_more {
            return sum;
        }
    }
}

fn jobs(history: &dyn History) -> Vec<u64> {
    let all = reader(history).jobs(&JobFilter::default(), None, 100).unwrap();
    all.iter().map(|job| job.id).collect()
}

pub(crate) fn old_jobs_go_with_all_that_is_theirs(history: &mut dyn History) {
    let mut changes = whole(1, 1_000);
    changes.extend(whole(2, 2_000));
    changes.extend([event(3, 500, None), event(4, 2_500, None), event(5, 100, Some(2))]);
    history.record(5, &changes).unwrap();
    let forgotten = forget(history, 2_000, 0);
    assert_eq!(forgotten, Forgotten { jobs: 1, events: 2, samples: 1, is_more: false });
    let reader = reader(history);
    assert_eq!(jobs(history), [2]);
    assert_eq!(reader.document(1).unwrap(), None);
    assert_eq!(reader.attempts(1).unwrap(), []);
    assert_eq!(reader.placements(1, 1, None, 10).unwrap(), []);
    assert!(reader.document(2).unwrap().is_some());
    assert_eq!(reader.attempts(2).unwrap().len(), 1);
    let left = reader.events(&EventFilter::default(), EventPage::Latest, 10).unwrap();
    let left: Vec<_> = left.iter().map(|event| event.at.sequence).collect();
    assert_eq!(left, [5, 4, 2], "an old event of a job that is kept is kept");
}

pub(crate) fn jobs_events_and_samples_are_kept_for_as_long_as_each_is_wanted(
    history: &mut dyn History,
) {
    let mut changes = whole(1, 1_000);
    changes.extend([event(2, 500, None), sample(1, (940, 945), 5, Some(2))]);
    history.record(2, &changes).unwrap();
    assert_eq!(history.forget_before(Before::default(), 0).unwrap(), Forgotten::default());
    let events = Before { events_ms: 2_000, ..Before::default() };
    let forgotten = history.forget_before(events, 0).unwrap();
    assert_eq!(forgotten, Forgotten { events: 1, ..Forgotten::default() });
    let spans = Before { samples_ms: 3_600_000, ..Before::default() };
    let forgotten = history.forget_before(spans, 0).unwrap();
    assert_eq!(forgotten, Forgotten { samples: 1, is_more: true, ..Forgotten::default() });
    assert_eq!(jobs(history), [1]);
    let forgotten = history.forget_before(Before { jobs_ms: 2_000, ..spans }, 0).unwrap();
    assert_eq!((forgotten.jobs, forgotten.events), (1, 1), "its events go with it");
}

pub(crate) fn the_latest_ended_jobs_are_kept(history: &mut dyn History) {
    let changes: Vec<_> = (1..=6).map(|id| ended(id, 7_000 - id * 1_000)).collect();
    history.record(1, &changes).unwrap();
    assert_eq!(forget(history, u64::MAX, 4).jobs, 2);
    assert_eq!(jobs(history), [4, 3, 2, 1], "those that ended first go first");
    assert_eq!(forget(history, u64::MAX, 4).jobs, 0);
}

pub(crate) fn live_jobs_are_never_forgotten(history: &mut dyn History) {
    let old = JobRow { submitted_ms: 1, started_ms: Some(2), ..job(1, "user-a", "running") };
    history
        .record(1, &[Change::Job(old), held(1, 10, 1000), sample(1, (10, 20), 10, None)])
        .unwrap();
    assert_eq!(forget(history, u64::MAX, 0), Forgotten::default());
    assert_eq!(jobs(history), [1]);
}

pub(crate) fn forgetting_much_takes_several_calls(history: &mut dyn History) {
    let changes: Vec<_> = (1..=2_500).map(|id| ended(id, id)).collect();
    history.record(1, &changes).unwrap();
    let first = history.forget_before(Before::all(u64::MAX), 0).unwrap();
    assert!(first.is_more && first.jobs < 2_500, "{first:?}");
    assert_eq!(forget(history, u64::MAX, 0).jobs, 2_500 - first.jobs);
    assert_eq!(jobs(history), [] as [u64; 0]);
}

pub(crate) fn compaction_gives_pages_back(history: &mut dyn History) {
    let spec = "x".repeat(100_000);
    for id in 1..=10 {
        let document = JobDocument { job_id: id, spec: spec.clone(), program: None };
        history.record(id, &[ended(id, 1), Change::Document(document)]).unwrap();
    }
    assert_eq!(history.compact(u32::MAX).unwrap(), 0);
    forget(history, 2, 0);
    let left = history.compact(10).unwrap();
    assert!(left > 100, "a megabyte is some 250 pages, {left} left");
    assert_eq!(history.compact(100).unwrap(), left - 100);
    assert_eq!(history.compact(u32::MAX).unwrap(), 0);
}
