//! Promise: who waits is told why.
//!
//! A job that waits or is queued has at least one reason. One that waits has a reason that room
//! cannot cure, one that is queued has none. A start that is foretold lies ahead.

use muster_engine::action::JobState;
use muster_engine::explain::Why;
use muster_engine::reason::Reason;
use muster_model::Time;

use crate::shadow::Shadow;
use crate::violation::{Findings, Promise};

/// Judges an answer.
pub(crate) fn answered(shadow: &Shadow, why: &Why, found: &mut Findings) {
    let id = why.job;
    let told = shadow.jobs.get(&id).map(|job| job.state);
    match told {
        None => found.add(Promise::Reason, format!("job {id} is explained and not known")),
        Some(Some(state)) if state != why.state => {
            let detail = format!("job {id} is {state:?} and explained as {:?}", why.state);
            found.add(Promise::Reason, detail);
        }
        Some(_) => {}
    }
    let keeps_waiting = why.reasons.iter().find(|reason| is_beyond_room(reason));
    match (why.state, keeps_waiting) {
        (JobState::Waiting | JobState::Queued | JobState::Paused, _) if why.reasons.is_empty() => {
            found.add(Promise::Reason, format!("job {id} waits without a reason"));
        }
        (JobState::Waiting, None) => {
            let detail = format!("job {id} waits, and all that is said is about room");
            found.add(Promise::Reason, detail);
        }
        (JobState::Queued, Some(reason)) => {
            found.add(Promise::Reason, format!("job {id} is queued, yet {reason}"));
        }
        _ => {}
    }
    foretold(shadow, why, found);
}

fn foretold(shadow: &Shadow, why: &Why, found: &mut Findings) {
    let alternatives =
        why.alternatives.iter().map(|alternative| ("with a change", alternative.starts));
    let starts = [("probably", why.estimated_start), ("at the latest", why.latest_start)];
    let starts = starts.into_iter().filter_map(|(how, at)| Some((how, at?)));
    for (how, Time(at)) in starts.chain(alternatives) {
        let Time(now) = shadow.now;
        if at < now {
            let detail = format!("at {now}, job {} is to start {how} at {at}", why.job);
            found.add(Promise::Reason, detail);
        }
    }
}

/// Whether something other than room keeps a job.
fn is_beyond_room(reason: &Reason) -> bool {
    match reason {
        Reason::Held
        | Reason::Dependency { .. }
        | Reason::Singleton { .. }
        | Reason::BeginTime { .. }
        | Reason::Throttle { .. }
        | Reason::Pause { .. } => true,
        Reason::QueueLimit { .. }
        | Reason::UserLimit { .. }
        | Reason::Impossible { .. }
        | Reason::Gpus { .. }
        | Reason::Fragments { .. }
        | Reason::Share { .. }
        | Reason::HostResources { .. }
        | Reason::Level { .. }
        | Reason::Claimed { .. }
        | Reason::Reserved { .. }
        | Reason::Making { .. }
        | Reason::Paused(_)
        | Reason::Occupied { .. }
        | Reason::Spared { .. }
        | Reason::Behind { .. }
        | Reason::Next => false,
    }
}
