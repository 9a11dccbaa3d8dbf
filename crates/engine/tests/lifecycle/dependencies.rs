//! Dependencies on single jobs: what each kind waits for, and what makes it impossible.

use DependencyKind::{After, AfterAny, AfterNotOk, AfterOk};

use super::support::{moves, nodes, restart};
use crate::support::*;

/// What happens to the job that another depends on.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Nothing,
    Started,
    Succeeded,
    Failed,
    CancelledBefore,
    CancelledAfter,
    TimedOut,
    LaunchFailed,
    NodeLost,
}

const FATES: [Fate; 9] = [
    Fate::Nothing,
    Fate::Started,
    Fate::Succeeded,
    Fate::Failed,
    Fate::CancelledBefore,
    Fate::CancelledAfter,
    Fate::TimedOut,
    Fate::LaunchFailed,
    Fate::NodeLost,
];

fn first_spec() -> JobSpec {
    let requeue = super::support::again(false, false, 0);
    gang(1, 1).hold().limit(minutes(2)).requeue(requeue)
}

fn meet(world: &mut World, job: JobId, fate: Fate) {
    if matches!(fate, Fate::Nothing) {
        return;
    }
    if matches!(fate, Fate::CancelledBefore) {
        world.cancel(job);
        return;
    }
    world.release(job);
    if matches!(fate, Fate::LaunchFailed) {
        for _ in 0..3 {
            world.refuse_because(job, "n-1", Refusal::Job("no-such-user".into()));
            world.advance(seconds(20));
        }
        return;
    }
    world.confirm(job);
    match fate {
        Fate::Succeeded => drop(world.finish(job)),
        Fate::Failed => drop(world.end(job, Exit::Code(1))),
        Fate::CancelledAfter => drop(world.cancel(job)),
        Fate::TimedOut => drop(world.advance(minutes(2))),
        Fate::NodeLost => {
            world.lose("n-1", minutes(1));
            world.advance(minutes(1));
            world.find_again("n-1", &[]);
        }
        _ => {}
    }
    if world.word(job) == "stopping" {
        world.stopped(job);
    }
}

/// What becomes of a dependent by kind, in the order of [`FATES`].
const TABLE: [(DependencyKind, [&str; 9]); 4] = {
    const W: &str = "waiting";
    const L: &str = "launching";
    const F: &str = "dependency-failed";
    [
        (After, [W, L, L, L, L, L, L, L, L]),
        (AfterOk, [W, W, L, F, F, F, F, F, F]),
        (AfterAny, [W, W, L, L, L, L, L, L, L]),
        (AfterNotOk, [W, W, F, L, L, L, L, L, L]),
    ]
};

#[test]
fn every_kind_of_dependency_answers_every_fate() {
    for (kind, expected) in TABLE {
        for (fate, expected) in FATES.into_iter().zip(expected) {
            let mut c = nodes(1);
            let first = c.submit(first_spec());
            let second = c.submit(gang(1, 1).after(first, kind));
            meet(&mut c, first, fate);
            assert_eq!(c.word(second), expected, "{kind:?} when it {fate:?}");
        }
    }
}

#[test]
fn a_dependency_that_is_decided_at_submission_counts_at_once() {
    for (kind, expected) in TABLE {
        for (fate, expected) in FATES.into_iter().zip(expected) {
            let mut c = nodes(1);
            let first = c.submit(first_spec());
            meet(&mut c, first, fate);
            let second = c.submit(gang(1, 1).after(first, kind));
            assert_eq!(c.word(second), expected, "{kind:?} after it {fate:?}");
        }
    }
}

#[test]
fn a_dependency_is_answered_after_a_restart_as_before() {
    for (kind, expected) in TABLE {
        for (fate, expected) in FATES.into_iter().zip(expected) {
            let mut c = nodes(1);
            let first = c.submit(first_spec());
            let second = c.submit(gang(1, 1).after(first, kind));
            restart(&mut c);
            meet(&mut c, first, fate);
            assert_eq!(c.word(second), expected, "{kind:?} when it {fate:?}, restarted");
        }
    }
}

#[test]
fn all_dependencies_of_a_job_have_to_be_met() {
    let mut c = nodes(1);
    let jobs = [c.run(gang(1, 1)), c.run(gang(1, 1)), c.submit(gang(1, 1).hold())];
    let spec = gang(1, 1).after(jobs[0], AfterOk).after(jobs[1], AfterAny).after(jobs[2], After);
    let last = c.submit(spec);
    c.finish(jobs[0]);
    assert_eq!((c.word(last), c.record(last).unmet.len()), ("waiting", 2));
    c.end(jobs[1], Exit::Code(1));
    assert_eq!((c.word(last), c.record(last).unmet.len()), ("waiting", 1));
    c.release(jobs[2]);
    assert_eq!(c.word(last), "waiting", "launching is not yet started");
    c.confirm(jobs[2]);
    assert_eq!(c.word(last), "launching");
}

