//! What every history does with what it is told and asked.

use muster_store::History;
use muster_store::history::{
    AttemptRow, Change, EventFilter, EventPage, EventPosition, EventRow, HistoryReader,
    JobDocument, JobFilter, JobRow, NodeRow, PlacementRow, StepRow,
};

pub(crate) fn job(id: u64, user: &str, state: &str) -> JobRow {
    JobRow {
        id,
        name: format!("train-{id}"),
        user: user.to_owned(),
        team: "team-a".to_owned(),
        queue: if id.is_multiple_of(2) { "even" } else { "odd" }.to_owned(),
        class: "standard".to_owned(),
        tasks: 2,
        gpus: 16_000,
        state: state.to_owned(),
        submitted_ms: id * 100,
        ..JobRow::default()
    }
}

fn event(sequence: u64, part: u64, job_id: Option<u64>, node: Option<&str>) -> EventRow {
    EventRow {
        at: EventPosition { sequence, part },
        time_ms: sequence * 10,
        kind: "started".to_owned(),
        job_id,
        node: node.map(str::to_owned),
        text: format!("event {sequence}.{part}"),
    }
}

fn step(step: u64) -> StepRow {
    let (name, view) = ("train".to_owned(), "{}".to_owned());
    let (started_ms, ended_ms) = (Some(200), Some(300));
    StepRow { job_id: 1, attempt: 1, step, name, started_ms, ended_ms, view }
}

fn placement(group_index: u64, rank: u64) -> PlacementRow {
    let (node, gpus) = ("node-1".to_owned(), "0,1".to_owned());
    PlacementRow { job_id: 1, attempt: 1, node, group_index, rank, gpus, share_milli: None }
}

fn ids(jobs: &[JobRow]) -> Vec<u64> {
    jobs.iter().map(|job| job.id).collect()
}

pub(crate) fn reader(history: &dyn History) -> Box<dyn HistoryReader> {
    history.reader().expect("a history can be read")
}

pub(crate) fn rows_come_back_as_they_were_recorded(history: &mut dyn History) {
    let full = JobRow {
        array_id: Some(1),
        array_index: Some(0),
        outcome: Some("failed".to_owned()),
        exit: Some(-9),
        exit_signal: Some("KILL".into()),
        cancelled_by: Some("user-b".into()),
        started_ms: Some(200),
        ended_ms: Some(300),
        attempts: 2,
        ..job(1, "user-a", "ended")
    };
    let (spec, program) = ("{\"gpus\":8}".to_owned(), Some("[\"true\"]".to_owned()));
    let document = JobDocument { job_id: 1, spec, program };
    let attempt = |number| AttemptRow {
        job_id: 1,
        attempt: number,
        launched_ms: 150,
        started_ms: Some(200),
        ended_ms: Some(300),
        outcome: Some("failed".to_owned()),
        nodes: 2,
        gpus: 16_000,
        note: Some("preempted by job 2".to_owned()),
        lost: (number == 2).then_some(muster_store::history::Cause::Failed),
        saved_ms: None,
    };
    let place = PlacementRow { share_milli: Some(250), ..placement(0, 0) };
    let changes = [
        Change::Job(full.clone()),
        Change::Document(document.clone()),
        Change::Attempt(attempt(2)),
        Change::Attempt(attempt(1)),
        Change::Placement(place.clone()),
        Change::Step(step(2)),
        Change::Step(StepRow { ended_ms: None, ..step(1) }),
        Change::Step(step(1)),
    ];
    assert_eq!(history.watermark().unwrap(), 0);
    history.record(7, &changes).unwrap();
    assert_eq!(history.watermark().unwrap(), 7);
    let reader = reader(history);
    assert_eq!(reader.job(1).unwrap(), Some(full));
    assert_eq!(reader.job(2).unwrap(), None);
    assert_eq!(reader.document(1).unwrap(), Some(document));
    assert_eq!(reader.attempts(1).unwrap(), [attempt(1), attempt(2)]);
    assert_eq!(reader.placements(1, 1, None, 10).unwrap(), [place]);
    assert_eq!(reader.placements(1, 2, None, 10).unwrap(), []);
    assert_eq!(reader.steps(1).unwrap(), [step(1), step(2)]);
    assert_eq!(reader.steps(2).unwrap(), []);
}

