//! A job's outcome says what happened.

use muster_checker::Promise::Outcome as OutcomePromise;
use muster_engine::action::{JobState, Outcome};
use muster_engine::command::{Command, Exit, Refusal};
use muster_model::{Attempt, Dependency, JobId, Millis, Name, NodeId, Time};

use crate::act::{ALL, job, moved, node, stop};
use crate::stage::{Stage, Verdict, broken, kept};

const LIE: &str = "that is not what happened";

/// A job running on two nodes, with a limit of an hour.
fn running() -> (Stage, [NodeId; 2], JobId) {
    let (mut stage, nodes, job) = queued();
    stage.run(job, &[(nodes[0], &[(0, ALL)]), (nodes[1], &[(1, ALL)])]);
    (stage, nodes, job)
}

fn queued() -> (Stage, [NodeId; 2], JobId) {
    let mut stage = Stage::new();
    let nodes = ["n0", "n1"].map(|name| stage.join(node(name, "z", "r")));
    let mut spec = job(2, 8);
    spec.timing.limit = Some(Millis::hours(1));
    let job = stage.submit(spec);
    (stage, nodes, job)
}

/// Both nodes end the running job with these exits, and it is told to have ended so.
fn after_exits(exits: [Exit; 2], outcome: Outcome) -> Verdict {
    let (mut stage, [a, b], job) = running();
    kept(stage.try_step(&stage.end(a, job, exits[0]), &[]));
    let last = stage.end(b, job, exits[1]);
    stage.try_step(&last, &[moved(job, 1, JobState::Ended(outcome))])
}

#[test]
fn completed_means_success_on_every_node() {
    let (good, bad) = (Exit::Code(0), Exit::Code(3));
    kept(after_exits([good, good], Outcome::Completed));
    broken(after_exits([bad, good], Outcome::Completed), OutcomePromise, LIE);
    broken(after_exits([good, bad], Outcome::Completed), OutcomePromise, LIE);
}

#[test]
fn failed_means_that_a_node_said_so() {
    let (good, bad) = (Exit::Code(0), Exit::Code(3));
    kept(after_exits([bad, good], Outcome::Failed(bad)));
    kept(after_exits([good, Exit::OutOfMemory], Outcome::Failed(Exit::OutOfMemory)));
    broken(after_exits([good, bad], Outcome::Failed(Exit::Code(4))), OutcomePromise, LIE);
    broken(after_exits([good, good], Outcome::Failed(bad)), OutcomePromise, LIE);
}

#[test]
fn cancelled_means_that_someone_asked() {
    let good = Exit::Code(0);
    broken(after_exits([good, good], Outcome::Cancelled), OutcomePromise, LIE);
    let (mut stage, _, job) = queued();
    let over = [moved(job, 0, JobState::Ended(Outcome::Cancelled))];
    kept(stage.try_step(&Command::Cancel { job }, &over));
    let (mut stage, _, job) = queued();
    let over = [moved(job, 0, JobState::Ended(Outcome::Cancelled))];
    broken(stage.try_step(&Command::Hold { job }, &over), OutcomePromise, LIE);
}

#[test]
fn timed_out_means_that_the_time_was_up() {
    for (waited, is_true) in [(Millis::hours(1), true), (Millis::minutes(59), false)] {
        let (mut stage, [a, b], job) = running();
        stage.wait(waited.0);
        let stopping = [stop(job, 1, a), stop(job, 1, b), moved(job, 1, JobState::Stopping)];
        let asked = if is_true { Command::Tick } else { Command::Requeue { job } };
        stage.play(&asked, &stopping);
        stage.play(&stage.end(a, job, Exit::Stopped), &[]);
        let over = [moved(job, 1, JobState::Ended(Outcome::TimedOut))];
        let verdict = stage.try_step(&stage.end(b, job, Exit::Stopped), &over);
        match is_true {
            true => kept(verdict),
            false => broken(verdict, OutcomePromise, LIE),
        }
    }
}

#[test]
fn node_lost_means_that_a_node_was_lost_or_ended_it_unasked() {
    let (mut stage, [a, b], job) = running();
    stage.play(&Command::NodeLost { node: a, lease_ends: Time(2_000) }, &[]);
    stage.play(&Command::NodeLost { node: b, lease_ends: Time(2_000) }, &[]);
    stage.wait(1_000);
    let over = [moved(job, 1, JobState::Ended(Outcome::NodeLost))];
    kept(stage.try_tick(&over));
    kept(after_exits([Exit::Stopped, Exit::Code(0)], Outcome::NodeLost));
    broken(after_exits([Exit::Code(1), Exit::Code(0)], Outcome::NodeLost), OutcomePromise, LIE);
}

#[test]
fn launch_failed_means_that_a_node_refused() {
    for is_refused in [true, false] {
        let (mut stage, [a, b], job) = queued();
        stage.start(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
        let attempt = Attempt(1);
        let refusal = Refusal::Job(Name::from("no-such-user"));
        let first = match is_refused {
            true => Command::Refused { node: a, job, attempt, refusal },
            false => stage.end(a, job, Exit::Code(1)),
        };
        stage.play(&first, &[stop(job, 1, b), moved(job, 1, JobState::Stopping)]);
        let over = [moved(job, 1, JobState::Ended(Outcome::LaunchFailed))];
        let verdict = stage.try_step(&stage.end(b, job, Exit::Stopped), &over);
        match is_refused {
            true => kept(verdict),
            false => broken(verdict, OutcomePromise, LIE),
        }
    }
}

#[test]
fn launch_failed_may_mean_that_nobody_confirmed_in_time() {
    let (mut stage, [a, b], job) = queued();
    stage.start(job, &[(a, &[(0, ALL)]), (b, &[(1, ALL)])]);
    stage.wait(Millis::minutes(5).0);
    let stopping = [stop(job, 1, a), stop(job, 1, b), moved(job, 1, JobState::Stopping)];
    stage.play(&Command::Tick, &stopping);
    stage.play(&stage.end(a, job, Exit::Stopped), &[]);
    let over = [moved(job, 1, JobState::Ended(Outcome::LaunchFailed))];
    kept(stage.try_step(&stage.end(b, job, Exit::Stopped), &over));
}

#[test]
fn dependency_failed_means_that_there_is_one() {
    let (mut stage, _, lonely) = queued();
    let over = |job| [moved(job, 0, JobState::Ended(Outcome::DependencyFailed))];
    broken(stage.try_tick(&over(lonely)), OutcomePromise, LIE);
    let mut spec = job(1, 1);
    spec.after = vec![Dependency::Singleton];
    let waiting = stage.submit_as(spec, JobState::Waiting);
    kept(stage.try_tick(&over(waiting)));
}

/// A job of ten minutes with a deadline in fifteen is ended for that after so long.
fn dropped_after(span: u64, drop_late: bool) -> Verdict {
    let (mut stage, _, _) = queued();
    let mut spec = job(1, 1).limit(Millis::minutes(10));
    spec.timing.deadline = Some(stage.now + Millis::minutes(15));
    spec.timing.drop_late = drop_late;
    let dropped = stage.submit(spec);
    stage.wait(span);
    stage.try_tick(&[moved(dropped, 0, JobState::Ended(Outcome::DeadlineMissed))])
}

#[test]
fn deadline_missed_means_that_its_time_no_longer_fits_before_it() {
    let lie = "job 2 ended as DeadlineMissed, and that is not what happened";
    broken(dropped_after(300_000, true), OutcomePromise, lie);
    broken(dropped_after(300_001, false), OutcomePromise, lie);
    kept(dropped_after(300_001, true));
}
