//! Promise: a job starts only when nothing it waits for is open.
//!
//! It is not held, its earliest start has come, every job it depends on has reached the point it
//! asks for, no earlier job of the same user and name is open if it is a singleton, and its array
//! runs no more elements than it may.

use muster_engine::action::{JobState, Outcome};
use muster_model::{Dependency, DependencyKind, Elements, Predecessor, Time};

use crate::shadow::{Held, Job, Shadow};
use crate::violation::{Findings, Promise};

/// Judges a start before it is taken in.
pub(crate) fn launched(shadow: &Shadow, job: &Job, found: &mut Findings) {
    let id = job.id;
    if job.held == Held::Yes {
        found.add(Promise::Waits, format!("job {id} was launched while it is held"));
    }
    if let Some(begin) = job.spec.timing.begin.filter(|begin| *begin > shadow.now) {
        let (now, begin) = (shadow.now.0, begin.0);
        found.add(Promise::Waits, format!("job {id} was launched at {now}, before {begin}"));
    }
    for dependency in &job.spec.after {
        match dependency {
            Dependency::On(_) | Dependency::AnyOf(_) => {
                let others = dependency.predecessors();
                if !others.iter().any(|other| is_reached(shadow, job, other)) {
                    let detail = format!("job {id} was launched before {dependency} came");
                    found.add(Promise::Waits, detail);
                }
            }
            Dependency::Singleton => singleton(shadow, job, found),
        }
    }
    throttle(shadow, job, found);
}

/// Whether the other job has come so far; yes where it is forgotten, for it was over then.
fn is_reached(shadow: &Shadow, waiting: &Job, other: &Predecessor) -> bool {
    let index = match other.elements {
        Elements::All => None,
        Elements::Index(index) => Some(index),
        Elements::Same => waiting.element.map(|(_, index)| index),
    };
    let is_array = index.is_none() && shadow.arrays.contains_key(&other.job);
    let all = shadow.meant_by(other.job).into_iter().map(|id| &shadow.jobs[&id]);
    let is_meant = |job: &&Job| index.is_none() || job.element.map(|(_, index)| index) == index;
    let is_long_ago = |moment: Time| moment + other.delay <= shadow.now;
    all.filter(is_meant).all(|job| match other.kind {
        DependencyKind::After => job.started.map_or(job.is_ended(), is_long_ago),
        DependencyKind::AfterOk => job.state == Some(JobState::Ended(Outcome::Completed)),
        DependencyKind::AfterAny => job.is_ended(),
        // Of an array some elements may well succeed.
        DependencyKind::AfterNotOk => {
            let is_success = job.state == Some(JobState::Ended(Outcome::Completed));
            job.is_ended() && (is_array || !is_success)
        }
    })
}

fn singleton(shadow: &Shadow, job: &Job, found: &mut Findings) {
    let id = job.id;
    for other in shadow.namesakes(&job.spec).take_while(|other| *other < id) {
        let detail = format!("singleton job {id} was launched while job {other} is open");
        found.add(Promise::Waits, detail);
    }
}

fn throttle(shadow: &Shadow, job: &Job, found: &mut Findings) {
    let Some((array, _)) = job.element else { return };
    // Elements that were at work when the throttle was lowered may be moved all the same.
    if shadow.rethrottled.contains(&array) && job.started.is_some() {
        return;
    }
    let Some(most) = job.spec.array.as_ref().and_then(|array| array.throttle) else { return };
    let others = shadow.meant_by(array).into_iter().filter(|id| *id != job.id);
    let busy = others.filter(|id| shadow.jobs[id].may_run()).count();
    if usize::try_from(most).is_ok_and(|most| busy + 1 > most) {
        let detail = format!("array {array} runs {} elements and may run {most}", busy + 1);
        found.add(Promise::Waits, detail);
    }
}
