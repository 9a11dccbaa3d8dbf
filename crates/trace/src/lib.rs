//! Workloads and clusters for simulations: recorded ones in the formats people have, and made-up
//! ones. What is done with them is left to others.
//!
//! ```
//! use muster_trace::{Gpus, Trace};
//!
//! let text = "job_id,arrival_s,service_sec,gpu_count\n1,0,60.5,8\n2,30,10,1\n";
//! let trace = Trace::read("tiny", text.as_bytes(), &Default::default())?;
//! assert_eq!(trace.jobs.len(), 2);
//! assert_eq!(trace.jobs[0].gpus, Gpus::Whole(8));
//! assert_eq!(trace.jobs[0].duration.0, 60_500);
//! # Ok::<(), muster_trace::TraceError>(())
//! ```

pub mod cluster;
pub mod error;
mod flat;
pub mod job;
pub mod owner;
pub mod read;
pub mod summary;
pub mod synthetic;
pub mod trace;
pub mod write;

pub use cluster::{Cluster, Declared, Node, Queue};
pub use error::TraceError;
pub use job::{GpuRange, Gpus, Job, Outcome, Saving, Text};
pub use owner::Owner;
pub use read::{Format, Jobs, OnBadRow, ReadOptions, WithoutGpus};
pub use summary::Summary;
pub use synthetic::{Mix, Recipe};
pub use trace::{BadRow, LeftOut, Tally, Trace};
pub use write::{Packing, Written};
