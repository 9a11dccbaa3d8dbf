//! Reports on their way to the server: numbered within a session, kept until acknowledged.

use std::collections::VecDeque;

use muster_api::Report;

/// The reports that wait. There is at most one of each kind per attempt and order, so their number
/// follows that of the attempts on the node.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox {
    /// The number of the first that waits, within the session.
    first: u64,
    waiting: VecDeque<Report>,
}

impl Outbox {
    /// Something is to be said. What is still waiting to be said need not be said twice.
    pub(super) fn push(&mut self, report: Report) {
        if !self.waiting.contains(&report) {
            self.waiting.push_back(report);
        }
    }

    /// A new session has begun, with an announcement that told the first so many reports.
    pub(super) fn begin(&mut self, told: usize) {
        self.waiting.drain(..told.min(self.waiting.len()));
        self.first = 0;
    }

    /// Every report below this number has arrived for good.
    pub(super) fn acknowledge(&mut self, next: u64) {
        while self.first < next && self.waiting.pop_front().is_some() {
            self.first += 1;
        }
    }

    /// The number of the first report that waits, and no more than so many from there.
    pub(super) fn batch(&self, most: usize) -> (u64, Vec<Report>) {
        (self.first, self.waiting.iter().take(most).cloned().collect())
    }

    pub(super) fn all(&self) -> Vec<Report> {
        self.waiting.iter().cloned().collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
