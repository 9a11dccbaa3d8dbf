//! The words of Muster: ids, units, time, resources, topology, jobs, nodes, queues, policy.
//!
//! Everything here is plain data with its validation. Nothing here decides, waits or does I/O;
//! the engine decides, and the edges talk to the world.
//!
//! ```
//! use muster_model::{ClusterSpec, JobSpec, NodeSpec, QueueSpec};
//!
//! let cluster = ClusterSpec::default()
//!     .levels(["zone", "rack"])
//!     .queues([QueueSpec::new("research"), QueueSpec::new("research/vision")]);
//! assert_eq!(cluster.validate(), Ok(()));
//!
//! let node = NodeSpec::new("node-1", "H100", 8).domains(["zone-a", "rack-1"]);
//! assert_eq!(node.validate(&cluster), Ok(()));
//!
//! let job = JobSpec::gang("train", 4, 8).queue("research/vision").require("rack");
//! assert_eq!(job.validate(&cluster), Ok(()));
//! ```

pub mod booking;
pub mod bound;
pub mod checkpoint;
pub mod class;
pub mod cluster;
pub mod constraint;
pub mod count;
pub mod defragmentation;
mod dependency;
pub mod error;
mod field;
pub mod gpu;
pub mod id;
pub mod job;
pub mod known;
pub mod link;
pub mod name;
pub mod nearest;
pub mod node;
pub mod people;
pub mod policy;
pub mod pool;
mod problems;
pub mod quantity;
pub mod queue;
pub mod scaling;
pub mod share;
pub mod signal;
pub mod task;
pub mod timing;
pub mod topology;
pub mod unit;
pub mod window;

pub use booking::{BookedPlace, Booking, Leftovers};
pub use checkpoint::{Checkpoint, Rung, RungCost};
pub use class::Class;
pub use cluster::ClusterSpec;
pub use constraint::{Constraint, Expression};
pub use defragmentation::{Defragmentation, DefragmentationMode};
pub use dependency::{Dependency, DependencyKind, Elements, Predecessor};
pub use error::Invalid;
pub use gpu::{GpuModel, MigProfile};
pub use id::{Attempt, JobId, NodeId};
pub use job::{Array, JobSpec, Requeue};
pub use known::{Kind, Known, QueuePlace};
pub use link::{GpuSet, NodeLinks};
pub use name::{Name, QueueName};
pub use node::NodeSpec;
pub use people::Team;
pub use policy::{Elastic, Failures, Floor, Order, Pausing, Placer, Policy, Reservations};
pub use pool::{Pool, Region};
pub use quantity::GpuRequest;
pub use queue::{IdleRule, QueueSpec, Quota, QuotaPart, WhenIdle};
pub use scaling::{Scaling, SpeedPoint};
pub use share::{Isolation, Share, ShareSize, Sharing};
pub use task::{TaskCount, TaskGroup, TaskShape};
pub use timing::{Estimate, Timing, Warning};
pub use topology::{Level, Segment, TopologyWish};
pub use unit::{Mib, MilliCpu, MilliGpu, Millis, Time};
pub use window::{Window, WindowChange};
