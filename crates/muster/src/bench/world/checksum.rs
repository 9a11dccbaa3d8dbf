//! One number for a whole run's placements, so that two runs can be compared at a glance.

use std::fmt;

use muster_engine::action::TaskPlace;
use muster_model::{JobId, NodeId};

/// The FNV-1a hash with 64 bits: short, and the same on every machine.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A running checksum of placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(BASIS)
    }
}

impl Checksum {
    /// A job was placed on a node with these tasks.
    pub(super) fn add(&mut self, job: JobId, node: NodeId, tasks: &[TaskPlace]) {
        self.mix(job.0);
        self.mix(u64::from(node.0));
        for task in tasks {
            self.mix(task.gpus.0);
        }
    }

    fn mix(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use muster_engine::action::TaskPlace;
    use muster_model::{GpuSet, JobId, NodeId};

    use super::Checksum;

    fn sum(places: &[(u64, u32, u64)]) -> String {
        let mut checksum = Checksum::default();
        for &(job, node, gpus) in places {
            let task = TaskPlace { group: 0, rank: 0, gpus: GpuSet(gpus), share: None };
            checksum.add(JobId(job), NodeId(node), &[task]);
        }
        checksum.to_string()
    }

    #[test]
    fn job_node_gpus_and_order_all_count() {
        let base = [(1, 2, 3), (4, 5, 6)];
        assert_eq!(sum(&base), sum(&base));
        for other in [
            [(9, 2, 3), (4, 5, 6)],
            [(1, 9, 3), (4, 5, 6)],
            [(1, 2, 9), (4, 5, 6)],
            [(4, 5, 6), (1, 2, 3)],
        ] {
            assert_ne!(sum(&base), sum(&other));
        }
    }
}