#[test]
fn one_impossible_dependency_ends_a_job_whatever_the_others_do() {
    let mut c = nodes(1);
    let (one, other) = (c.run(gang(1, 1)), c.run(gang(1, 1)));
    let last = c.submit(gang(1, 1).after(one, AfterAny).after(other, AfterOk));
    let failed = c.end(other, Exit::Code(1));
    assert_eq!(moves(&failed, last), [JobState::Ended(Outcome::DependencyFailed)]);
    c.finish(one);
    assert_eq!(c.word(last), "dependency-failed");
}

#[test]
fn contradicting_dependencies_on_one_job_end_the_dependent() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let second = c.submit(gang(1, 1).after(first, AfterOk).after(first, AfterNotOk));
    c.finish(first);
    assert_eq!(c.word(second), "dependency-failed");
}

#[test]
fn an_impossible_dependency_ends_a_held_job_too() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let held = c.submit(gang(1, 1).after(first, AfterOk).hold());
    c.end(first, Exit::Code(1));
    assert_eq!(c.word(held), "dependency-failed");
}

#[test]
fn a_met_dependency_does_not_release_a_held_job() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let held = c.submit(gang(1, 1).after(first, AfterOk).hold());
    c.finish(first);
    assert_eq!((c.word(held), c.codes(held)), ("waiting", vec!["held"]));
    c.release(held);
    assert_eq!(c.word(held), "launching");
}

#[test]
fn a_job_that_started_once_has_started_for_good() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    c.hold(first);
    c.requeue(first);
    c.stopped(first);
    assert_eq!(c.word(first), "waiting");
    let second = c.submit(gang(1, 1).after(first, After));
    assert_eq!(c.word(second), "launching");
}

#[test]
fn an_attempt_that_fails_and_is_followed_by_another_decides_nothing() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1).requeue(super::support::again(true, true, 1)));
    let on_success = c.submit(gang(1, 1).after(first, AfterOk));
    let on_failure = c.submit(gang(1, 1).after(first, AfterNotOk));
    c.end(first, Exit::Code(1));
    assert_eq!((c.word(on_success), c.word(on_failure)), ("waiting", "waiting"));
    c.advance(seconds(10));
    c.finish(first);
    assert_eq!((c.word(on_success), c.word(on_failure)), ("launching", "dependency-failed"));
}

#[test]
fn a_failure_runs_down_a_chain_of_a_thousand_jobs_in_one_step() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let mut last = first;
    for _ in 0..1000 {
        last = c.submit(gang(1, 1).after(last, AfterOk));
    }
    let failed = c.end(first, Exit::Code(1));
    let ended = failed
        .iter()
        .filter(|action| {
            let over = JobState::Ended(Outcome::DependencyFailed);
            matches!(action, Action::Moved { state, .. } if *state == over)
        })
        .count();
    assert_eq!((ended, c.word(last)), (1000, "dependency-failed"));
}

#[test]
fn a_chain_of_successes_starts_link_by_link() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let second = c.submit(gang(1, 1).after(first, AfterOk));
    let third = c.submit(gang(1, 1).after(second, AfterOk));
    c.finish(first);
    assert_eq!((c.word(second), c.word(third)), ("launching", "waiting"));
    c.finish(second);
    assert_eq!(c.word(third), "launching");
}

#[test]
fn a_thousand_jobs_that_wait_for_one_all_start_or_queue_with_its_end() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let others = c.submit_all((0..1000).map(|_| gang(1, 1).after(first, AfterAny)));
    assert_eq!(c.engine.queued(), 0);
    c.finish(first);
    let launching = others.iter().filter(|&&job| c.is_placed(job)).count();
    assert_eq!((launching, c.engine.queued()), (8, 992));
}

#[test]
fn dependents_of_a_cancelled_dependent_are_told_too() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let second = c.submit(gang(1, 1).after(first, AfterOk));
    let on_success = c.submit(gang(1, 1).after(second, AfterOk));
    let anyway = c.submit(gang(1, 1).after(second, AfterAny));
    c.cancel(second);
    assert_eq!((c.word(on_success), c.word(anyway)), ("dependency-failed", "launching"));
    c.finish(first);
    assert_eq!(c.word(second), "cancelled");
}

#[test]
fn a_dependent_waits_for_its_begin_time_as_well() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 1));
    let second = c.submit(gang(1, 1).after(first, AfterOk).begin(Time(60_000)));
    c.finish(first);
    assert_eq!(c.codes(second), ["begin-time"]);
    c.advance(minutes(1));
    assert_eq!(c.word(second), "launching");
}
