//! What people read of a cluster. Every list of the CLI and every page of the dashboard is made
//! of these.

mod audit;
mod booking;
mod job;
mod node;

pub use audit::AuditView;
pub use booking::BookingView;
pub use job::{AttemptView, JobState, JobView, Outcome, PlaceView};
pub use node::{ClusterView, EventView, NodeState, NodeView, QueueView, WhyView};
