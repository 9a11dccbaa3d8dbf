//! The agent of a node: runs the tasks it is asked to have, and reports.
//!
//! [`run`] is all of it. Inside, [`mind`] decides, [`host`] carries out, [`link`] talks to the
//! server, [`launch`] is what becomes of each task, [`compose`] says what a task is given, and
//! [`discovery`] what the node has; [`meter`] counts what is used of it.

mod agent;
pub mod clock;
pub mod compose;
mod counting;
pub mod discovery;
mod gauge;
pub mod host;
mod join;
pub mod launch;
pub mod link;
pub mod meter;
pub mod mind;
pub mod settings;
mod setup;

pub use settings::Settings;
pub use setup::{AgentError, run};
