//! Growing onto reserved nodes, after what is idle elsewhere was handed out: only jobs that can
//! shrink out of them before their gang needs them, and that gain more than both resizes cost.

use std::sync::Arc;

use muster_model::JobId;

use crate::elastic::grow::{self, Grower};
use crate::elastic::resize;
use crate::elastic::wanted::Wanted;
use crate::plan::loan::{self, Lender};
use crate::state::State;

/// Lends GPUs that are reserved to those of a few jobs that may still grow.
pub(crate) fn borrow(state: &mut State, few: &[JobId], wanted: &Wanted) {
    let lenders = loan::lenders(state);
    if lenders.is_empty() {
        return;
    }
    let left = few.iter().filter(|id| state.elastic.may_grow.contains(id));
    let growers: Vec<Grower> =
        left.filter_map(|&id| borrower(state, id, wanted, &lenders)).collect();
    for grower in grow::hand_out(state, growers) {
        loan::note(state, grower.id);
        resize::grow(state, grower.id, &grower.added);
    }
}

/// A job as a bidder for reserved GPUs. Whoever waits for room cannot have these, or would have
/// been lent them; a limit that others wait for is not used up.
fn borrower(state: &State, id: JobId, wanted: &Wanted, lenders: &[Arc<Lender>]) -> Option<Grower> {
    let job = state.jobs.known(id);
    let mut grower = Grower::new(state, id)?;
    let model = grower.model();
    let (lender, lasts) = loan::lender(state, job, (&grower.range, model), lenders)?;
    grower.stay = grower.stay.min(lasts);
    grower.lender = Some(lender);
    let is_free_to_grow = wanted.by_limited(state, job, model).is_none();
    (is_free_to_grow && grower.first_portion(job).is_some()).then_some(grower)
}
