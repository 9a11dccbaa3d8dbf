//! What Slurm's commands say about jobs, nodes and the cluster. Whoever calls brings the facts;
//! here they become values of columns, lines and paragraphs.

pub mod amount;
mod elements;
mod facts;
mod nodes;
mod outcome;
mod paragraph;
mod sacct;
mod sinfo;
mod squeue;
pub mod step;
pub mod usage;

pub use elements::{Elements, gathered};
pub use facts::{JobFacts, Measured, StepFacts, Wants};
pub use nodes::{NodeFacts, PartitionFacts, node_paragraph, partition_paragraph};
pub use outcome::{Ended, Life, reason_of, state_of};
pub use paragraph::job as job_paragraph;
pub use sacct::{Row as AccountRow, rows as account_rows};
pub use sinfo::{NodeRow, rows as node_rows, value as node_value};
pub use squeue::{Sorting, step_value, value as queue_value};

#[cfg(test)]
mod tests;
