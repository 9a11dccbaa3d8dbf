//! The independent judge: states what the engine promises, and checks it after every step.
//!
//! The judge sees what the world sees, commands going in and actions coming out, and keeps its
//! own *shadow* of the cluster from them. It shares data types with the engine but none of its
//! logic and none of its indexes: a mistake in the engine cannot excuse itself here.
//!
//! ```
//! use muster_checker::{Checker, Promise};
//! use muster_engine::action::{Action, TaskPlace};
//! use muster_engine::command::Command;
//! use muster_model::{Attempt, ClusterSpec, GpuSet, JobId, NodeId, Time};
//!
//! let mut checker = Checker::new(&ClusterSpec::default());
//! let tasks = vec![TaskPlace { group: 0, rank: 0, gpus: GpuSet::first(1), share: None }];
//! let launch = Action::Launch { node: NodeId(0), job: JobId(7), attempt: Attempt(1), tasks };
//! let cancel = Command::Cancel { job: JobId(7) };
//! let broken = checker.observe(Time(0), &cancel, &[launch]).unwrap_err();
//! assert_eq!(broken[0].promise, Promise::NoLostJob);
//! assert_eq!(broken[0].detail, "job 7 was launched but never accepted");
//! ```

mod capacity;
mod card;
mod checker;
mod drive;
mod ledger;
mod place;
mod promise;
mod recount;
mod shadow;
mod step;
mod violation;

pub use checker::Checker;
pub use violation::{Promise, Violation, report};
