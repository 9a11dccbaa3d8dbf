//! Explanations: how large an elastic job is, why it is no larger, and why others wait.

use muster_engine::explain::NotLarger;

use super::words::*;
use crate::support::*;

#[test]
fn a_job_says_its_size_and_its_range() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 6));
    let size = c.why(a).size.expect("it is elastic and runs");
    assert_eq!((size.tasks, size.fewest, size.most), (6, 2, 6));
    assert_eq!(size.not_larger, NotLarger::AtMost);
}

#[test]
fn a_job_that_does_not_run_has_no_size() {
    let mut c = racks("r1: 8").build();
    let a = c.submit(stretchy(2, 6));
    assert_eq!(c.why(a).size, None);
    c.confirm(a);
    assert!(c.why(a).size.is_some());
    c.cancel(a);
    assert_eq!(c.why(a).size, None);
}

#[test]
fn a_job_whose_size_is_changing_says_so() {
    let mut c = racks("r1: 8").build();
    let a = c.run(stretchy(2, 6));
    assert_eq!(c.not_larger(a), NotLarger::Changing { to: 6 });
    c.resized(a);
    c.submit(gang(1, 5));
    assert_eq!(c.not_larger(a), NotLarger::Changing { to: 3 });
}

#[test]
fn a_job_that_has_just_grown_says_when_it_may_again() {
    let mut c = racks("r1: 4").build();
    let a = c.run_and_grow(stretchy(2, 6));
    assert_eq!(c.not_larger(a), NotLarger::Changed { until: Time(0) + minutes(10) });
    c.advance(minutes(10));
    assert_eq!(c.not_larger(a), NotLarger::NoRoom);
}

#[test]
fn a_job_says_who_waits() {
    let mut c = racks("r1: 8 4").build();
    let waits = c.submit(gang(2, 8));
    let a = c.run(stretchy(2, 8));
    assert_eq!(c.not_larger(a), NotLarger::Wanted { by: waits });
}

#[test]
fn a_job_says_that_many_wait() {
    let mut c = racks("r1: 8 4").build();
    for number in 0..70 {
        c.submit(gang(2, 8).cpus(1 + number));
    }
    let a = c.run(stretchy(2, 8));
    assert_eq!((c.size(a), c.not_larger(a)), (2, NotLarger::ManyWait));
}

#[test]
fn a_job_says_that_more_would_not_be_worth_it() {
    let mut c = racks("r1: 8").build();
    let a = c.run(stretchy(2, 8).resize(days(2)));
    assert_eq!(c.not_larger(a), NotLarger::NotWorthIt);
    let speeds = (2..=8).map(|size| (size, 90 + 10 * size));
    let mut c = racks("r1: 3").build();
    let b = c.run(stretchy(2, 8).speeds(speeds).resize(minutes(20)));
    assert_eq!(c.not_larger(b), NotLarger::NotWorthIt, "one task more, which is all there is");
}

#[test]
fn a_job_says_which_limit_is_in_its_way() {
    let mut c = racks("r1: 8").queue(queue("team").limit(quota(2))).queue(queue("team/a")).build();
    let a = c.run(stretchy(2, 8).queue("team/a"));
    assert_eq!(c.not_larger(a), NotLarger::Limit { queue: "team".into() });
}

#[test]
fn a_job_says_that_nothing_grows_under_the_policy() {
    let mut c = racks("r1: 8").policy(|policy| policy.elastic.stay = Millis::ZERO).build();
    let a = c.run(stretchy(2, 8));
    assert_eq!(c.not_larger(a), NotLarger::Off);
}

#[test]
fn a_job_that_is_about_to_end_says_so() {
    let mut c = racks("r1: 8 8 0").build();
    let a = c.run(wide(2, 3, 8));
    c.end_on(a, "r1-1", Exit::Code(0));
    assert_eq!(c.not_larger(a), NotLarger::Ending);
}

#[test]
fn a_job_that_will_grow_with_the_next_step_says_so() {
    let mut c = racks("r1: 8").build();
    let a = c.submit(stretchy(2, 8));
    let (node, attempt) = (c.node("r1-1"), c.attempt(a));
    c.step(Command::Progress { job: a, attempt, rate: 0, done_ppm: None });
    c.step(Command::Started { node, job: a, attempt });
    let said = c.not_larger(a);
    assert!(matches!(said, NotLarger::Changing { .. } | NotLarger::Next), "{said:?}");
}

#[test]
fn who_room_is_made_for_is_told_by_whom() {
    let mut c = racks("r1: 8 8").build();
    let a = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let b = c.run_and_grow(wide(1, 2, 4).require(Level::Node));
    let d = c.submit(gang(2, 4));
    let text = format!("room is being made: jobs {}, {} give tasks back", a.min(b), a.max(b));
    assert_eq!(c.codes(d), ["making"]);
    assert_eq!(c.reason_text(d), text);
    let e = c.submit(gang(1, 4));
    assert_eq!(c.codes(e), ["gpus"]);
    c.resized(a);
    assert_eq!(c.reason_text(d), format!("room is being made: job {b} gives tasks back"));
    assert_eq!(c.codes(e), ["gpus"]);
}

#[test]
fn asking_leaves_no_trace() {
    let mut c = racks("r1: 8 4").build();
    let waits = c.submit(gang(2, 8));
    let a = c.run(stretchy(2, 8));
    let b = c.run_and_grow(stretchy(1, 2));
    let before = c.snapshot();
    for job in [a, b, waits] {
        c.why(job);
    }
    assert_eq!(c.snapshot(), before);
}

#[test]
fn the_decision_names_all_nodes_it_has_grown_onto() {
    let mut c = racks("r1: 8 0").build();
    let a = c.submit(wide(1, 2, 8));
    c.finish(JobId(1));
    c.confirm(a);
    c.resized(a);
    assert_eq!(c.decision(a).chosen.nodes, [c.node("r1-1"), c.node("r1-2")]);
}
