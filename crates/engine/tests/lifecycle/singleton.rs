//! Singleton: of the jobs of one user and name, one after the other in the order they came.

use super::support::{nodes, restart};
use crate::support::*;

fn named(name: &str) -> JobSpec {
    JobSpec::gang(name, 1, 1)
}

#[test]
fn a_singleton_without_namesakes_starts_at_once() {
    let mut c = nodes(1);
    let job = c.submit(named("etl").singleton());
    assert_eq!(c.word(job), "launching");
}

#[test]
fn singletons_run_one_after_the_other_in_the_order_they_came() {
    let mut c = nodes(1);
    let jobs = c.submit_all((0..4).map(|_| named("etl").singleton()));
    for (index, &job) in jobs.iter().enumerate() {
        assert_eq!(c.word(job), "launching");
        assert!(jobs[index + 1..].iter().all(|&later| c.word(later) == "waiting"));
        c.finish(job);
    }
}

#[test]
fn a_singleton_waits_for_a_running_namesake_that_is_none() {
    let mut c = nodes(1);
    let plain = c.run(named("etl"));
    let single = c.submit(named("etl").singleton());
    assert_eq!(c.reasons(single), [Reason::Singleton { behind: plain }]);
    c.end(plain, Exit::Code(1));
    assert_eq!(c.word(single), "launching", "however the other ended");
}

#[test]
fn a_singleton_does_not_wait_for_later_namesakes() {
    let mut c = nodes(1);
    let held = c.submit(named("etl").singleton().hold());
    let plain = c.run(named("etl"));
    c.release(held);
    assert_eq!((c.word(held), c.word(plain)), ("launching", "running"));
}

#[test]
fn a_plain_namesake_does_not_wait_for_a_singleton() {
    let mut c = nodes(1);
    c.run(named("etl").singleton());
    let plain = c.submit(named("etl"));
    assert_eq!(c.word(plain), "launching");
}

#[test]
fn jobs_of_another_user_or_name_are_no_namesakes() {
    let mut c = nodes(1);
    c.run(named("etl"));
    let other_user = c.submit(named("etl").user("user-b").singleton());
    let other_name = c.submit(named("etl-2").singleton());
    assert_eq!((c.word(other_user), c.word(other_name)), ("launching", "launching"));
}

#[test]
fn a_namesake_in_another_queue_is_one_all_the_same() {
    let mut c = cluster().queue(queue("a")).queue(queue("b")).nodes("n", 1, "H100x8").build();
    let first = c.run(named("etl").queue("a"));
    let second = c.submit(named("etl").queue("b").singleton());
    assert_eq!(c.word(second), "waiting");
    c.finish(first);
    assert_eq!(c.word(second), "launching");
}

#[test]
fn an_earlier_namesake_that_is_held_is_waited_for() {
    let mut c = nodes(1);
    let held = c.submit(named("etl").hold());
    let single = c.submit(named("etl").singleton());
    assert_eq!(c.word(single), "waiting");
    c.cancel(held);
    assert_eq!(c.word(single), "launching");
}

#[test]
fn a_cancelled_singleton_in_the_middle_lets_the_order_close_up() {
    let mut c = nodes(1);
    let jobs = c.submit_all((0..3).map(|_| named("etl").singleton()));
    c.cancel(jobs[1]);
    assert_eq!(c.word(jobs[2]), "waiting");
    assert_eq!(c.reasons(jobs[2]), [Reason::Singleton { behind: jobs[0] }]);
    c.finish(jobs[0]);
    assert_eq!(c.word(jobs[2]), "launching");
}

#[test]
fn a_singleton_that_is_queued_again_keeps_its_turn() {
    let mut c = nodes(1);
    let first = c.run(named("etl").singleton());
    let second = c.submit(named("etl").singleton());
    c.requeue(first);
    c.stopped(first);
    assert_eq!((c.word(first), c.word(second)), ("launching", "waiting"));
}

#[test]
fn the_elements_of_a_singleton_array_run_one_after_the_other() {
    let mut c = nodes(1);
    let array = c.submit(named("etl").array([0, 1, 2]).singleton());
    let elements = [1, 2, 3].map(|offset| JobId(array.0 + offset));
    for (index, &element) in elements.iter().enumerate() {
        assert_eq!(c.word(element), "launching");
        assert!(elements[index + 1..].iter().all(|&later| c.word(later) == "waiting"));
        c.finish(element);
    }
}

#[test]
fn singletons_keep_their_order_through_a_restart() {
    let mut c = nodes(1);
    let jobs = c.submit_all((0..3).map(|_| named("etl").singleton()));
    restart(&mut c);
    for job in jobs {
        c.finish(job);
        restart(&mut c);
        assert_eq!(c.word(job), "completed");
    }
}

#[test]
fn a_failed_dependency_of_the_first_lets_the_next_singleton_go() {
    let mut c = nodes(1);
    let other = c.run(named("prepare"));
    let first = c.submit(named("etl").after(other, DependencyKind::AfterOk));
    let second = c.submit(named("etl").singleton());
    assert_eq!(c.word(second), "waiting");
    c.end(other, Exit::Code(1));
    assert_eq!((c.word(first), c.word(second)), ("dependency-failed", "launching"));
}