pub(crate) fn recording_again_changes_nothing(history: &mut dyn History) {
    let changes = [
        Change::Job(job(1, "user-a", "queued")),
        Change::Job(job(1, "user-a", "running")),
        Change::Event(event(3, 0, Some(1), None)),
    ];
    for _ in 0..3 {
        history.record(3, &changes).unwrap();
    }
    let reader = reader(history);
    let all = reader.jobs(&JobFilter::default(), None, 10).unwrap();
    assert_eq!(all, [job(1, "user-a", "running")]);
    let events = reader.events(&EventFilter::default(), EventPage::Latest, 10).unwrap();
    assert_eq!(events, [event(3, 0, Some(1), None)]);
}

pub(crate) fn a_batch_from_before_the_watermark_is_passed_over(history: &mut dyn History) {
    history.record(10, &[Change::Job(job(1, "user-a", "ended"))]).unwrap();
    history.record(9, &[Change::Job(job(1, "user-a", "queued"))]).unwrap();
    assert_eq!(history.watermark().unwrap(), 10);
    assert_eq!(reader(history).job(1).unwrap().unwrap().state, "ended");
}

pub(crate) fn a_bad_batch_leaves_nothing(history: &mut dyn History) {
    let bad = JobRow { gpus: u64::MAX, ..job(2, "user-a", "queued") };
    history.record(1, &[Change::Job(job(1, "user-a", "queued")), Change::Job(bad)]).unwrap_err();
    assert_eq!(history.watermark().unwrap(), 0);
    assert_eq!(reader(history).job(1).unwrap(), None);
}

pub(crate) fn jobs_are_filtered_and_paged_newest_first(history: &mut dyn History) {
    let mut changes = Vec::new();
    for id in 1..=10 {
        let (user, state) = if id <= 5 { ("user-a", "ended") } else { ("user-b", "running") };
        let ended_ms = (id <= 5).then_some(id * 1_000);
        changes.push(Change::Job(JobRow { ended_ms, ..job(id, user, state) }));
    }
    changes.push(Change::Job(job(11, "user-b", "queued")));
    history.record(1, &changes).unwrap();
    let reader = reader(history);
    let list = |filter: JobFilter, before| ids(&reader.jobs(&filter, before, 3).unwrap());
    let any = JobFilter::default;
    assert_eq!(list(any(), None), [11, 10, 9]);
    assert_eq!(list(any(), Some(9)), [8, 7, 6]);
    assert_eq!(list(JobFilter { user: Some("user-a".to_owned()), ..any() }, None), [5, 4, 3]);
    assert_eq!(list(JobFilter { queue: Some("odd".to_owned()), ..any() }, Some(11)), [9, 7, 5]);
    assert_eq!(list(JobFilter { ended_since_ms: Some(4_000), ..any() }, None), [5, 4]);
    let states = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(list(JobFilter { states: states(&["queued"]), ..any() }, None), [11]);
    let live = JobFilter {
        states: states(&["queued", "running"]),
        user: Some("user-b".to_owned()),
        queue: Some("even".to_owned()),
        ..any()
    };
    assert_eq!(list(live, None), [10, 8, 6]);
    assert_eq!(reader.jobs(&any(), None, usize::MAX).unwrap().len(), 11);
}

pub(crate) fn a_prefix_is_taken_by_the_letter(history: &mut dyn History) {
    let named = |id, name: &str| {
        Change::Job(JobRow { name: name.to_owned(), ..job(id, "user-a", "queued") })
    };
    let changes = [named(1, "été-1"), named(2, "étude"), named(3, "a%b"), named(4, "aab")];
    history.record(1, &changes).unwrap();
    let reader = reader(history);
    let list = |prefix: &str| {
        let filter = JobFilter { name_prefix: Some(prefix.to_owned()), ..JobFilter::default() };
        ids(&reader.jobs(&filter, None, 10).unwrap())
    };
    assert_eq!(list("ét"), [2, 1]);
    assert_eq!(list("été"), [1]);
    assert_eq!(list("a%"), [3]);
    assert_eq!(list("A"), [] as [u64; 0]);
    assert_eq!(list("'; DROP TABLE jobs; --"), [] as [u64; 0]);
    assert_eq!(list(""), [4, 3, 2, 1]);
}

