//! Jobs that take less than their limit for an earlier start, on nodes that are claimed for later.

use crate::support::*;

/// A rack of two nodes that a starving gang has claimed; on each runs a job of four GPUs until its
/// limit of ten hours.
fn claimed() -> (World, JobId) {
    let mut c =
        racks("r1: 8 8").policy(|policy| policy.floor = floor(100, hours(1), hours(1))).build();
    for node in ["r1-1", "r1-2"] {
        let only = nodes_where(&format!("@{node}"));
        c.run(gang(1, 4).class("express").limit(hours(10)).only_on(only));
    }
    let wide = c.submit(gang(2, 8).class("batch").require("rack"));
    c.advance(hours(1));
    assert_eq!(c.claim_of(wide), ["r1-1", "r1-2"]);
    (c, wide)
}

fn at_least(least: Millis, most: Millis) -> JobSpec {
    let mut spec = gang(1, 4).class("express").limit(most);
    spec.timing.limit_min = Some(least);
    spec
}

#[test]
fn a_job_that_takes_less_starts_on_claimed_nodes_and_is_gone_when_they_are_needed() {
    let (mut c, wide) = claimed();
    let job = c.submit(at_least(hours(2), hours(20)));
    assert_eq!(c.word(job), "launching");
    let limit = c.record(job).spec.timing.limit.expect("it was given one");
    assert!(
        limit > hours(8) && limit < hours(9),
        "nine hours are left, with time to stop: {limit}"
    );
    c.confirm(job);
    c.advance(limit);
    assert_eq!(c.word(job), "stopping");
    c.stopped(job);
    assert_eq!(c.word(job), "timed-out");
    assert_eq!(c.claim_of(wide).len(), 2, "the gang did not lose its nodes");
}

#[test]
fn one_that_would_have_to_take_too_little_waits() {
    let (mut c, _) = claimed();
    let job = c.submit(at_least(hours(9), hours(20)));
    assert_eq!(c.word(job), "queued");
    assert_eq!(c.record(job).spec.timing.limit, Some(hours(20)));
}

#[test]
fn one_that_fits_as_it_is_keeps_its_limit() {
    let (mut c, _) = claimed();
    let job = c.submit(at_least(hours(1), hours(3)));
    assert_eq!(c.word(job), "launching");
    assert_eq!(c.record(job).spec.timing.limit, Some(hours(3)));
}
