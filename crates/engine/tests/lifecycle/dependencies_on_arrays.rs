//! Dependencies on arrays: every element counts.

use DependencyKind::{After, AfterAny, AfterNotOk, AfterOk};

use super::support::{nodes, restart};
use crate::support::*;

/// An array of three one-GPU elements (jobs 2, 3 and 4) that run.
fn three(world: &mut World) -> (JobId, [JobId; 3]) {
    let array = world.submit(gang(1, 1).array([0, 1, 2]));
    let elements = [1, 2, 3].map(|offset| JobId(array.0 + offset));
    elements.iter().for_each(|&element| drop(world.confirm(element)));
    (array, elements)
}

#[test]
fn after_an_array_means_after_every_element_started() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1, 2]));
    let next = c.submit(gang(1, 4).after(array, After));
    c.confirm(JobId(2));
    c.confirm(JobId(3));
    assert_eq!(c.word(next), "waiting", "the third has no room yet");
    c.finish(JobId(2));
    c.confirm(JobId(4));
    assert_eq!(c.word(next), "queued");
}

#[test]
fn an_element_that_ends_without_starting_counts_as_started() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 4).array([0, 1, 2]));
    let next = c.submit(gang(1, 4).after(array, After));
    c.confirm(JobId(2));
    c.confirm(JobId(3));
    c.cancel(JobId(4));
    assert_eq!(c.word(next), "queued");
}

#[test]
fn every_kind_answers_how_the_elements_of_an_array_ended() {
    let (ok, bad) = (Exit::Code(0), Exit::Code(1));
    let cases = [
        (AfterOk, [ok, ok, ok], "launching"),
        (AfterOk, [ok, bad, ok], "dependency-failed"),
        (AfterAny, [ok, bad, ok], "launching"),
        (AfterAny, [bad, bad, bad], "launching"),
        (AfterNotOk, [ok, ok, ok], "dependency-failed"),
        (AfterNotOk, [ok, ok, bad], "launching"),
        (AfterNotOk, [bad, bad, bad], "launching"),
    ];
    for (kind, exits, expected) in cases {
        for restarted in [false, true] {
            let mut c = nodes(1);
            let (array, elements) = three(&mut c);
            let next = c.submit(gang(1, 1).after(array, kind));
            for (element, exit) in elements.into_iter().zip(exits) {
                c.end(element, exit);
                if restarted {
                    restart(&mut c);
                }
            }
            assert_eq!(c.word(next), expected, "{kind:?} {exits:?}");
            let late = c.submit(gang(1, 1).after(array, kind));
            assert_eq!(c.word(late), expected, "{kind:?} {exits:?}, submitted after");
        }
    }
}

#[test]
fn the_first_failed_element_decides_what_needs_success() {
    let mut c = nodes(1);
    let (array, elements) = three(&mut c);
    let next = c.submit(gang(1, 1).after(array, AfterOk));
    c.end(elements[1], Exit::Code(1));
    assert_eq!(c.word(next), "dependency-failed");
}

#[test]
fn what_needs_failure_waits_for_the_last_element() {
    let mut c = nodes(1);
    let (array, elements) = three(&mut c);
    let next = c.submit(gang(1, 1).after(array, AfterNotOk));
    c.end(elements[0], Exit::Code(1));
    c.finish(elements[1]);
    assert_eq!(c.word(next), "waiting");
    c.finish(elements[2]);
    assert_eq!(c.word(next), "launching");
}

#[test]
fn a_dependency_on_one_element_does_not_wait_for_the_others() {
    let mut c = nodes(1);
    let (_, elements) = three(&mut c);
    let next = c.submit(gang(1, 1).after(elements[1], AfterOk));
    c.finish(elements[0]);
    assert_eq!(c.word(next), "waiting");
    c.finish(elements[1]);
    assert_eq!(c.word(next), "launching");
}

#[test]
fn every_element_of_a_dependent_array_waits_and_fails_with_it() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let array = c.submit(gang(1, 1).array([5, 6]).after(first, AfterOk));
    let elements = [JobId(array.0 + 1), JobId(array.0 + 2)];
    assert!(elements.iter().all(|&element| c.word(element) == "waiting"));
    c.end(first, Exit::Code(1));
    assert!(elements.iter().all(|&element| c.word(element) == "dependency-failed"));
}

#[test]
fn an_array_that_depends_on_a_failed_job_is_over_when_it_is_submitted() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    c.end(first, Exit::Code(1));
    let array = c.submit(gang(1, 1).array([0, 1]).after(first, AfterOk));
    assert_eq!(c.word(JobId(array.0 + 1)), "dependency-failed");
    let next = c.submit(gang(1, 1).after(array, AfterNotOk));
    assert_eq!(c.word(next), "launching");
}

#[test]
fn an_array_that_is_cancelled_as_a_whole_answers_its_dependents() {
    let mut c = nodes(1);
    let array = c.submit(gang(1, 1).array([0, 1, 2]).hold());
    let on_success = c.submit(gang(1, 1).after(array, AfterOk));
    let anyway = c.submit(gang(1, 1).after(array, AfterAny));
    c.cancel(array);
    assert_eq!((c.word(on_success), c.word(anyway)), ("dependency-failed", "launching"));
}

#[test]
fn an_array_can_be_depended_on_while_one_element_is_remembered() {
    let mut c =
        cluster().nodes("n", 1, "H100x8").policy(|policy| policy.remember_ended = hours(1)).build();
    let (array, elements) = three(&mut c);
    c.finish(elements[0]);
    c.end(elements[1], Exit::Code(1));
    c.advance(hours(2));
    assert!(c.snapshot().jobs.iter().all(|job| job.id == elements[2]), "the others are forgotten");
    let next = c.submit(gang(1, 1).after(array, AfterOk));
    assert_eq!(c.word(next), "dependency-failed", "what is forgotten has failed all the same");
    c.finish(elements[2]);
    c.advance(hours(2));
    assert!(c.try_submit(gang(1, 1).after(array, AfterAny)).is_err());
}
