//! The promises, one file each; every file opens with its promise in words.
//!
//! The functions of a promise are named for the moment they judge: `launched` when an attempt
//! starts, `moved` when a job is said to be in a new state, `after_step` when all actions of a
//! step have been taken in, `compared` when the engine's own account lies on the table, `at_rest`
//! when the engine says that it has nothing left to do at this moment.

pub(crate) mod attempt;
pub(crate) mod baseline;
pub(crate) mod booking;
pub(crate) mod changed;
pub(crate) mod conservation;
pub(crate) mod elastic;
pub(crate) mod exclusive;
pub(crate) mod floor;
pub(crate) mod gang;
pub(crate) mod lent;
pub(crate) mod lifecycle;
pub(crate) mod limit;
pub(crate) mod moved;
pub(crate) mod no_lost_job;
pub(crate) mod outcome;
pub(crate) mod pause;
pub(crate) mod plan;
pub(crate) mod quiescence;
pub(crate) mod quota;
pub(crate) mod reason;
pub(crate) mod repair;
pub(crate) mod resumed;
pub(crate) mod shrink;
pub(crate) mod taken;
pub(crate) mod tier;
pub(crate) mod topology;
pub(crate) mod unknown;
pub(crate) mod waits;
pub(crate) mod work_conservation;
