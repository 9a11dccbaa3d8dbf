//! The state in numbers: jobs by queue and state, nodes by state, GPUs by model.

use std::collections::BTreeMap;

use muster_api::view::JobState;
use muster_engine::snapshot::NodeRecord;
use muster_model::NodeId;

use super::Control;
use super::worth::milli;

/// Counts of what there is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    /// Jobs that are not over, by queue and state.
    pub(crate) jobs: BTreeMap<(String, JobState), u64>,
    /// Jobs that have ended since the cluster began.
    pub(crate) ended: u64,
    /// Nodes by how they are, in the words of the accounting.
    pub(crate) nodes: BTreeMap<&'static str, u64>,
    /// GPUs by model.
    pub(crate) gpus: BTreeMap<String, GpuCount>,
}

/// GPUs of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GpuCount {
    /// Whole ones that the nodes have.
    pub(crate) paid: u64,
    /// Thousandths that nobody holds and nobody could get.
    pub(crate) unusable_milli: u64,
    /// Thousandths that jobs hold.
    pub(crate) allocated_milli: u64,
    /// Whole ones that report errors.
    pub(crate) unhealthy: u64,
}

impl Control {
    /// Counts the jobs.
    pub(crate) fn count_jobs(&self, census: &mut Census) {
        census.ended = self.book.ended_count;
        for job in self.book.newest() {
            let state = JobState::from(job.state);
            if state == JobState::Ended {
                continue;
            }
            let queue = self.book.submitted(job).spec.queue.to_string();
            *census.jobs.entry((queue, state)).or_default() += 1;
        }
    }

    /// Counts a node.
    pub(crate) fn count_node(&self, node: NodeId, census: &mut Census) {
        let Some(worth) = self.worth(node) else { return };
        let unhealthy = self.engine.node(node).map(|NodeRecord { unhealthy, .. }| unhealthy);
        *census.nodes.entry(worth.why).or_default() += 1;
        let count = census.gpus.entry(worth.model).or_default();
        count.paid += worth.gpus;
        count.unusable_milli += worth.unusable_milli;
        count.allocated_milli += self.tasks_on(node).iter().map(milli).sum::<u64>();
        count.unhealthy += u64::from(unhealthy.unwrap_or_default().count());
    }
}
