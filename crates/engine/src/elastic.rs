//! Elastic jobs: they grow into idle GPUs while nobody waits who could use them, and give tasks
//! back when others need the room, before anyone is paused.
//!
//! A job starts with its fewest tasks. Its size is then always legal: between its fewest and its
//! most tasks, in whole segments, on the model and within the levels of the group as first
//! placed. Added tasks get the next ranks; those that leave are the ones of the highest ranks.

pub(crate) mod borrow;
pub(crate) mod extend;
pub(crate) mod giving;
pub(crate) mod grow;
pub(crate) mod index;
pub(crate) mod progress;
pub(crate) mod resize;
pub(crate) mod settle;
pub(crate) mod shrink;
pub(crate) mod size;
pub(crate) mod speed;
pub(crate) mod wanted;
pub(crate) mod work;
pub(crate) mod yielding;
