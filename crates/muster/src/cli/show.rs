//! Views as text: tables and blocks that read without colour, the same on every machine.

pub(crate) mod activity;
pub(crate) mod amount;
pub(crate) mod cluster;
pub(crate) mod detail;
pub(crate) mod event;
#[cfg(test)]
pub(crate) mod fixed;
pub(crate) mod job;
pub(crate) mod node;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod time;

/// What stands where there is nothing to say.
pub(crate) const NOTHING: &str = "-";
