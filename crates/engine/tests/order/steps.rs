//! The bound on starts in one step: the rest follows in the steps that are due at once.

use crate::support::*;

/// A node that is taken, and jobs of one GPU that wait for it.
fn crowd(cap: u32) -> (World, JobId, Vec<JobId>) {
    let mut c = cluster().nodes("n", 1, "H100x8").starts_per_step(cap).build();
    let taken = c.run(gang(1, 8));
    let jobs = (0..8).map(|_| c.submit(gang(1, 1))).collect();
    c.forget_starts();
    (c, taken, jobs)
}

fn end_of(c: &World, job: JobId) -> Command {
    Command::Ended { node: c.node("n-1"), job, attempt: c.attempt(job), exit: Exit::Code(0) }
}

#[test]
fn no_step_starts_more_than_the_cap() {
    let (mut c, taken, jobs) = crowd(3);
    let end = end_of(&c, taken);
    c.step(end);
    assert_eq!(c.started(), jobs[..3]);
    assert_eq!(c.engine.next_wake(), Some(c.now()), "the rest is due at once");
    c.step(Command::Tick);
    assert_eq!(c.started(), jobs[..6]);
    c.step(Command::Tick);
    assert_eq!(c.started(), jobs);
    c.settle();
    assert!(c.engine.next_wake().is_none_or(|wake| wake > c.now()));
}

#[test]
fn who_waits_for_the_next_step_is_told_so() {
    let (mut c, taken, jobs) = crowd(3);
    let end = end_of(&c, taken);
    c.step(end);
    assert_eq!(c.reasons(jobs[7]), [Reason::Next]);
}

#[test]
fn the_rest_follows_with_whatever_happens_next() {
    let (mut c, taken, jobs) = crowd(4);
    let end = end_of(&c, taken);
    c.step(end);
    let late = c.step(Command::Submit { spec: gang(1, 1).class("express").into() });
    assert_eq!(c.starts.len(), 8);
    let express = late.iter().find_map(|action| match action {
        Action::Accepted { job, .. } => Some(*job),
        _ => None,
    });
    let express = express.expect("the job is accepted");
    assert!(c.is_placed(express), "a higher class that came meanwhile goes first");
    assert!(!c.is_placed(jobs[7]));
}

#[test]
fn an_interrupted_pass_survives_a_restart() {
    let (mut c, taken, _) = crowd(3);
    let end = end_of(&c, taken);
    c.step(end);
    let snapshot = c.snapshot();
    assert!(snapshot.pass_due);
    let mut engine = muster_engine::Engine::restore(snapshot, c.tuning).expect("our own snapshot");
    assert_eq!(engine.next_wake(), Some(c.now()));
    assert_eq!(engine.step(c.now(), Command::Tick), c.step(Command::Tick));
}

#[test]
fn starving_jobs_count_against_the_cap_too() {
    let mut c = cluster()
        .nodes("n", 1, "H100x8")
        .starts_per_step(2)
        .policy(|policy| policy.floor = floor(100, hours(1), hours(1)))
        .build();
    let taken = c.run(gang(1, 8));
    for _ in 0..6 {
        c.submit(gang(1, 1).class("preemptible"));
    }
    c.forget_starts();
    c.advance(hours(1));
    let end = end_of(&c, taken);
    c.step(end);
    assert!(c.starts.len() <= 2, "{:?}", c.starts);
    c.settle();
    assert_eq!(c.starts.len(), 6);
}

#[test]
fn a_thousand_jobs_start_in_order_over_many_steps() {
    let mut c = cluster().nodes("n", 16, "H100x8").build();
    let taken: Vec<JobId> = (0..16).map(|_| c.run(gang(1, 8))).collect();
    let jobs: Vec<JobId> = (0..128).map(|_| c.submit(gang(1, 1))).collect();
    c.forget_starts();
    for job in taken {
        c.finish(job);
    }
    assert_eq!(c.started(), jobs);
}
