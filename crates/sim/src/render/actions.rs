//! Actions in words. Neighbours that say the same of several nodes or jobs become one line.

use muster_engine::action::{Action, JobState, Outcome, TaskPlace};
use muster_engine::command::Exit;
use muster_model::{Attempt, GpuSet, Isolation, JobId, Rung, signal};

use super::{Scene, list};

impl Scene {
    /// What follows from a step, one line or a few for each action. That a job which launches
    /// is launching goes without saying.
    pub fn actions(&self, actions: &[Action]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut rest = actions;
        while let Some(first) = rest.first() {
            let alike = rest.iter().take_while(|action| is_alike(first, action)).count();
            let (said, further) = rest.split_at(alike);
            lines.extend(self.together(said));
            rest = match further {
                [next, further @ ..] if goes_without_saying(first, next) => further,
                _ => further,
            };
        }
        lines
    }

    /// Actions that are alike, at least one.
    fn together(&self, actions: &[Action]) -> Vec<String> {
        let nodes = || self.hosts(actions.iter().filter_map(node_of));
        let line = match &actions[0] {
            Action::Accepted { job, elements: 0 } => format!("job {job} is accepted"),
            Action::Accepted { job, elements } => {
                let elements = list::numbers(job.0 + 1..=job.0 + u64::from(*elements));
                format!("array {job} is accepted as jobs {elements}")
            }
            Action::Rejected { errors } => {
                let errors = errors.iter().map(ToString::to_string).collect::<Vec<_>>();
                return errors.join("\n").lines().map(rejected).collect();
            }
            Action::Amended { job, .. } => format!("job {job} is changed"),
            Action::NodeAccepted { .. } => format!("{} joined", nodes()),
            Action::Launch { job, attempt, tasks, .. } => {
                let places = self.places(*job, tasks);
                format!("{} launches on {}: {places}", try_of(*job, *attempt), nodes())
            }
            Action::Stop { job, attempt, grace, .. } => {
                format!("{} is told to stop on {} within {grace}", try_of(*job, *attempt), nodes())
            }
            Action::Resize { job, attempt, tasks, .. } if tasks.is_empty() => {
                format!("{} is to leave {}", try_of(*job, *attempt), nodes())
            }
            Action::Resize { job, attempt, tasks, .. } => {
                let places = self.places(*job, tasks);
                format!("{} is to have {places} on {}", try_of(*job, *attempt), nodes())
            }
            Action::Signal { job, attempt, signal, .. } => {
                let signal = signal::name(*signal);
                format!("{} is sent {signal} on {}", try_of(*job, *attempt), nodes())
            }
            Action::Pause { job, attempt, rung, .. } => {
                let what = match rung {
                    Rung::Freeze => "is frozen",
                    Rung::Suspend => "is suspended to host memory",
                    Rung::Checkpoint => "is asked to save",
                    Rung::Requeue => "is to be requeued",
                };
                format!("{} {what} on {}", try_of(*job, *attempt), nodes())
            }
            Action::Resume { job, attempt, rung, .. } => {
                let what = match rung {
                    Rung::Freeze => "computes again",
                    _ => "is put back on its gpus",
                };
                format!("{} {what} on {}", try_of(*job, *attempt), nodes())
            }
            Action::Previewed { job, movable } => {
                format!("preview for job {job}: {}", self.movable(movable))
            }
            Action::Moved { state, .. } => {
                let jobs = actions.iter().filter_map(moved_job).map(|job| job.0);
                let (word, is_one) =
                    if actions.len() == 1 { ("job", true) } else { ("jobs", false) };
                format!("{word} {} {}", list::numbers(jobs), moved(*state, is_one))
            }
        };
        vec![line]
    }

