//! Each report about one known job.

mod fixed;
mod gathering;
mod lines;
mod nodes;
mod usage;
