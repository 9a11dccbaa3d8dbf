//! What Slurm prints: states, reasons, exit codes, times and columns.

pub mod duration;
pub mod time;