    /// The places of one node's tasks.
    fn places(&self, job: JobId, tasks: &[TaskPlace]) -> String {
        let groups = self.jobs.get(&job).map(|spec| spec.groups.as_slice()).unwrap_or_default();
        let mut shown = Vec::new();
        let mut rest = tasks;
        while let Some(first) = rest.first() {
            let alike = rest.iter().take_while(|task| task.group == first.group).count();
            let place = places_of_group(&rest[..alike]);
            shown.push(match groups.get(usize::from(first.group)) {
                Some(group) if groups.len() > 1 => format!("{} {place}", group.name),
                _ => place,
            });
            rest = &rest[alike..];
        }
        shown.join("; ")
    }
}

fn places_of_group(tasks: &[TaskPlace]) -> String {
    if tasks.iter().any(|task| task.share.is_some()) {
        return parts(tasks);
    }
    let all = tasks.iter().fold(GpuSet::EMPTY, |set, task| set.or(task.gpus));
    match tasks {
        [task] if task.gpus.is_empty() => "1 task".to_owned(),
        [task] => list::gpus(task.gpus),
        tasks if all.is_empty() => format!("{} tasks", tasks.len()),
        tasks if tasks.iter().all(|task| task.gpus.count() == 1) => {
            format!("{} tasks, {}", tasks.len(), list::gpus(all))
        }
        tasks => {
            let sets = tasks.iter().map(|task| list::gpu_numbers(task.gpus));
            format!("{} tasks, gpus {}", tasks.len(), sets.collect::<Vec<_>>().join(" and "))
        }
    }
}

/// Parts of GPUs, those alike said once: `2 tasks, 0.25 of gpu 3 each`.
fn parts(tasks: &[TaskPlace]) -> String {
    let mut said = Vec::new();
    let mut rest = tasks;
    while let Some(first) = rest.first() {
        let is_alike = |task: &&TaskPlace| (task.gpus, task.share) == (first.gpus, first.share);
        let alike = rest.iter().take_while(is_alike).count();
        let part = part(first);
        said.push(if alike == 1 { part } else { format!("{alike} tasks, {part} each") });
        rest = &rest[alike..];
    }
    said.join(" and ")
}

/// `0.25 of gpu 3`, with how it is isolated where that is not softly.
fn part(task: &TaskPlace) -> String {
    let gpus = list::gpus(task.gpus);
    let Some(share) = &task.share else { return gpus };
    match (share.mode, &share.mig) {
        (Isolation::Hard, Some(mig)) => {
            let last = mig.start + mig.eighths - 1;
            format!("{} of {gpus} (cut from eighth {} to {last})", share.milli, mig.start)
        }
        (Isolation::None, _) => format!("{} of {gpus} (taking turns)", share.milli),
        _ => format!("{} of {gpus}", share.milli),
    }
}

/// Whether the second says only what the first has said: a launch comes with its state.
fn goes_without_saying(first: &Action, next: &Action) -> bool {
    match (first, next) {
        (
            Action::Launch { job, attempt, .. },
            Action::Moved { job: moved, attempt: current, state: JobState::Launching },
        ) => (job, attempt) == (moved, current),
        _ => false,
    }
}

/// Whether two neighbours can be said in one line.
fn is_alike(first: &Action, other: &Action) -> bool {
    match (first, other) {
        (Action::NodeAccepted { .. }, Action::NodeAccepted { .. }) => true,
        (
            Action::Launch { job, attempt, tasks, .. },
            Action::Launch { job: other_job, attempt: other_attempt, tasks: other_tasks, .. },
        ) => {
            let gpus = |tasks: &[TaskPlace]| -> Vec<_> {
                tasks.iter().map(|task| (task.group, task.gpus, task.share)).collect()
            };
            (job, attempt) == (other_job, other_attempt) && gpus(tasks) == gpus(other_tasks)
        }
        (
            Action::Resize { job, attempt, tasks, .. },
            Action::Resize { job: other_job, attempt: other_attempt, tasks: other_tasks, .. },
        ) => {
            let gpus = |tasks: &[TaskPlace]| -> Vec<_> {
                tasks.iter().map(|task| (task.group, task.gpus)).collect()
            };
            (job, attempt) == (other_job, other_attempt) && gpus(tasks) == gpus(other_tasks)
        }
        (
            Action::Pause { job, order, .. },
            Action::Pause { job: other_job, order: other_order, .. },
        )
        | (
            Action::Resume { job, order, .. },
            Action::Resume { job: other_job, order: other_order, .. },
        ) => (job, order) == (other_job, other_order),
        (Action::Moved { state, .. }, Action::Moved { state: other, .. }) => state == other,
        (
            Action::Stop { job, attempt, grace, .. },
            Action::Stop { job: other_job, attempt: other_attempt, grace: other_grace, .. },
        ) => (job, attempt, grace) == (other_job, other_attempt, other_grace),
        (
            Action::Signal { job, attempt, signal, .. },
            Action::Signal { job: other_job, attempt: other_attempt, signal: other_signal, .. },
        ) => (job, attempt, signal) == (other_job, other_attempt, other_signal),
        _ => std::ptr::eq(first, other),
    }
}

