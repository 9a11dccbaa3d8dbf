//! Steps in the control state: numbers, places, waiting, ends.

use std::sync::Arc;

use muster_api::step::{OWN, StepReport, StepRequest, StepSize, StepState, StepView, Took};
use muster_api::{Program, Runs, Work};
use muster_engine::action::{JobState, Outcome};
use muster_engine::command::{Command, Exit, Running};
use muster_model::{Attempt, JobId, JobSpec, NodeId};

use super::{Answer, Scene};
use crate::entry::{Entry, Inside};

/// A job with two places of four CPUs on nodes of their own, which runs.
fn running() -> (Scene, JobId) {
    let (mut scene, job) = launching();
    scene.started(0, job);
    scene.started(1, job);
    (scene, job)
}

fn launching() -> (Scene, JobId) {
    let mut scene = Scene::new(2);
    let program = Program { runs: Runs::First, ..Program::default() };
    let job = scene.submit_with(JobSpec::gang("train", 2, 8).cpus(4), program, None);
    (scene, job)
}

fn size(tasks: u32) -> StepRequest {
    let size = StepSize { tasks: Some(tasks), ..StepSize::default() };
    StepRequest { size, ..StepRequest::default() }
}

fn start(scene: &mut Scene, job: JobId, request: StepRequest) -> Answer {
    scene.tell(Entry::Inside(Inside::Step { job, request: Arc::new(request) }))
}

fn ends(scene: &mut Scene, node: u32, job: JobId, (step, rank): (u32, u32), exit: Exit) {
    let of = Running { job, attempt: Attempt(1) };
    let report = StepReport::Ended { of, step, rank, exit, detail: String::new(), took: None };
    scene.tell(Entry::Inside(Inside::Told { node: NodeId(node), report }));
}

fn step(scene: &Scene, job: JobId, number: u32) -> StepView {
    scene.control.step_view(job, number).expect("it is known")
}

/// The steps a node is asked to have: number and ranks.
fn asked(scene: &Scene, node: u32) -> Vec<(u32, Vec<u32>)> {
    let (_, _, duties) = scene.duties(node, None);
    let Work::Run(work) = &duties[0].work else { panic!("it runs") };
    let ranks = |step: &Arc<muster_api::StepDuty>| {
        (step.step, step.tasks.iter().map(|task| task.rank).collect())
    };
    work.steps.iter().map(ranks).collect()
}

#[test]
fn a_step_goes_to_its_nodes_and_is_over_when_they_have_told_all_ends() {
    let (mut scene, job) = running();
    let (version, _, _) = scene.duties(0, None);
    assert_eq!(start(&mut scene, job, size(5)), Answer::Step(0));
    assert_eq!(asked(&scene, 0), [(0, vec![0, 1, 2])]);
    assert_eq!(asked(&scene, 1), [(0, vec![3, 4])]);
    assert_eq!(scene.duties(0, Some(version)).2.len(), 1, "who listens hears of it");
    ends(&mut scene, 1, job, (0, 3), Exit::Code(0));
    ends(&mut scene, 1, job, (0, 4), Exit::Code(3));
    assert_eq!(asked(&scene, 1), [], "it has said all there is to say");
    for rank in 0..3 {
        ends(&mut scene, 0, job, (0, rank), Exit::Code(0));
        ends(&mut scene, 0, job, (0, rank), Exit::Code(1));
    }
    let view = step(&scene, job, 0);
    assert_eq!((view.state, view.status(), view.ends.len()), (StepState::Ended, 3, 5));
    assert_eq!(view.ends[4].node, "n2");
    assert_eq!(start(&mut scene, job, size(1)), Answer::Step(1));
}

#[test]
fn what_tasks_took_is_kept_with_their_ends_and_that_of_the_job_itself_beside_them() {
    let (mut scene, job) = running();
    start(&mut scene, job, size(1));
    let of = Running { job, attempt: Attempt(1) };
    let took = |memory_peak_kib| Took { memory_peak_kib, user_ms: 20, system_ms: 10 };
    let mut tell = |report| {
        scene.tell(Entry::Inside(Inside::Told { node: NodeId(0), report }));
    };
    let (exit, detail) = (Exit::Code(0), String::new());
    let given = Some(took(2_048));
    tell(StepReport::Ended { of, step: 0, rank: 0, exit, detail, took: given });
    tell(StepReport::Took { of, rank: 0, took: took(4_096) });
    tell(StepReport::Took { of, rank: 0, took: took(9_999) });
    let later = Running { job, attempt: Attempt(2) };
    tell(StepReport::Took { of: later, rank: 0, took: took(9_999) });
    assert_eq!(step(&scene, job, 0).ends[0].took, given);
    let own = step(&scene, job, OWN);
    assert_eq!((own.state, own.tasks, own.ends.len()), (StepState::Ended, 1, 1));
    assert_eq!(own.ends[0].took, Some(took(4_096)), "the first word counts");
    assert_eq!(asked(&scene, 0), [], "nobody is asked to have it");
    assert_eq!(start(&mut scene, job, size(1)), Answer::Step(1), "steps go on counting");
}

