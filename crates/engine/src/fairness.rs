//! Fair sharing: what a queue is owed, what it may have, what it has had.

pub(crate) mod decay;
pub(crate) mod limits;
pub(crate) mod share;
pub(crate) mod standing;
