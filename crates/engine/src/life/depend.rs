//! Dependencies: who is told when a job starts or ends, and what that means for them.

use muster_model::{Dependency, DependencyKind, Elements, JobId, JobSpec, Predecessor, Time};

use crate::action::{JobState, Outcome};
use crate::life::{end, queueing};
use crate::state::State;
use crate::state::array::ArrayState;
use crate::state::job::Job;

/// Whether a dependency is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// From that time on, which may be to come.
    From(Time),
    NotYet,
    Never,
}

/// Looks at everything a job waits for; ends it if something can no longer happen.
pub(crate) fn look(state: &mut State, id: JobId) {
    let unmet = std::mem::take(&mut state.jobs.known_mut(id).record.unmet);
    let mut left = Vec::new();
    for mut dependency in unmet {
        give_up_hope(state, &mut dependency);
        match is_met(state, id, &dependency) {
            Met::From(time) => {
                let not_before = state.jobs.known(id).record.not_before;
                if time > state.now.max(not_before) {
                    queueing::pause_until(state, id, time);
                }
            }
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
    let unmet = &state.jobs.known(id).record.unmet;
    for one in unmet.iter().flat_map(Dependency::predecessors) {
        // In the order of their numbers, however late one comes to wait for another.
        let dependents = state.dependents.entry(one.job).or_default();
        let at = dependents.partition_point(|other| *other < id);
        dependents.insert(at, id);
    }
}

/// Takes a job out of all it was registered with.
pub(crate) fn unregister(state: &mut State, id: JobId) {
    let unmet = &state.jobs.known(id).record.unmet;
    for one in unmet.iter().flat_map(Dependency::predecessors) {
        if let Some(dependents) = state.dependents.get_mut(&one.job) {
            dependents.retain(|dependent| *dependent != id);
            if dependents.is_empty() {
                state.dependents.remove(&one.job);
            }
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
        let mut still = job.record.unmet.iter().flat_map(Dependency::predecessors);
        if still.any(|one| one.job == target) {
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

/// Of several jobs those that can no longer do are left out while others can, for who is over may
/// be forgotten.
fn give_up_hope(state: &State, dependency: &mut Dependency) {
    let Dependency::AnyOf(several) = dependency else { return };
    let may_do = |one: &Predecessor| is_reached(state, one) != Met::Never;
    if several.iter().any(may_do) {
        several.retain(may_do);
    }
}

fn is_met(state: &State, id: JobId, dependency: &Dependency) -> Met {
    match dependency {
        Dependency::Singleton => match first_namesake(state, id) {
            Some(first) if first != id => Met::NotYet,
            _ => Met::From(state.now),
        },
        Dependency::On(one) => is_reached(state, one),
        Dependency::AnyOf(several) => {
            let first = |so_far, next| match (so_far, next) {
                (Met::From(one), Met::From(other)) => Met::From(one.min(other)),
                (met @ Met::From(_), _) | (_, met @ Met::From(_)) => met,
                (Met::Never, Met::Never) => Met::Never,
                _ => Met::NotYet,
            };
            let met = several.iter().map(|one| is_reached(state, one));
            met.reduce(first).expect("any of several is any of one at least")
        }
    }
}

fn is_reached(state: &State, one: &Predecessor) -> Met {
    let progress = progress(state, one.job);
    let over = progress.ended == progress.of;
    let is_reached = match one.kind {
        DependencyKind::After => progress.started == progress.of,
        DependencyKind::AfterOk if progress.failed > 0 => return Met::Never,
        DependencyKind::AfterOk | DependencyKind::AfterAny => over,
        DependencyKind::AfterNotOk if over && progress.failed == 0 => return Met::Never,
        DependencyKind::AfterNotOk => over,
    };
    match is_reached {
        true if one.delay.is_zero() => Met::From(state.now),
        true => Met::From(reached_at(state, one) + one.delay),
        false => Met::NotYet,
    }
}

/// When the latest of those meant got there, as far as that is remembered.
fn reached_at(state: &State, one: &Predecessor) -> Time {
    let moment = |job: &Job| match (&job.record.run, job.record.ended) {
        (_, Some(ended)) if one.kind != DependencyKind::After => ended,
        (Some(run), _) => run.started.unwrap_or(run.placed),
        // It started before it ended, and nobody needs to know how long before.
        (None, ended) => ended.unwrap_or(state.now),
    };
    let array = state.arrays.get(one.job);
    let elements = array.into_iter().flat_map(ArrayState::elements);
    let known = elements.chain([one.job]).filter_map(|id| state.jobs.get(id));
    known.map(moment).max().unwrap_or(state.now)
}

/// What a job waits for, with elements of arrays by their own numbers.
pub(crate) fn resolved(state: &State, spec: &JobSpec, index: Option<u32>) -> Vec<Dependency> {
    let resolve = |one: &Predecessor| {
        let index = match one.elements {
            Elements::All => return *one,
            Elements::Index(other) => other,
            Elements::Same => index.expect("only elements wait for others of their index"),
        };
        let job = element(state, one.job, index).expect("elements were looked for");
        Predecessor { job, elements: Elements::All, ..*one }
    };
    let dependencies = spec.after.iter().map(|dependency| match dependency {
        Dependency::On(one) => Dependency::On(resolve(one)),
        Dependency::AnyOf(several) => Dependency::AnyOf(several.iter().map(resolve).collect()),
        Dependency::Singleton => Dependency::Singleton,
    });
    dependencies.collect()
}

/// The element of an array that has an index.
pub(crate) fn element(state: &State, array: JobId, index: u32) -> Option<JobId> {
    // The last are the last to be forgotten.
    let elements = state.arrays.get(array)?.elements();
    let spec = &elements.rev().find_map(|id| state.jobs.get(id))?.record.spec;
    let position = spec.array.as_ref()?.indexes.binary_search(&index).ok()?;
    let id = JobId(array.0 + 1 + u64::try_from(position).expect("arrays are bounded"));
    state.jobs.get(id).map(|_| id)
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
