//! A job's life as named transitions. Commands and passes call these; nothing else changes a
//! job's state.
//!
//! ```text
//! waiting <-> queued -> launching -> running -> ended
//!    ^                      |           |
//!    +------ again ------ stopping <----+
//! ```

pub(crate) mod arrays;
pub(crate) mod depend;
pub(crate) mod end;
pub(crate) mod late;
pub(crate) mod launch;
pub(crate) mod queueing;
pub(crate) mod remember;
pub(crate) mod report;
pub(crate) mod shares;
pub(crate) mod stop;

use muster_model::JobId;

use crate::action::{Action, JobState};
use crate::elastic::index;
use crate::state::State;

/// Puts a job into a state and tells the world.
pub(crate) fn move_to(state: &mut State, id: JobId, to: JobState) {
    let record = &mut state.jobs.known_mut(id).record;
    if record.state != to {
        record.state = to;
        let moved = Action::Moved { job: id, attempt: record.attempt, state: to };
        state.actions.push(moved);
        index::list(state, id);
    }
}
