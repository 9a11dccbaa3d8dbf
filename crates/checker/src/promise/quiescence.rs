//! Promise: left alone, the engine comes to rest.
//!
//! With the clock standing still, a bounded number of ticks is enough until the engine wants to
//! be woken later or not at all: each tick that is wanted at once starts or ends somebody. A tick
//! before the engine wants one does nothing.

use muster_model::Time;

use crate::shadow::Shadow;
use crate::step::Step;
use crate::violation::{Findings, Promise};

/// Ticks beyond those that move a job or a node: for what is due by time, and a last look.
const TICKS_SPARE: usize = 16;

/// Judges a tick that the engine did not ask for.
pub(crate) fn idle_tick(step: &Step<'_>, now: Time, found: &mut Findings) {
    if !step.actions.is_empty() {
        let detail = format!("nothing was due at {}, and a tick led to {:?}", now.0, step.actions);
        found.add(Promise::Quiescence, detail);
    }
}

/// Judges how often the engine wanted a tick without time passing.
pub(crate) fn ticked(shadow: &Shadow, ticks: usize, found: &mut Findings) {
    let live = shadow.jobs.values().filter(|job| !job.is_ended()).count();
    let most = live + shadow.nodes.len() + TICKS_SPARE;
    if ticks > most {
        let now = shadow.now.0;
        let detail = format!("after {ticks} ticks at {now} there is still something due");
        found.add(Promise::Quiescence, detail);
    }
}
