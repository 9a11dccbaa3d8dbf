//! The steps of jobs, as `sacct` and `squeue --steps` show them.

use muster_api::step::{StepState, StepView, TaskEnd};
use muster_slurm::report::{JobFacts, StepFacts};
use muster_slurm::words::{ExitCode, State};

use super::Stop;
use super::session::Session;

/// Asks for the steps of jobs that have started. Of one that was started again, those of its last
/// attempt are shown, as by Slurm.
pub(super) async fn fill_in(session: &Session, jobs: &mut [JobFacts]) -> Result<(), Stop> {
    let started = |job: &&mut JobFacts| job.started.is_some() && job.state != State::Pending;
    for job in jobs.iter_mut().filter(started) {
        let steps = session.client.steps(job.id).await.map_err(|error| session.failed(error))?;
        let last = steps.iter().map(|step| step.attempt).max();
        let shown = steps.iter().filter(|step| Some(step.attempt) == last);
        let shown = shown.filter(|step| step.state != StepState::Waiting);
        job.steps = shown.filter(|step| step.started.is_some()).map(facts).collect();
    }
    Ok(())
}

fn facts(step: &StepView) -> StepFacts {
    let worst = step.ends.iter().max_by_key(|end| end.status());
    StepFacts {
        number: step.step,
        name: step.name.clone(),
        state: state(step, worst),
        exit: worst.map_or(ExitCode::default(), |end| ExitCode {
            code: end.code.and_then(|code| u8::try_from(code).ok()).unwrap_or_default(),
            signal: end.signal.unwrap_or_default(),
        }),
        nodes: step.nodes.clone(),
        tasks: step.tasks,
        cpus: step.cpus_milli.div_ceil(1000),
        gpus: u64::from(step.gpus),
        started: step.started.map(|time| time.0),
        ended: step.ended.map(|time| time.0),
    }
}

fn state(step: &StepView, worst: Option<&TaskEnd>) -> State {
    let Some(worst) = worst.filter(|_| step.state == StepState::Ended) else {
        return State::Running;
    };
    match (worst.out_of_memory, worst.status(), step.is_cancelled) {
        (true, _, _) => State::OutOfMemory,
        (_, 0, _) => State::Completed,
        (_, _, true) => State::Cancelled,
        _ => State::Failed,
    }
}
