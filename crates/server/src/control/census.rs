//! The state in numbers: jobs by queue and state, nodes by state, GPUs by model; and what alerts
//! look at.

use std::collections::BTreeMap;

use muster_api::view::JobState;
use muster_engine::snapshot::NodeRecord;
use muster_model::{JobId, NodeId, Time};

use super::Control;
use super::worth::milli;
use crate::alerts::{Alerted, Busy};

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
            let queue = self.book.spec(job).queue.to_string();
            *census.jobs.entry((queue, state)).or_default() += 1;
        }
    }

    /// Counts a node. One that has been gone for `gone_ms` counts as removed, as in the accounts.
    pub(crate) fn count_node(
        &self,
        node: NodeId,
        (now, gone_ms): (Time, u64),
        census: &mut Census,
    ) {
        let Some(worth) = self.worth(node) else { return };
        let unhealthy = self.engine.node(node).map(|NodeRecord { unhealthy, .. }| unhealthy);
        *census.nodes.entry(worth.why).or_default() += 1;
        if self.absent.is_removed(node, now, gone_ms) {
            return;
        }
        let count = census.gpus.entry(worth.model).or_default();
        count.paid += worth.gpus;
        count.unusable_milli += worth.unusable_milli;
        count.allocated_milli += self.tasks_on(node).iter().map(milli).sum::<u64>();
        count.unhealthy += u64::from(unhealthy.unwrap_or_default().count());
    }
}

/// For alerts.
impl Control {
    /// Jobs that run, with how busy they keep their GPUs on average of their nodes.
    pub(crate) fn busy_jobs(&self, busy: impl Fn(JobId, NodeId) -> Option<u32>) -> Vec<Busy> {
        let busy = |job: &super::Job| {
            let (mut sum, mut weight) = (0, 0);
            for (node, milli) in self.holding(job.id).1 {
                if let Some(busy) = busy(job.id, node) {
                    sum += u64::from(busy) * milli;
                    weight += milli;
                }
            }
            sum.checked_div(weight).and_then(|busy| u32::try_from(busy).ok())
        };
        let all = self.running().map(|job| {
            let spec = self.book.spec(job);
            let about = Alerted {
                id: job.id.0,
                name: spec.name.to_string(),
                user: spec.user.to_string(),
                team: spec.team.as_ref().map(ToString::to_string),
                queue: spec.queue.to_string(),
                gpus_milli: self.holding(job.id).1.values().sum(),
            };
            Busy { busy_milli: busy(job), job: about }
        });
        // Who holds no GPUs leaves none idle.
        all.filter(|busy| busy.job.gpus_milli > 0).collect()
    }

    /// Nodes that are not well, with how they are, in words.
    pub(crate) fn ill_nodes(&self) -> Vec<(String, String)> {
        let ill = self.impaired.keys().filter_map(|node| {
            let NodeRecord { spec, unhealthy, .. } = self.engine.node(*node)?;
            let gpus: Vec<String> = unhealthy.iter().map(|gpu| gpu.to_string()).collect();
            let words = match self.worth(*node)?.why {
                "unknown" => "cannot be seen".to_owned(),
                "gone" => "is gone".to_owned(),
                _ if !gpus.is_empty() => format!("reports errors of GPU {}", gpus.join(", ")),
                _ => return None,
            };
            Some((spec.name.to_string(), words))
        });
        ill.collect()
    }
}
