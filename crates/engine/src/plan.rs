//! What will be: nodes held for starving jobs, the latest start a job can be told, and the
//! start to expect from the predicted ends of what runs.

pub(crate) mod backfill;
pub(crate) mod booking;
pub(crate) mod bound;
pub(crate) mod claim;
pub(crate) mod drain;
pub(crate) mod estimate;
pub(crate) mod expect;
pub(crate) mod loan;
pub(crate) mod remaining;
pub(crate) mod reserve;
