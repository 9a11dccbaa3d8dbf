//! What the shell tells the state.

use std::sync::Arc;

use muster_api::view::{MapView, PlanView, QueueView};
use muster_client::Order;

use crate::app::Which;
use crate::data::{Failure, JobList, OneJob, Used};

/// Something the server said, or did not.
#[derive(Debug)]
pub(crate) enum News {
    Picture(Arc<MapView>),
    Lost(Failure),
    Jobs(Which, Result<JobList, Failure>),
    Queues(Result<Vec<QueueView>, Failure>),
    Plan(Result<Box<PlanView>, Failure>),
    Used(Result<Box<Used>, Failure>),
    Job(u64, Result<Box<OneJob>, Failure>),
    Ordered(u64, Order, Result<(), Failure>),
}
