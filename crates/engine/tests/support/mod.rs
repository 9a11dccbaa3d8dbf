//! The language of the engine's scenario tests: a cluster, jobs and what happens to them in domain
//! words, with the independent judge watching every step.
//!
//! ```text
//! let mut c = cluster().levels(["rack"]).nodes("r1", 2, "H100x8").build();
//! let a = c.run(gang(2, 8).require("rack"));
//! assert_eq!(c.nodes_of(a), ["r1-1", "r1-2"]);
//! c.finish(a);
//! ```
//!
//! `setup` builds, `world` tells the engine things, `reports` and `pausing` speak for the nodes,
//! `clock` lets time pass, `view` looks, `table` runs cases.

#![allow(dead_code, reason = "each test binary speaks only a part of the language")]
#![allow(unused_imports, reason = "each test binary speaks only a part of the language")]

mod clock;
mod pausing;
mod reports;
mod setup;
mod table;
mod view;
mod words;
mod world;

pub(crate) use muster_engine::action::{Action, JobState, Outcome};
pub(crate) use muster_engine::command::{Command, Exit, Refusal, Running};
pub(crate) use muster_engine::reason::{Reason, Resource, Spared};
pub(crate) use muster_model::{
    Booking, ClusterSpec, DependencyKind, Expression, Floor, GpuSet, JobId, JobSpec, Level, Mib,
    Millis, Name, NodeId, NodeLinks, NodeSpec, Order, Policy, Predecessor, QueueSpec, Quota, Rung,
    TaskCount, TaskShape, Time,
};
pub(crate) use setup::{Setup, cluster, racks};
pub(crate) use table::{Case, Member, case, check, job};
pub(crate) use words::{
    days, floor, gang, gib, hours, minutes, nodes_where, queue, quota, seconds,
};
pub(crate) use world::World;
