//! Ended jobs are remembered for a while, for late dependencies and questions, and then
//! forgotten.

use crate::state::State;

/// At most so many ended jobs are remembered, however recent: a bound on memory.
const ENDED_MAX: usize = 100_000;

/// At most so many are forgotten in one step, so that no step is long.
const FORGET_PER_STEP: usize = 8;

/// Forgets jobs that ended long enough ago.
pub(crate) fn forget_old(state: &mut State) {
    let keep = state.catalog.policy().remember_ended;
    for _ in 0..FORGET_PER_STEP {
        let Some(&(ended, id)) = state.jobs.ended.first() else { return };
        if state.jobs.ended.len() <= ENDED_MAX && ended + keep > state.now {
            return;
        }
        state.jobs.ended.pop_first();
        let job = state.jobs.forget(id).expect("a remembered job is there");
        if let Some((array, _)) = job.record.element {
            let record = &mut state.arrays.get_mut(array).expect("its array is there").record;
            record.remembered -= 1;
            if record.remembered == 0 {
                state.arrays.arrays.remove(&array);
            }
        }
    }
}
