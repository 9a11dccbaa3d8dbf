//! What Slurm prints: states, reasons, exit codes, times and columns.

pub mod duration;
mod exit;
pub mod format;
mod node_state;
mod reason;
mod state;
pub mod time;

pub use exit::ExitCode;
pub use node_state::NodeState;
pub use reason::Reason;
pub use state::State;

#[cfg(test)]
mod tests;
