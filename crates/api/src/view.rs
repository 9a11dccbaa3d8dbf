//! What people read of a cluster. Every list of the CLI and every page of the dashboard is made
//! of these.

mod alert;
mod audit;
mod booking;
mod foreseen;
mod job;
mod map;
mod node;
mod plan;

pub use alert::{AlertKind, AlertState, AlertView};
pub use audit::AuditView;
pub use booking::BookingView;
pub use foreseen::ForeseenView;
pub use job::{AttemptView, JobState, JobView, Outcome, PlaceView};
pub use map::{HeldGpu, LargestGang, MapChange, MapJob, MapNode, MapView};
pub use node::{ClusterView, EventView, NodeState, NodeView, QueueView, WhyView};
pub use plan::{PlanView, PlannedEnd, PlannedJob, PlannedStart};