fn node_of(action: &Action) -> Option<muster_model::NodeId> {
    match action {
        Action::NodeAccepted { node, .. }
        | Action::Launch { node, .. }
        | Action::Stop { node, .. }
        | Action::Resize { node, .. }
        | Action::Pause { node, .. }
        | Action::Resume { node, .. }
        | Action::Signal { node, .. } => Some(*node),
        _ => None,
    }
}

fn moved_job(action: &Action) -> Option<JobId> {
    match action {
        Action::Moved { job, .. } => Some(*job),
        _ => None,
    }
}

/// A job, with its attempt from the second on.
fn try_of(job: JobId, attempt: Attempt) -> String {
    if attempt.0 <= 1 { format!("job {job}") } else { format!("job {job} attempt {attempt}") }
}

fn rejected(line: &str) -> String {
    match line.strip_prefix("hint: ") {
        Some(hint) => format!("hint: {hint}"),
        None => format!("not accepted: {line}"),
    }
}

fn moved(state: JobState, is_one: bool) -> String {
    let choose = |one: &str, several: &str| if is_one { one } else { several }.to_owned();
    match state {
        JobState::Waiting => choose("waits", "wait"),
        JobState::Queued => choose("is queued", "are queued"),
        JobState::Launching => choose("is launching", "are launching"),
        JobState::Running => choose("runs", "run"),
        JobState::Pausing => choose("is pausing", "are pausing"),
        JobState::Paused => choose("is paused", "are paused"),
        JobState::Resuming => choose("is resuming", "are resuming"),
        JobState::Stopping => choose("is stopping", "are stopping"),
        JobState::Ended(how) => format!("{}: {}", choose("is over", "are over"), outcome(how)),
    }
}

/// A state in one or two words, for tables.
pub(super) fn state(state: JobState) -> String {
    match state {
        JobState::Waiting => "waiting".to_owned(),
        JobState::Queued => "queued".to_owned(),
        JobState::Launching => "launching".to_owned(),
        JobState::Running => "running".to_owned(),
        JobState::Pausing => "pausing".to_owned(),
        JobState::Paused => "paused".to_owned(),
        JobState::Resuming => "resuming".to_owned(),
        JobState::Stopping => "stopping".to_owned(),
        JobState::Ended(how) => outcome(how),
    }
}

fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::Failed(exit) => format!("failed, {}", ended(exit)),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::TimedOut => "reached its time limit".to_owned(),
        Outcome::NodeLost => "lost with a node".to_owned(),
        Outcome::LaunchFailed => "could not be launched".to_owned(),
        Outcome::DependencyFailed => "what it depends on cannot happen any more".to_owned(),
        Outcome::DeadlineMissed => "it could no longer finish by its deadline".to_owned(),
    }
}

fn ended(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(number) => format!("signal {}", signal::name(number)),
        Exit::OutOfMemory => "out of memory".to_owned(),
        Exit::Stopped => "stopped".to_owned(),
    }
}