pub(crate) fn placements_are_paged_in_order(history: &mut dyn History) {
    let places = [placement(1, 0), placement(0, 1), placement(0, 0), placement(1, 1)];
    history.record(1, &places.map(Change::Placement)).unwrap();
    let reader = reader(history);
    let page = reader.placements(1, 1, None, 3).unwrap();
    assert_eq!(page, [placement(0, 0), placement(0, 1), placement(1, 0)]);
    assert_eq!(reader.placements(1, 1, Some((1, 0)), 3).unwrap(), [placement(1, 1)]);
}

pub(crate) fn events_are_paged_both_ways(history: &mut dyn History) {
    let positions = [(0, 1), (1, 0), (1, 1), (2, 0), (3, 0)];
    let changes =
        positions.map(|(sequence, part)| Change::Event(event(sequence, part, None, None)));
    history.record(3, &changes).unwrap();
    let reader = reader(history);
    let list = |page| {
        let rows = reader.events(&EventFilter::default(), page, 3).unwrap();
        rows.iter().map(|row| (row.at.sequence, row.at.part)).collect::<Vec<_>>()
    };
    let at = |sequence, part| EventPosition { sequence, part };
    assert_eq!(list(EventPage::After(EventPosition::default())), [(0, 1), (1, 0), (1, 1)]);
    assert_eq!(list(EventPage::After(at(1, 0))), [(1, 1), (2, 0), (3, 0)]);
    assert_eq!(list(EventPage::Latest), [(3, 0), (2, 0), (1, 1)]);
    assert_eq!(list(EventPage::Before(at(1, 1))), [(1, 0), (0, 1)]);
}

pub(crate) fn events_are_filtered_by_job_and_node(history: &mut dyn History) {
    let changes = [
        event(1, 0, Some(1), Some("node-1")),
        event(2, 0, Some(1), Some("node-2")),
        event(3, 0, Some(2), Some("node-1")),
        event(4, 0, None, Some("node-1")),
    ];
    history.record(4, &changes.map(Change::Event)).unwrap();
    let reader = reader(history);
    let list = |job_id, node: Option<&str>| {
        let filter = EventFilter { job_id, node: node.map(str::to_owned) };
        let rows = reader.events(&filter, EventPage::Latest, 10).unwrap();
        rows.iter().map(|row| row.at.sequence).collect::<Vec<_>>()
    };
    assert_eq!(list(Some(1), None), [2, 1]);
    assert_eq!(list(None, Some("node-1")), [4, 3, 1]);
    assert_eq!(list(Some(1), Some("node-1")), [1]);
    assert_eq!(list(Some(9), None), [] as [u64; 0]);
}

pub(crate) fn the_first_time_a_node_came_is_kept(history: &mut dyn History) {
    let node = |joined, lost| NodeRow {
        name: "node-1".to_owned(),
        model: "H100".to_owned(),
        gpus: 8,
        state: "up".to_owned(),
        first_joined_ms: joined,
        last_joined_ms: joined,
        last_lost_ms: lost,
    };
    history.record(1, &[Change::Node(node(10, None))]).unwrap();
    history.record(2, &[Change::Node(node(30, Some(20)))]).unwrap();
    let want = NodeRow { first_joined_ms: 10, ..node(30, Some(20)) };
    assert_eq!(reader(history).nodes().unwrap(), [want]);
}

pub(crate) fn rewinding_forgets_later_events(history: &mut dyn History) {
    let changes = [event(5, 0, None, None), event(9, 0, None, None)];
    history.record(9, &changes.map(Change::Event)).unwrap();
    history.rewind(20).unwrap();
    assert_eq!(history.watermark().unwrap(), 9, "rewinding never goes forward");
    history.rewind(5).unwrap();
    assert_eq!(history.watermark().unwrap(), 5);
    let events = reader(history).events(&EventFilter::default(), EventPage::Latest, 10).unwrap();
    assert_eq!(events, [event(5, 0, None, None)]);
    history.record(6, &[Change::Job(job(1, "user-a", "queued"))]).unwrap();
    assert_eq!(reader(history).job(1).unwrap(), Some(job(1, "user-a", "queued")));
}

pub(crate) fn readers_see_what_was_recorded_and_cannot_lag(history: &mut dyn History) {
    let reader = reader(history);
    for id in 1..=20 {
        history.record(id, &[Change::Job(job(id, "user-a", "queued"))]).unwrap();
        assert_eq!(reader.job(id).unwrap(), Some(job(id, "user-a", "queued")));
    }
    assert_eq!(history.make_durable().unwrap(), 20);
    history.record(21, &[]).unwrap();
    assert_eq!(history.make_durable().unwrap(), 21);
}
