//! The steps of an attempt.

use muster_api::SlurmJobView;
use muster_api::step::{OWN, StepState, StepView, TaskEnd};
use muster_slurm::report::{Measured, StepFacts};
use muster_slurm::words::{ExitCode, State};

/// What Slurm makes of an exit by lack of memory.
const OUT_OF_MEMORY: u8 = 125;

/// The exit code of a task that could not be started, or whose code is none that fits.
const CODE: u8 = 1;

/// The steps of one attempt. Who waits for others has not begun.
pub(super) fn facts(view: &SlurmJobView, attempt: u32, job: State) -> Vec<StepFacts> {
    let is_shown = |step: &&StepView| {
        let is_own = step.step == OWN;
        step.attempt == attempt && step.state != StepState::Waiting && step.tasks > 0 && !is_own
    };
    view.steps.iter().filter(is_shown).map(|step| fact(step, job)).collect()
}

/// What the script of an attempt took.
pub(super) fn own(view: &SlurmJobView, attempt: u32) -> Option<Measured> {
    let is_own = |step: &&StepView| step.attempt == attempt && step.step == OWN;
    view.steps.iter().find(is_own).and_then(measured)
}

/// What the tasks of a step took of which that is known.
fn measured(step: &StepView) -> Option<Measured> {
    let known = || step.ends.iter().filter_map(|end| Some((end, end.took?)));
    let (largest, most) = known().max_by_key(|(_, took)| took.memory_peak_kib)?;
    let count = u64::try_from(known().count()).unwrap_or(u64::MAX);
    Some(Measured {
        memory_max_kib: most.memory_peak_kib,
        memory_max_task: largest.rank,
        memory_max_node: largest.node.clone(),
        memory_mean_kib: known().map(|(_, took)| took.memory_peak_kib).sum::<u64>() / count.max(1),
        user_ms: known().map(|(_, took)| took.user_ms).sum(),
        system_ms: known().map(|(_, took)| took.system_ms).sum(),
    })
}

fn fact(step: &StepView, job: State) -> StepFacts {
    StepFacts {
        number: step.step,
        name: step.name.clone(),
        state: state(step, job),
        exit: exit(step),
        nodes: step.nodes.clone(),
        tasks: step.tasks,
        cpus: step.cpus_milli.div_ceil(1000),
        gpus: u64::from(step.gpus),
        started: step.started.map(|moment| moment.0),
        ended: step.ended.map(|moment| moment.0),
        measured: measured(step),
    }
}

fn state(step: &StepView, job: State) -> State {
    // What was ended with its job was not its own doing.
    let taken = matches!(job, State::Cancelled | State::Timeout | State::Preempted);
    let by_signal = step.ends.iter().any(|end| end.signal.is_some());
    match step.state {
        StepState::Waiting | StepState::Running => State::Running,
        StepState::Ended if step.ends.iter().any(|end| end.out_of_memory) => State::OutOfMemory,
        StepState::Ended if step.ends.iter().all(|end| end.code == Some(0)) => State::Completed,
        StepState::Ended if step.is_cancelled || (taken && by_signal) => State::Cancelled,
        StepState::Ended => State::Failed,
    }
}

/// The exit of the task that ended worst.
fn exit(step: &StepView) -> ExitCode {
    let Some(worst) = step.ends.iter().max_by_key(|end| end.status()) else {
        return ExitCode::default();
    };
    match *worst {
        TaskEnd { out_of_memory: true, .. } => ExitCode { code: 0, signal: OUT_OF_MEMORY },
        TaskEnd { signal: Some(signal), .. } => ExitCode { code: 0, signal },
        TaskEnd { code, .. } => {
            let code = code.and_then(|code| u8::try_from(code).ok()).unwrap_or(CODE);
            ExitCode { code, signal: 0 }
        }
    }
}

#[cfg(test)]
mod tests {
    use muster_api::Moment;
    use muster_api::step::{StepState, StepView, TaskEnd, Took};
    use muster_model::Time;
    use muster_slurm::report::Measured;
    use muster_slurm::words::State;

    use super::fact;

    fn ended(ends: &[(Option<i32>, Option<u8>)], is_cancelled: bool) -> StepView {
        let end = |&(code, signal): &_| TaskEnd { code, signal, ..TaskEnd::default() };
        StepView {
            job: 1,
            attempt: 1,
            step: 0,
            name: "train".to_owned(),
            state: StepState::Ended,
            tasks: 2,
            nodes: vec!["node-1".to_owned()],
            tasks_per_node: vec![2],
            cpus_milli: 1500,
            gpus: 2,
            submitted: Moment(Time(0)),
            started: Some(Moment(Time(0))),
            ended: Some(Moment(Time(1000))),
            is_cancelled,
            ends: ends.iter().map(end).collect(),
        }
    }

    #[test]
    fn state_and_exit_are_those_of_the_worst_task() {
        let cases = [
            (ended(&[(Some(0), None), (Some(0), None)], false), State::Completed, "0:0"),
            (ended(&[(Some(0), None), (Some(3), None)], false), State::Failed, "3:0"),
            (ended(&[(Some(3), None), (None, Some(9))], false), State::Failed, "0:9"),
            (ended(&[(None, Some(15))], true), State::Cancelled, "0:15"),
            (ended(&[(Some(-1), None)], false), State::Failed, "1:0"),
        ];
        for (step, state, exit) in cases {
            let fact = fact(&step, State::Running);
            assert_eq!((fact.state, fact.exit.to_string().as_str()), (state, exit), "{step:?}");
            assert_eq!(fact.cpus, 2, "a part of a CPU counts as one");
        }
    }

    #[test]
    fn memory_is_that_of_the_largest_task_and_cpu_time_that_of_all() {
        let mut step = ended(&[(Some(0), None), (Some(0), None)], false);
        assert_eq!(fact(&step, State::Running).measured, None, "an old agent measures nothing");
        for (rank, memory_peak_kib) in [(0, 2_048), (1, 4_096)] {
            let took = Took { memory_peak_kib, user_ms: 1_200, system_ms: 300 };
            let end = &mut step.ends[usize::try_from(rank).expect("it is small")];
            *end = TaskEnd { rank, node: format!("n{rank}"), took: Some(took), ..end.clone() };
        }
        let expected = Measured {
            memory_max_kib: 4_096,
            memory_max_task: 1,
            memory_max_node: "n1".to_owned(),
            memory_mean_kib: 3_072,
            user_ms: 2_400,
            system_ms: 600,
        };
        assert_eq!(fact(&step, State::Running).measured, Some(expected));
    }

    #[test]
    fn step_that_ends_with_its_job_was_cancelled() {
        let step = ended(&[(None, Some(15))], false);
        assert_eq!(fact(&step, State::Timeout).state, State::Cancelled);
        assert_eq!(fact(&step, State::Failed).state, State::Failed);
    }
}