#[test]
fn a_step_waits_for_another_and_starts_with_its_end() {
    let (mut scene, job) = running();
    let whole = StepRequest::default();
    start(&mut scene, job, whole.clone());
    assert_eq!(start(&mut scene, job, whole.clone()), Answer::Step(1));
    assert_eq!(step(&scene, job, 1).state, StepState::Waiting);
    let now = StepRequest { immediate: true, ..whole.clone() };
    assert!(matches!(start(&mut scene, job, now), Answer::Rejected(_)));
    let shared = StepRequest { overlap: true, ..whole };
    start(&mut scene, job, shared);
    assert_eq!(step(&scene, job, 2).state, StepState::Running);
    ends(&mut scene, 0, job, (0, 0), Exit::Code(0));
    assert_eq!(step(&scene, job, 1).state, StepState::Waiting, "one node is still in use");
    ends(&mut scene, 1, job, (0, 1), Exit::Code(0));
    assert_eq!(step(&scene, job, 1).state, StepState::Running);
}

#[test]
fn what_could_never_fit_is_refused_with_words() {
    let (mut scene, job) = running();
    let Answer::Rejected(why) = start(&mut scene, job, size(9)) else { panic!("8 CPUs are there") };
    assert!(why[0].to_string().contains("expected at most 8"), "{why:?}");
    assert!(matches!(start(&mut scene, JobId(99), size(1)), Answer::Rejected(_)));
    assert_eq!(start(&mut scene, job, size(1)), Answer::Step(0), "no number was used up");
}

#[test]
fn a_step_of_a_job_that_is_coming_up_starts_with_it() {
    let (mut scene, job) = launching();
    scene.started(0, job);
    assert_eq!(start(&mut scene, job, size(1)), Answer::Step(0));
    assert_eq!(step(&scene, job, 0).state, StepState::Waiting);
    scene.started(1, job);
    assert_eq!(step(&scene, job, 0).state, StepState::Running);
}

#[test]
fn a_bad_exit_ends_the_others_where_that_is_wanted() {
    for kill_on_bad_exit in [false, true] {
        let (mut scene, job) = running();
        start(&mut scene, job, StepRequest { kill_on_bad_exit, ..StepRequest::default() });
        ends(&mut scene, 0, job, (0, 0), Exit::Code(1));
        let Work::Run(work) = &scene.duties(1, None).2[0].work else { panic!("it runs") };
        assert_eq!(work.steps[0].end_grace_ms.is_some(), kill_on_bad_exit);
    }
}

#[test]
fn a_step_is_signalled_and_ended_and_one_that_waits_is_over_at_once() {
    let (mut scene, job) = running();
    start(&mut scene, job, StepRequest::default());
    start(&mut scene, job, StepRequest::default());
    let tell = |scene: &mut Scene, step, signal| {
        scene.tell(Entry::Inside(Inside::StepSignalled { job, step, signal }))
    };
    assert_eq!(tell(&mut scene, 0, Some(10)), Answer::Done);
    let Work::Run(work) = &scene.duties(0, None).2[0].work else { panic!("it runs") };
    assert_eq!((work.steps[0].signal, work.steps[0].end_grace_ms), (Some((1, 10)), None));
    assert_eq!(tell(&mut scene, 1, None), Answer::Done);
    assert_eq!(step(&scene, job, 1).state, StepState::Ended);
    assert!(matches!(tell(&mut scene, 1, None), Answer::Rejected(_)), "it has ended");
    tell(&mut scene, 0, None);
    assert!(step(&scene, job, 0).is_cancelled);
    assert_eq!(step(&scene, job, 0).state, StepState::Running, "until its nodes say so");
}

#[test]
fn steps_are_over_with_their_job_and_begin_anew_with_the_next_attempt() {
    let (mut scene, job) = running();
    start(&mut scene, job, StepRequest::default());
    scene.tell(Entry::Told(Command::Requeue { job }));
    for node in 0..2 {
        let exit = Exit::Stopped;
        let (node, attempt) = (NodeId(node), Attempt(1));
        scene.tell(Entry::Told(Command::Ended { node, job, attempt, exit }));
    }
    assert_eq!(step(&scene, job, 0).state, StepState::Ended);
    assert_eq!(step(&scene, job, 0).status(), 128 + 9);
    scene.started(0, job);
    scene.started(1, job);
    assert_eq!(start(&mut scene, job, size(1)), Answer::Step(0));
    ends(&mut scene, 0, job, (0, 0), Exit::Code(0));
    assert_eq!(step(&scene, job, 0).state, StepState::Running, "that was of the first attempt");
    let snapshot = scene.control.snapshot();
    let body = snapshot.encode();
    let read = super::ControlSnapshot::decode(super::CONTROL_VERSION, &body).expect("it is whole");
    assert_eq!(read, snapshot);
}

#[test]
fn a_job_that_is_held_for_one_step_ends_as_that_step_does() {
    let mut scene = Scene::new(1);
    let program = Program { runs: Runs::Nowhere, ..Program::default() };
    let job = scene.submit_with(JobSpec::gang("train", 1, 8).cpus(4), program, None);
    scene.started(0, job);
    start(&mut scene, job, StepRequest { ends_job: true, ..size(2) });
    ends(&mut scene, 0, job, (0, 0), Exit::Code(0));
    assert!(matches!(scene.duties(0, None).2[0].work, Work::Run(_)), "one task still runs");
    ends(&mut scene, 0, job, (0, 1), Exit::Signal(9));
    assert!(matches!(scene.duties(0, None).2[0].work, Work::Stop { .. }));
    let (node, attempt, exit) = (NodeId(0), Attempt(1), Exit::Stopped);
    scene.tell(Entry::Told(Command::Ended { node, job, attempt, exit }));
    let state = scene.control.job(job).expect("it is known").state;
    assert_eq!(state, JobState::Ended(Outcome::Failed(Exit::Signal(9))));
}
