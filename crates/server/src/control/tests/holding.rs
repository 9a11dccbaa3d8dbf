//! Jobs that hold places without a program: when they are let go, and what the engine makes of it.

use muster_api::{Program, Reach, Runs, Work};
use muster_engine::action::{JobState, Outcome};
use muster_engine::command::{Command, Exit};
use muster_model::{Attempt, JobId, JobSpec, Millis, NodeId};

use super::{Answer, Scene, gang};
use crate::entry::{Entry, Inside};

/// A job on two nodes that runs in these places, and has started.
fn held(runs: Runs) -> (Scene, JobId) {
    let mut scene = Scene::new(2);
    let job = scene.submit_with(gang(2), Program { runs, ..Program::default() }, None);
    scene.started(0, job);
    scene.started(1, job);
    (scene, job)
}

fn end(scene: &mut Scene, node: u32, job: JobId, exit: Exit) {
    let attempt = scene.control.job(job).expect("it is known").attempt;
    scene.tell(Entry::Told(Command::Ended { node: NodeId(node), job, attempt, exit }));
}

fn state(scene: &Scene, job: JobId) -> JobState {
    scene.control.job(job).expect("it is known").state
}

fn is_stopped(scene: &Scene, node: u32) -> bool {
    matches!(scene.duties(node, None).2[0].work, Work::Stop { .. })
}

#[test]
fn a_job_ends_as_its_first_place_does_once_the_others_are_let_go() {
    let cases = [
        (Exit::Code(0), Outcome::Completed),
        (Exit::Code(3), Outcome::Failed(Exit::Code(3))),
        (Exit::Signal(11), Outcome::Failed(Exit::Signal(11))),
    ];
    for (exit, outcome) in cases {
        let (mut scene, job) = held(Runs::First);
        end(&mut scene, 0, job, exit);
        assert!(is_stopped(&scene, 1), "{exit:?}");
        assert!(!matches!(state(&scene, job), JobState::Ended(_)), "one place is still held");
        end(&mut scene, 1, job, Exit::Stopped);
        assert_eq!(state(&scene, job), JobState::Ended(outcome), "{exit:?}");
    }
}

#[test]
fn a_held_place_that_is_taken_away_takes_the_job_along() {
    let (mut scene, job) = held(Runs::First);
    end(&mut scene, 1, job, Exit::Stopped);
    assert_eq!(state(&scene, job), JobState::Stopping);
    assert!(is_stopped(&scene, 0));
}

#[test]
fn a_node_that_falls_while_it_lets_go_does_not_start_a_finished_job_again() {
    for is_late in [false, true] {
        let (mut scene, job) = held(Runs::First);
        end(&mut scene, 0, job, Exit::Code(0));
        let lease_ends = scene.now + Millis(if is_late { 0 } else { 500 });
        scene.tell(Entry::Told(Command::NodeLost { node: NodeId(1), lease_ends }));
        if !is_late {
            assert!(!matches!(state(&scene, job), JobState::Ended(_)), "it may still be there");
            scene.now = lease_ends;
            scene.tell(Entry::Told(Command::Tick));
        }
        assert_eq!(state(&scene, job), JobState::Ended(Outcome::Completed));
        assert!(is_stopped(&scene, 1), "it is told so when it comes back");
    }
}

#[test]
fn the_owner_ends_a_job_that_only_holds_its_places_with_a_code() {
    for (code, outcome) in [(0, Outcome::Completed), (7, Outcome::Failed(Exit::Code(7)))] {
        let (mut scene, job) = held(Runs::Nowhere);
        let ended = Entry::Inside(Inside::Ended { job, exit: Exit::Code(code) });
        assert_eq!(scene.tell(ended.clone()), Answer::Done);
        assert!(is_stopped(&scene, 0) && is_stopped(&scene, 1));
        assert_eq!(scene.tell(ended), Answer::Done, "it may be said twice");
        end(&mut scene, 1, job, Exit::Stopped);
        end(&mut scene, 0, job, Exit::Stopped);
        assert_eq!(state(&scene, job), JobState::Ended(outcome));
    }
}

#[test]
fn only_a_job_that_holds_its_places_is_ended_by_a_code() {
    let (mut scene, job) = held(Runs::First);
    let ended = |job| Entry::Inside(Inside::Ended { job, exit: Exit::Code(0) });
    let refused = |answer: Answer| matches!(answer, Answer::Rejected(_));
    assert!(refused(scene.tell(ended(job))), "it ends by itself");
    let program = Program { runs: Runs::Nowhere, ..Program::default() };
    let waiting = scene.submit_with(gang(2), program, None);
    assert!(refused(scene.tell(ended(waiting))), "it has no places yet");
    assert!(refused(scene.tell(ended(JobId(99)))));
}

#[test]
fn a_job_that_is_cancelled_while_it_is_held_is_cancelled() {
    let (mut scene, job) = held(Runs::Nowhere);
    scene.tell(Entry::Told(Command::Cancel { job }));
    end(&mut scene, 0, job, Exit::Stopped);
    end(&mut scene, 1, job, Exit::Stopped);
    assert_eq!(state(&scene, job), JobState::Ended(Outcome::Cancelled));
}

#[test]
fn a_signal_goes_to_every_node_with_whom_it_is_for() {
    let (mut scene, job) = held(Runs::First);
    for (number, to) in [(1, Reach::Steps), (2, Reach::First)] {
        let signalled = Inside::Signalled { job, signal: 10, to };
        assert_eq!(scene.tell(Entry::Inside(signalled)), Answer::Done);
        for node in 0..2 {
            let Work::Run(work) = &scene.duties(node, None).2[0].work else { panic!("it runs") };
            let sent = work.signal.expect("it is sent");
            assert_eq!((sent.number, sent.signal, sent.to), (number, 10, to));
        }
    }
}

#[test]
fn what_the_engine_sends_goes_to_whom_the_program_says() {
    let mut scene = Scene::new(1);
    let mut spec = JobSpec::gang("train", 1, 8).warning(10, Millis::minutes(5));
    spec.timing.limit = Some(Millis::minutes(10));
    let program = Program { signals: Reach::Steps, runs: Runs::First, ..Program::default() };
    let job = scene.submit_with(spec, program, None);
    scene.started(0, job);
    scene.now = scene.now + Millis::minutes(6);
    scene.tell(Entry::Told(Command::Tick));
    let Work::Run(work) = &scene.duties(0, None).2[0].work else { panic!("it runs") };
    assert_eq!(work.signal.map(|sent| (sent.signal, sent.to)), Some((10, Reach::Steps)));
    assert_eq!(scene.control.job(job).expect("it is known").attempt, Attempt(1));
}
