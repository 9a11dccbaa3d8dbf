//! What reports teach: speed at each size, how much is left, and so when a job ends.

use super::words::*;
use crate::support::*;

/// The speeds that are known of a job.
fn known(c: &World, job: JobId) -> Vec<(u32, u32)> {
    let learned = c.record(job).learned.unwrap_or_default();
    learned.speeds.iter().map(|point| (point.tasks, point.speed)).collect()
}

/// When a job that needs the whole cluster is told that it will start: when all the rest ends.
fn end_of_all(c: &mut World) -> Time {
    let gpus: u32 = c.snapshot().nodes.iter().map(|node| node.spec.gpus).sum();
    let whole = c.submit(gang(gpus / 8, 8).class("preemptible"));
    let end = c.why(whole).estimated_start.expect("it can be foreseen");
    c.cancel(whole);
    end
}

#[test]
fn speed_is_learned_for_the_size_a_job_has() {
    let mut c = racks("r1: 8").build();
    let a = c.run(stretchy(2, 8));
    c.progress(a, 999, None);
    assert_eq!(known(&c, a), [], "its size is just changing");
    c.resized(a);
    c.progress(a, 400, None);
    assert_eq!(known(&c, a), [(8, 400)]);
    c.submit(gang(1, 6));
    c.resized(a);
    c.progress(a, 150, None);
    assert_eq!(known(&c, a), [(2, 150), (8, 400)]);
}

#[test]
fn a_later_word_on_the_same_size_counts_for_a_quarter() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    c.progress(a, 400, None);
    c.progress(a, 800, None);
    assert_eq!(known(&c, a), [(8, 500)]);
}

#[test]
fn what_was_learned_decides_how_far_a_job_grows() {
    let mut c = racks("r1: 2").build();
    let a = c.run(stretchy(2, 8));
    c.progress(a, 1000, None);
    let b = c.submit(gang(1, 6));
    c.finish(JobId(1));
    assert_eq!(c.word(b), "launching");
    c.confirm(b);
    c.advance(minutes(10));
    c.finish(b);
    assert_eq!(c.size(a), 8, "one size says nothing of another");
    c.resized(a);
    c.progress(a, 1001, None);
    let d = c.submit(gang(1, 4));
    c.resized(a);
    c.confirm(d);
    c.finish(d);
    c.advance(minutes(20));
    assert_eq!(c.size(a), 4, "more tasks have not made it faster");
}

#[test]
fn speeds_that_are_given_count_before_those_learned() {
    let mut c = racks("r1: 2").build();
    let a = c.run(stretchy(2, 8).speeds([(2, 10), (8, 40)]));
    c.progress(a, 1000, None);
    c.finish(JobId(1));
    c.resized(a);
    c.progress(a, 1000, None);
    assert_eq!(c.size(a), 8);
    let d = c.submit(gang(1, 4));
    c.resized(a);
    c.confirm(d);
    c.finish(d);
    c.advance(minutes(20));
    assert_eq!(c.size(a), 8);
}

#[test]
fn reports_that_teach_nothing_change_nothing() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let b = c.run(gang(1, 0).cpus(1));
    let before = c.snapshot();
    let attempt = c.attempt(a);
    let old = muster_model::Attempt(attempt.0 - 1);
    let report = |job, attempt, rate| Command::Progress { job, attempt, rate, done_ppm: None };
    for command in [report(a, old, 5), report(JobId(99), attempt, 5), report(a, attempt, 0)] {
        assert_eq!(c.tell(command), []);
    }
    c.progress(b, 500, None);
    assert_eq!(c.snapshot(), before);
}

#[test]
fn more_than_all_of_the_work_is_refused() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8));
    let actions = c.progress(a, 0, Some(1_000_001));
    let [Action::Rejected { errors }] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!(errors[0].field, "done_ppm");
    assert_eq!(c.record(a).learned, None);
}

#[test]
fn speeds_are_remembered_for_a_bounded_number_of_sizes() {
    let mut c = racks("r1: 8 8 8 8").policy(|policy| policy.elastic.interval = minutes(1)).build();
    let a = c.run_and_grow(stretchy(1, 32));
    let mut others = Vec::new();
    for rate in 1..=30 {
        c.progress(a, 1000 + rate, None);
        others.push(c.submit(gang(1, 1)));
        c.resized(a);
        let other = *others.last().expect("one was just submitted");
        c.confirm(other);
    }
    let speeds = known(&c, a);
    assert_eq!(speeds.len(), 16);
    assert!(speeds.is_sorted(), "{speeds:?}");
}

#[test]
fn a_job_ends_sooner_with_more_tasks() {
    let spec = || stretchy(2, 8).estimate(hours(8), hours(8)).speeds([(2, 100), (8, 400)]);
    let mut c = racks("r1: 8").policy(|policy| policy.elastic.stay = Millis::ZERO).build();
    c.run(spec());
    assert_eq!(end_of_all(&mut c), Time(0) + hours(8));
    let mut c = racks("r1: 8").build();
    let a = c.run(spec());
    assert_eq!(end_of_all(&mut c), Time(0) + hours(8), "until it has grown");
    c.resized(a);
    assert_eq!(end_of_all(&mut c), Time(0) + hours(2));
}

#[test]
fn work_done_at_each_size_counts_at_its_speed() {
    let mut c = racks("r1: 8").build();
    let spec = stretchy(2, 8).estimate(hours(8), hours(8)).speeds([(2, 100), (8, 400)]);
    let a = c.run_and_grow(spec);
    c.advance(hours(1));
    let b = c.submit(gang(1, 6));
    assert_eq!(c.record(a).run.expect("it runs").elastic.expect("it is elastic").worked, hours(4));
    c.resized(a);
    c.confirm(b);
    c.finish(b);
    assert_eq!(
        end_of_all(&mut c),
        Time(0) + hours(5),
        "half is done and half is left at the least"
    );
}

#[test]
fn what_is_said_to_be_done_says_what_is_left() {
    let mut c = racks("r1: 8").build();
    let rigid = c.run(gang(1, 4).estimate(hours(1), hours(2)));
    c.advance(minutes(30));
    c.progress(rigid, 0, Some(250_000));
    assert_eq!(end_of_all(&mut c), Time(0) + hours(2), "a quarter took half an hour");
}

#[test]
fn what_is_said_to_be_done_counts_at_the_size_it_was_done_with() {
    let mut c = racks("r1: 8").build();
    let a = c.run_and_grow(stretchy(2, 8).speeds([(2, 100), (8, 400)]));
    c.advance(hours(1));
    c.progress(a, 0, Some(500_000));
    assert_eq!(end_of_all(&mut c), Time(0) + hours(2));
    let work = c.record(a).learned.expect("it was told").work;
    assert_eq!(work, Some(hours(8)), "in run time at its fewest tasks");
}
