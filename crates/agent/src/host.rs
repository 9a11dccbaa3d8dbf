//! The edge between the mind and the world.

mod attend;
pub mod guard;
mod hook;
mod keep;
mod last_words;
pub mod real;
mod recover;
pub mod simulated;
mod start;
mod steps;
mod words;

use std::path::PathBuf;

use muster_api::LogOrder;
use tokio::sync::mpsc;

use crate::mind::{Happening, Order};

/// So many happenings may wait for the mind: more than tasks end at once on any node, and who
/// finds it full waits.
const HAPPENINGS_MAX: usize = 1024;

/// Carries out orders. What comes of them is told through the channel that the host was made with.
pub trait Host: Send {
    /// Begins to carry out an order; never waits for its end.
    fn carry_out(&mut self, order: Order);

    /// Where a task's output is, if it is kept here.
    fn output(&self, order: &LogOrder) -> Option<Output>;
}

/// Where to read what a task has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The file.
    pub path: PathBuf,
    /// Who must own it: a job may name any file, and the agent may be allowed to read more than its
    /// user.
    pub owner: Option<u32>,
    /// The file that is there once the task has ended.
    pub exit: PathBuf,
}

/// A channel for happenings.
pub fn happenings() -> (mpsc::Sender<Happening>, mpsc::Receiver<Happening>) {
    mpsc::channel(HAPPENINGS_MAX)
}
