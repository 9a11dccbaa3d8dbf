//! Ended jobs are remembered for a while and then forgotten; their numbers are never used again.

use muster_engine::Engine;

use super::support::{changes_nothing, ended, is_rejected, restart, started};
use crate::support::*;

fn forgetful() -> World {
    cluster().nodes("n", 1, "H100x8").policy(|policy| policy.remember_ended = hours(1)).build()
}

fn is_known(world: &World, job: JobId) -> bool {
    world.snapshot().jobs.iter().any(|record| record.id == job)
}

#[test]
fn an_ended_job_is_remembered_for_its_time_and_no_longer() {
    let mut c = forgetful();
    let job = c.run(gang(1, 1));
    c.advance(minutes(30));
    c.finish(job);
    c.advance_to(Time(5_399_999));
    assert!(is_known(&c, job));
    assert!(c.engine.why(job).is_some());
    c.advance(Millis(1));
    assert!(!is_known(&c, job));
    assert_eq!((c.engine.why(job), c.engine.decision(job)), (None, None));
}

#[test]
fn a_job_that_is_not_over_is_never_forgotten() {
    let mut c = forgetful();
    let held = c.submit(gang(1, 1).hold());
    let running = c.run(gang(1, 1));
    c.advance(days(10));
    assert_eq!((c.word(held), c.word(running)), ("waiting", "running"));
}

#[test]
fn an_array_is_forgotten_with_its_last_element() {
    let mut c = forgetful();
    let array = c.submit(gang(1, 1).array([0, 1]));
    c.confirm(JobId(array.0 + 2));
    c.finish(JobId(array.0 + 1));
    c.advance(hours(1));
    assert_eq!(c.snapshot().arrays[0].remembered, 1);
    c.finish(JobId(array.0 + 2));
    c.advance(hours(1));
    assert!(c.snapshot().arrays.is_empty());
    let words = ("job", "1", "expected the number of a job that is known");
    is_rejected(&mut c, &Command::Cancel { job: array }, words);
}

#[test]
fn a_forgotten_element_does_not_keep_its_array_from_requests() {
    let mut c = forgetful();
    let array = c.submit(gang(1, 1).array([0, 1]));
    c.confirm(JobId(array.0 + 2));
    c.finish(JobId(array.0 + 1));
    c.advance(hours(1));
    assert_eq!(c.word(JobId(array.0 + 2)), "running");
    c.cancel(array);
    assert_eq!(c.word(JobId(array.0 + 2)), "stopping");
}

#[test]
fn numbers_are_never_used_again() {
    let mut c = forgetful();
    let mut last = JobId(0);
    for _ in 0..5 {
        let job = c.run(gang(1, 1));
        assert!(job > last);
        last = job;
        c.finish(job);
        c.advance(hours(2));
        assert!(c.snapshot().jobs.is_empty());
        restart(&mut c);
    }
    assert_eq!(c.snapshot().next_job, JobId(6));
}

#[test]
fn the_numbers_of_an_array_are_used_up_with_it() {
    let mut c = forgetful();
    c.submit(gang(1, 1).array(0..3));
    for job in 2..=4 {
        c.finish(JobId(job));
    }
    c.advance(hours(2));
    restart(&mut c);
    assert_eq!(c.submit(gang(1, 1)), JobId(5));
}

#[test]
fn late_reports_about_a_forgotten_job_change_nothing() {
    let mut c = forgetful();
    let job = c.run(gang(1, 1));
    c.finish(job);
    c.advance(hours(2));
    for report in [started(&c, "n-1", job, 1), ended(&c, "n-1", job, 1, Exit::Code(1))] {
        changes_nothing(&mut c, &report);
    }
}

#[test]
fn a_node_that_still_runs_a_forgotten_job_is_told_to_stop_it() {
    let mut c = forgetful();
    let job = c.run(gang(1, 1));
    let attempt = c.attempt(job);
    c.finish(job);
    c.advance(hours(2));
    let running = vec![Running { job, attempt }];
    let actions = c.tell(Command::NodeReturned { node: c.node("n-1"), running });
    let grace = seconds(30);
    assert_eq!(actions, [Action::Stop { node: c.node("n-1"), job, attempt, grace }]);
}

#[test]
fn many_jobs_that_ended_together_are_forgotten_step_by_step() {
    let mut c = forgetful();
    let array = c.submit(gang(1, 1).array(0..100).hold());
    c.cancel(array);
    c.advance(hours(1));
    let mut left = c.snapshot().jobs.len();
    assert!(left < 100);
    while left > 0 {
        c.step(Command::Tick);
        let now_left = c.snapshot().jobs.len();
        assert!(now_left < left, "every step forgets some");
        assert!(left - now_left <= 8, "no step is long");
        left = now_left;
    }
    assert!(c.snapshot().arrays.is_empty());
}

#[test]
fn forgetting_goes_on_after_a_restart_where_it_was() {
    let mut c = forgetful();
    let job = c.run(gang(1, 1));
    c.finish(job);
    c.advance(minutes(59));
    restart(&mut c);
    assert!(is_known(&c, job));
    c.advance(minutes(1));
    assert!(!is_known(&c, job));
}

#[test]
fn an_engine_restored_from_an_empty_snapshot_goes_on_numbering() {
    let mut c = forgetful();
    let job = c.run(gang(1, 1));
    c.finish(job);
    c.advance(hours(2));
    let mut engine = Engine::restore(c.snapshot(), c.tuning).unwrap();
    let actions = engine.step(c.now(), Command::Submit { spec: gang(1, 1).into() });
    assert_eq!(actions[0], Action::Accepted { job: JobId(2), elements: 0 });
}
