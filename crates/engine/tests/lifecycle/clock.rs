//! Clocks that stand still, step back or jump, and moments at which very much is due.

use super::support::{moves, nodes, restart};
use crate::support::*;

#[test]
fn everything_works_while_the_clock_stands_still() {
    let mut c = nodes(1);
    let first = c.run(gang(1, 8));
    let second = c.submit(gang(1, 8));
    c.finish(first);
    c.confirm(second);
    c.cancel(second);
    c.stopped(second);
    assert_eq!((c.word(first), c.word(second)), ("completed", "cancelled"));
    assert_eq!(c.now(), Time(0));
}

#[test]
fn a_clock_that_steps_back_is_taken_as_standing_still() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)));
    c.advance(minutes(5));
    let actions = c.engine.step(Time(60_000), Command::Tick);
    assert_eq!((actions, c.snapshot().now), (vec![], Time(300_000)));
    let later = c.engine.step(Time(300_000), Command::Hold { job });
    assert_eq!(later, []);
}

#[test]
fn what_happens_while_the_clock_is_behind_counts_from_the_latest_time() {
    let mut c = nodes(1);
    c.advance(hours(1));
    let submitted = c.engine.step(Time(5), Command::Submit { spec: gang(1, 8).into() });
    assert_eq!(moves(&submitted, JobId(1)).len(), 2);
    assert_eq!(c.record(JobId(1)).submitted, Time(3_600_000));
    let run = c.record(JobId(1)).run.expect("it is placed");
    assert_eq!(run.placed, Time(3_600_000));
}

#[test]
fn a_clock_that_jumps_far_ahead_does_all_that_was_due_meanwhile_in_its_order() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)).warning(12, minutes(1)));
    let later = c.submit(gang(1, 1).begin(Time(120_000)));
    c.now = Time(1 << 40);
    let actions = c.tell(Command::Tick);
    let words: Vec<&str> = actions
        .iter()
        .map(|action| match action {
            Action::Moved { job: moved, state: JobState::Queued, .. } if *moved == later => "begin",
            Action::Signal { .. } => "warn",
            Action::Stop { .. } => "stop",
            Action::Moved { state: JobState::Stopping, .. } => "stopping",
            other => panic!("unexpected {other:?}"),
        })
        .collect();
    assert_eq!(words, ["begin", "warn", "stop", "stopping"]);
    assert_eq!(c.word(job), "stopping");
}

#[test]
fn the_end_of_time_is_no_problem() {
    let mut c = nodes(1);
    c.now = Time(u64::MAX - 1);
    let job = c.run(gang(1, 8).limit(minutes(10)));
    c.cancel(job);
    c.stopped(job);
    assert_eq!(c.word(job), "cancelled");
}

#[test]
fn more_timers_than_one_step_works_off_are_worked_off_by_the_steps_after_it() {
    let mut c = cluster().nodes("n", 25, "H100x8").build();
    let begin = Time(60_000);
    let jobs = c.submit_all((0..200).map(|_| gang(1, 1).begin(begin)));
    c.now = begin;
    c.step(Command::Tick);
    let begun = jobs.iter().filter(|&&job| c.word(job) != "waiting").count();
    assert!(begun < 200, "one step does a bounded part");
    let mut ticks = 1;
    while c.engine.next_wake().is_some_and(|wake| wake <= begin) {
        c.step(Command::Tick);
        ticks += 1;
        assert!(ticks < 50, "the rest follows in a bounded number of steps");
    }
    assert!(jobs.iter().all(|&job| c.word(job) == "launching"));
}

#[test]
fn a_restart_in_the_middle_of_a_busy_moment_loses_nothing() {
    let begin = Time(60_000);
    let single = (0..200).map(|_| gang(1, 1).begin(begin)).collect();
    let array = vec![gang(1, 1).array(0..200).begin(begin)];
    let ways: [(&str, Vec<JobSpec>); 2] = [("single jobs", single), ("an array", array)];
    for (what, specs) in ways {
        let mut c = cluster().nodes("n", 25, "H100x8").build();
        c.submit_all(specs);
        c.now = begin;
        c.step(Command::Tick);
        restart(&mut c);
        c.settle();
        let launching =
            c.snapshot().jobs.iter().filter(|job| job.state == JobState::Launching).count();
        assert_eq!(launching, 200, "{what}");
    }
}

#[test]
fn timers_of_one_moment_come_before_the_command_of_that_moment() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8).limit(minutes(10)));
    c.now = Time(600_000);
    let actions = c.finish(job);
    assert_eq!(moves(&actions, job)[0], JobState::Stopping);
    assert_eq!(c.word(job), "timed-out");
}

#[test]
fn a_tick_when_nothing_is_due_does_nothing() {
    let mut c = nodes(1);
    c.run(gang(1, 8));
    c.submit(gang(1, 8));
    c.submit(gang(1, 8).hold());
    for _ in 0..10 {
        super::support::changes_nothing(&mut c, &Command::Tick);
        c.now = c.now + seconds(1);
    }
}
