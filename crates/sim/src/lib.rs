//! The virtual cluster: nodes that answer the engine as real ones would, faults and all, and
//! stories that tell what the engine does in plain text.
//!
//! The engine here is the one that runs in production; only the world around it is made up.
//! Everything is a function of a seed, so any run can be repeated to the byte.

pub mod bound;
pub mod error;
pub mod log;
pub mod packing;
pub mod published;
pub mod render;
pub mod replay;
pub mod story;
pub mod watch;
pub mod world;

pub use error::SimError;
pub use log::Entry;
pub use watch::Watch;
pub use world::{Faults, Plan, World};
