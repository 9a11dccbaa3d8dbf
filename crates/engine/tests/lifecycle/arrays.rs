//! Arrays: one number for the whole, one for each element, and requests that mean all of them.

use muster_model::Array;

use super::support::{nodes, stops};
use crate::support::*;

fn elements(array: JobId, count: u64) -> Vec<JobId> {
    (1..=count).map(|offset| JobId(array.0 + offset)).collect()
}

fn words(world: &World, jobs: &[JobId]) -> Vec<&'static str> {
    jobs.iter().map(|&job| world.word(job)).collect()
}

#[test]
fn an_array_has_a_number_and_its_elements_the_numbers_after_it() {
    let mut c = nodes(1);
    c.submit(gang(1, 1));
    let actions = c.tell(Command::Submit { spec: gang(1, 1).array([3, 5, 9]).into() });
    assert_eq!(actions[0], Action::Accepted { job: JobId(2), elements: 3 });
    let indexes: Vec<_> = [3, 4, 5].map(|job| c.record(JobId(job)).element).into();
    let of_two = [3, 5, 9].map(|index| Some((JobId(2), index)));
    assert_eq!(indexes, of_two);
    assert_eq!(c.submit(gang(1, 1)), JobId(6));
}

#[test]
fn the_array_itself_is_no_job() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array([0]));
    assert!(c.snapshot().jobs.iter().all(|job| job.id != array));
    assert_eq!(c.engine.why(array), None);
}

#[test]
fn elements_are_jobs_of_their_own() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1, 2]));
    let jobs = elements(array, 3);
    assert_eq!(words(&c, &jobs), ["launching", "launching", "queued"]);
    c.end(jobs[0], Exit::Code(1));
    assert_eq!(words(&c, &jobs), ["failed", "launching", "launching"]);
}

#[test]
fn a_cancelled_array_ends_every_element_where_it_is() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1, 2, 3]));
    let jobs = elements(array, 4);
    c.finish(jobs[0]);
    c.confirm(jobs[1]);
    c.hold(jobs[3]);
    let actions = c.cancel(array);
    assert_eq!(words(&c, &jobs), ["completed", "stopping", "stopping", "cancelled"]);
    let told: Vec<JobId> = stops(&c, &actions).into_iter().map(|(_, job, _)| job).collect();
    assert_eq!(told, [jobs[1], jobs[2]]);
}

#[test]
fn a_cancelled_element_leaves_the_others_alone() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1, 2]));
    let jobs = elements(array, 3);
    c.cancel(jobs[2]);
    assert_eq!(words(&c, &jobs), ["launching", "launching", "cancelled"]);
    c.cancel(jobs[0]);
    assert_eq!(words(&c, &jobs), ["stopping", "launching", "cancelled"]);
}

#[test]
fn an_array_is_held_and_released_as_a_whole() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1, 2]).hold());
    let jobs = elements(array, 3);
    assert_eq!(words(&c, &jobs), ["waiting"; 3]);
    c.release(array);
    assert_eq!(words(&c, &jobs), ["launching", "launching", "queued"]);
    c.hold(array);
    assert_eq!(words(&c, &jobs), ["launching", "launching", "waiting"]);
    assert!(jobs.iter().all(|&job| c.record(job).held));
}

#[test]
fn one_element_is_held_and_released_by_itself() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1]).hold());
    let jobs = elements(array, 2);
    c.release(jobs[1]);
    assert_eq!(words(&c, &jobs), ["waiting", "launching"]);
}

#[test]
fn an_array_is_requeued_element_by_element() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1, 2]));
    let jobs = elements(array, 3);
    c.confirm(jobs[0]);
    c.requeue(array);
    assert_eq!(words(&c, &jobs), ["stopping", "stopping", "queued"]);
    c.stopped(jobs[0]);
    assert_eq!(words(&c, &jobs), ["launching", "stopping", "queued"]);
    assert_eq!(c.attempt(jobs[0]).0, 2);
}

#[test]
fn an_element_is_requeued_by_itself() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1]));
    let jobs = elements(array, 2);
    c.requeue(jobs[1]);
    assert_eq!(words(&c, &jobs), ["launching", "stopping"]);
}

#[test]
fn an_estimate_of_an_array_is_one_of_each_element() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 8).array([0, 1, 2]));
    let other = c.submit(gang(1, 8).estimate(minutes(30), minutes(40)));
    c.estimated(array, minutes(2), minutes(4));
    let jobs = elements(array, 3);
    assert!(jobs.iter().all(|&job| c.record(job).estimate.unwrap().median == minutes(2)));
    c.finish(jobs[0]);
    assert_eq!((c.word(jobs[1]), c.word(other)), ("launching", "queued"), "now it is shorter");
}

#[test]
fn an_array_remembers_how_its_elements_fared() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 2).array([0, 1, 2, 3, 4]));
    let jobs = elements(array, 5);
    c.finish(jobs[0]);
    c.end(jobs[1], Exit::Code(1));
    c.cancel(jobs[4]);
    let record = c.snapshot().arrays[0].clone();
    assert_eq!((record.elements, record.started, record.ended, record.failed), (5, 2, 2, 1));
    c.stopped(jobs[4]);
    let record = c.snapshot().arrays[0].clone();
    assert_eq!((record.started, record.ended, record.failed), (3, 3, 2));
    assert_eq!(record.remembered, 5);
}

#[test]
fn an_array_of_ten_thousand_elements_is_accepted_in_one_quick_step() {
    let cluster = muster_model::ClusterSpec::default();
    let mut engine = muster_engine::Engine::new(cluster).unwrap();
    let node = NodeSpec::new("n-1", "H100", 8);
    engine.step(Time(0), Command::NodeJoined { spec: node, running: vec![] });
    let begun = std::time::Instant::now();
    let spec = gang(1, 1).array(0..10_000);
    let actions = engine.step(Time(1), Command::Submit { spec: spec.into() });
    assert!(begun.elapsed() < std::time::Duration::from_secs(2), "took {:?}", begun.elapsed());
    assert_eq!(actions[0], Action::Accepted { job: JobId(1), elements: 10_000 });
    assert_eq!(engine.queued(), 9_992);
    let cancelled = engine.step(Time(2), Command::Cancel { job: JobId(1) });
    assert_eq!(engine.queued(), 0);
    let over = JobState::Ended(Outcome::Cancelled);
    let ended = |action: &&Action| matches!(action, Action::Moved { state, .. } if *state == over);
    assert_eq!(cancelled.iter().filter(ended).count(), 9_992);
}

#[test]
fn an_array_that_cannot_be_is_refused() {
    let indexes = |indexes: &[u32]| Array { indexes: indexes.to_vec(), throttle: None };
    let cases = [
        ("no element", indexes(&[]), "array.indexes"),
        ("the same index twice", indexes(&[1, 1]), "array.indexes[1]"),
        ("indexes out of order", indexes(&[2, 1]), "array.indexes[1]"),
        ("no element at once", Array { throttle: Some(0), ..indexes(&[1]) }, "array.throttle"),
    ];
    for (what, array, field) in cases {
        let mut spec = gang(1, 1);
        spec.array = Some(array);
        let errors = nodes(1).try_submit(spec).unwrap_err();
        assert_eq!(errors[0].field, field, "{what}: {errors:?}");
    }
}
