//! Dependencies: who is told when a job starts or ends, and what that means for them.

use muster_model::{Dependency, DependencyKind, JobId};

use crate::action::{JobState, Outcome};
use crate::life::{end, queueing};
use crate::state::State;

/// Whether a dependency is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    Yes,
    NotYet,
    Never,
}

/// Looks at everything a job waits for; ends it if something can no longer happen.
pub(crate) fn look(state: &mut State, id: JobId) {
    let unmet = std::mem::take(&mut state.jobs.known_mut(id).record.unmet);
    let mut left = Vec::new();
    for dependency in unmet {
        match is_met(state, id, dependency) {
            Met::Yes => {}
            Met::NotYet => left.push(dependency),
            Met::Never => {
                left.push(dependency);
                state.jobs.known_mut(id).record.unmet = left;
                end::end(state, id, Outcome::DependencyFailed);
                return;
            }
        }
    }
    state.jobs.known_mut(id).record.unmet = left;
}

/// Registers a job with everything it waits for.
pub(crate) fn register(state: &mut State, id: JobId) {
    for dependency in state.jobs.known(id).record.unmet.clone() {
        if let Dependency::On { job, .. } = dependency {
            state.dependents.entry(job).or_default().push(id);
        }
    }
}

/// Tells those who wait for them about jobs that have started or ended. One may end through
/// another, so this goes on until there is no more news; every job ends once.
pub(crate) fn spread_news(state: &mut State) {
    while let Some(id) = state.news.pop_front() {
        let Some(job) = state.jobs.get(id) else { continue };
        let array = job.record.element.map(|(array, _)| array);
        tell_dependents(state, id);
        if let Some(array) = array {
            tell_dependents(state, array);
        }
        tell_namesake(state, id);
    }
}

fn tell_dependents(state: &mut State, target: JobId) {
    let Some(dependents) = state.dependents.remove(&target) else { return };
    let mut left = Vec::new();
    for id in dependents {
        let waits = state.jobs.get(id).is_some_and(|job| !job.is_over());
        if !waits {
            continue;
        }
        look(state, id);
        let job = state.jobs.known(id);
        if job.is_over() {
            continue;
        }
        let still = |dependency: &Dependency| match dependency {
            Dependency::On { job, .. } => *job == target,
            Dependency::Singleton => false,
        };
        if job.record.unmet.iter().any(still) {
            left.push(id);
        } else if !job.is_placed() {
            queueing::settle(state, id);
        }
    }
    if !left.is_empty() {
        state.dependents.insert(target, left);
    }
}

/// The first of the jobs of the same user and name may be waiting just for that.
fn tell_namesake(state: &mut State, ended: JobId) {
    let spec = &state.jobs.known(ended).record.spec;
    let key = (spec.user.clone(), spec.name.clone());
    let Some(&first) = state.namesakes.get(&key).and_then(|jobs| jobs.first()) else { return };
    let job = state.jobs.known(first);
    if !job.is_placed() && job.record.unmet.contains(&Dependency::Singleton) {
        look(state, first);
        if !state.jobs.known(first).is_over() {
            queueing::settle(state, first);
        }
    }
}

fn is_met(state: &State, id: JobId, dependency: Dependency) -> Met {
    match dependency {
        Dependency::Singleton => match first_namesake(state, id) {
            Some(first) if first != id => Met::NotYet,
            _ => Met::Yes,
        },
        Dependency::On { job, kind } => {
            let progress = progress(state, job);
            let over = progress.ended == progress.of;
            match kind {
                DependencyKind::After if progress.started == progress.of => Met::Yes,
                DependencyKind::AfterOk if progress.failed > 0 => Met::Never,
                DependencyKind::AfterOk | DependencyKind::AfterAny if over => Met::Yes,
                DependencyKind::AfterNotOk if over && progress.failed > 0 => Met::Yes,
                DependencyKind::AfterNotOk if over => Met::Never,
                _ => Met::NotYet,
            }
        }
    }
}

/// The first of the jobs of the same user and name that is not over.
pub(crate) fn first_namesake(state: &State, id: JobId) -> Option<JobId> {
    let spec = &state.jobs.known(id).record.spec;
    let key = (spec.user.clone(), spec.name.clone());
    state.namesakes.get(&key)?.first().copied()
}

/// How far a job, or the elements of an array, have got.
struct Progress {
    of: u32,
    started: u32,
    ended: u32,
    failed: u32,
}

fn progress(state: &State, target: JobId) -> Progress {
    if let Some(array) = state.arrays.get(target) {
        let record = &array.record;
        return Progress {
            of: record.elements,
            started: record.started,
            ended: record.ended,
            failed: record.failed,
        };
    }
    let job = state.jobs.known(target);
    let (ended, failed) = match job.record.state {
        JobState::Ended(outcome) => (1, u32::from(outcome != Outcome::Completed)),
        _ => (0, 0),
    };
    Progress { of: 1, started: u32::from(job.record.has_started), ended, failed }
}
