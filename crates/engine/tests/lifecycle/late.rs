//! Deadlines after which a job is of no use, and places that are insisted on for a while.

use super::support::{nodes, restart};
use crate::support::*;

/// A job that is to end within so many minutes from now or not at all.
fn by(world: &World, minutes: u64) -> JobSpec {
    let mut spec = gang(1, 8);
    spec.timing.deadline = Some(Time(world.now().0 + minutes * 60_000));
    spec.timing.drop_late = true;
    spec
}

#[test]
fn a_job_that_could_no_longer_end_in_time_is_dropped() {
    for restarted in [false, true] {
        let mut c = nodes(1);
        c.run(gang(1, 8));
        let job = c.submit(by(&c, 60).limit(minutes(20)));
        if restarted {
            restart(&mut c);
        }
        c.advance(minutes(40));
        assert_eq!(c.word(job), "queued", "there is just time enough");
        c.advance(Millis(1));
        assert_eq!(c.word(job), "deadline-missed");
    }
}

#[test]
fn without_a_limit_only_the_deadline_itself_counts_and_with_a_least_that_one() {
    let mut c = nodes(1);
    c.run(gang(1, 8));
    let open = c.submit(by(&c, 60));
    let mut least = by(&c, 60).limit(minutes(50));
    least.timing.limit_min = Some(minutes(10));
    let least = c.submit(least);
    c.advance(minutes(50));
    assert_eq!((c.word(open), c.word(least)), ("queued", "queued"));
    c.advance(Millis(1));
    assert_eq!((c.word(open), c.word(least)), ("queued", "deadline-missed"));
    c.advance(minutes(10));
    assert_eq!(c.word(open), "deadline-missed");
}

#[test]
fn one_that_runs_goes_on_and_does_not_come_back() {
    let mut c = nodes(1);
    let job = c.run(by(&c, 60).limit(minutes(40)));
    c.advance(minutes(30));
    assert_eq!(c.word(job), "running");
    c.requeue(job);
    c.stopped(job);
    assert_eq!(c.word(job), "deadline-missed");
}

#[test]
fn what_waits_for_a_dropped_job_learns_of_it() {
    let mut c = nodes(1);
    let first = c.submit(by(&c, 60).hold());
    let ok = c.submit(gang(1, 1).after(first, DependencyKind::AfterOk));
    let any = c.submit(gang(1, 1).after(first, DependencyKind::AfterAny));
    c.advance(minutes(61));
    assert_eq!((c.word(first), c.word(ok)), ("deadline-missed", "dependency-failed"));
    assert_eq!(c.word(any), "launching");
}

#[test]
fn a_deadline_alone_drops_nobody() {
    let mut c = nodes(1);
    c.run(gang(1, 8));
    let mut spec = by(&c, 60);
    spec.timing.drop_late = false;
    let job = c.submit(spec);
    c.advance(hours(3));
    assert_eq!(c.word(job), "queued");
}

/// Two racks with four free GPUs on each node, and a gang that wants one rack for ten minutes.
fn patient() -> (World, JobId) {
    let mut c = racks("r1: 8 4; r2: 4 8").build();
    let mut spec = gang(2, 8).require("rack");
    spec.topology.patience = Some(minutes(10));
    let job = c.submit(spec);
    (c, job)
}

#[test]
fn a_gang_insists_on_near_places_for_a_while_and_then_takes_others() {
    for restarted in [false, true] {
        let (mut c, job) = patient();
        if restarted {
            restart(&mut c);
        }
        c.advance(Millis(minutes(10).0 - 1));
        assert_eq!(c.word(job), "queued");
        c.advance(Millis(1));
        assert_eq!(c.nodes_of(job), ["r1-1", "r2-2"]);
        let wish = &c.record(job).spec.topology;
        assert_eq!((&wish.require, &wish.prefer), (&None, &Some(Level::from("rack"))));
    }
}

#[test]
fn patience_counts_while_the_gang_could_start() {
    let (mut c, job) = patient();
    c.advance(minutes(9));
    c.hold(job);
    c.advance(hours(1));
    assert_eq!(c.record(job).spec.topology.require, Some(Level::from("rack")));
    c.release(job);
    c.advance(minutes(9));
    assert_eq!(c.word(job), "queued");
    c.advance(minutes(1));
    assert_eq!(c.word(job), "launching");
}
