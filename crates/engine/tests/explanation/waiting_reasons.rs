//! What keeps a job that could not start even if there were room.

use muster_model::Requeue;

use crate::support::*;

fn eight() -> World {
    cluster().nodes("n", 1, "H100x8").build()
}

fn persistent() -> JobSpec {
    gang(1, 1).requeue(Requeue { when_lost: true, when_failed: true, most: 9 })
}

#[test]
fn a_held_job_is_held() {
    let mut c = eight();
    let job = c.submit(gang(1, 1).hold());
    assert_eq!(c.reasons(job), [Reason::Held]);
}

#[test]
fn a_dependent_job_names_whom_it_waits_for_and_for_what() {
    use DependencyKind::{After, AfterAny, AfterNotOk, AfterOk};
    let mut c = eight();
    let held = c.submit(gang(1, 1).hold());
    for kind in [After, AfterOk, AfterAny, AfterNotOk] {
        let job = c.submit(gang(1, 1).after(held, kind));
        assert_eq!(c.reasons(job), [Reason::Dependency { on: held, kind, others: 0 }]);
    }
}

#[test]
fn a_job_that_waits_for_an_array_names_the_array() {
    let mut c = eight();
    let array = c.submit(gang(1, 1).array([0, 1]));
    let job = c.submit(gang(1, 1).after(array, DependencyKind::AfterOk));
    let kind = DependencyKind::AfterOk;
    assert_eq!(c.reasons(job), [Reason::Dependency { on: array, kind, others: 0 }]);
}

#[test]
fn a_dependency_that_is_met_is_no_reason_any_more() {
    let mut c = eight();
    let (one, other) = (c.run(gang(1, 1)), c.run(gang(1, 1)));
    let kind = DependencyKind::AfterAny;
    let job = c.submit(gang(1, 1).after(one, kind).after(other, kind));
    assert_eq!(c.reasons(job).len(), 2);
    c.finish(one);
    assert_eq!(c.reasons(job), [Reason::Dependency { on: other, kind, others: 0 }]);
}

#[test]
fn a_singleton_names_the_first_of_its_name() {
    let mut c = eight();
    let jobs = c.submit_all((0..3).map(|_| gang(1, 1).singleton()));
    assert_eq!(c.reasons(jobs[2]), [Reason::Singleton { behind: jobs[0] }]);
    c.finish(jobs[0]);
    assert_eq!(c.reasons(jobs[2]), [Reason::Singleton { behind: jobs[1] }]);
}

#[test]
fn a_job_before_its_begin_names_the_time() {
    let mut c = eight();
    let job = c.submit(gang(1, 1).begin(Time(60_000)));
    assert_eq!(c.reasons(job), [Reason::BeginTime { at: Time(60_000) }]);
}

#[test]
fn a_throttled_element_names_the_throttle() {
    let mut c = eight();
    let array = c.submit(gang(1, 1).array(0..4).throttle(2));
    assert_eq!(c.reasons(JobId(array.0 + 3)), [Reason::Throttle { most: 2 }]);
}

#[test]
fn a_job_that_was_refused_names_its_pause_and_how_often_it_was() {
    let mut c = eight();
    let job = c.submit(gang(1, 1));
    for (until, failures) in [(Time(10_000), 1), (Time(30_000), 2)] {
        c.refuse_because(job, "n-1", Refusal::Job("no-such-user".into()));
        assert_eq!(c.reasons(job), [Reason::Pause { until, failures }]);
        c.advance_to(until);
    }
}

#[test]
fn a_job_that_pauses_after_a_failure_is_not_told_of_failed_launches() {
    let mut c = eight();
    let job = c.run(persistent());
    c.end(job, Exit::Code(1));
    assert_eq!(c.codes(job), ["pause"]);
    let text = c.reason_text(job);
    assert!(!text.contains("0 failed launches"), "it launched well and failed: {text}");
}

#[test]
fn all_that_keeps_a_job_is_said_at_once() {
    let mut c = eight();
    let other = c.submit(gang(1, 1).hold());
    let spec =
        gang(1, 1).hold().after(other, DependencyKind::AfterOk).singleton().begin(Time(60_000));
    let job = c.submit(spec);
    assert_eq!(c.codes(job), ["held", "dependency", "singleton", "begin-time"]);
}

#[test]
fn a_throttle_is_not_blamed_while_something_else_keeps_an_element() {
    let mut c = eight();
    let array = c.submit(gang(1, 1).array(0..4).throttle(2));
    c.hold(JobId(array.0 + 4));
    assert_eq!(c.codes(JobId(array.0 + 4)), ["held"]);
}

#[test]
fn a_job_that_is_due_but_not_yet_looked_at_starts_with_the_next_step() {
    let mut c = cluster().nodes("n", 25, "H100x8").build();
    let jobs = c.submit_all((0..200).map(|_| gang(1, 1).begin(Time(1000))));
    c.now = Time(1000);
    c.step(Command::Tick);
    let late = jobs.into_iter().find(|&job| c.word(job) == "waiting");
    let why = c.engine.why(late.expect("one step does a part")).expect("it is known");
    assert_eq!((why.reasons, why.estimated_start), (vec![Reason::Next], Some(Time(1000))));
}

#[test]
fn a_job_that_holds_gpus_or_is_over_has_no_reasons() {
    let mut c = eight();
    let job = c.submit(gang(1, 1));
    let told = |c: &mut World| {
        let why = c.why(job);
        (why.state, why.reasons, why.estimated_start, why.latest_start, why.alternatives)
    };
    let none = |state| (state, vec![], None, None, vec![]);
    assert_eq!(told(&mut c), none(JobState::Launching));
    c.confirm(job);
    assert_eq!(told(&mut c), none(JobState::Running));
    c.cancel(job);
    assert_eq!(told(&mut c), none(JobState::Stopping));
    c.stopped(job);
    assert_eq!(told(&mut c), none(JobState::Ended(Outcome::Cancelled)));
}

#[test]
fn of_an_unknown_job_nothing_is_said() {
    let mut c = eight();
    assert_eq!((c.engine.why(JobId(1)), c.engine.decision(JobId(1))), (None, None));
}
