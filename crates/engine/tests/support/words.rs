//! Short words for what scenarios say most often.

use muster_model::{Expression, Floor, JobSpec, Mib, Millis, QueueSpec, Quota};

/// A gang of equal tasks, with so many GPUs each.
pub(crate) fn gang(tasks: u32, gpus: u32) -> JobSpec {
    JobSpec::gang("train", tasks, gpus)
}

/// A queue with no guarantee, no limit and weight 1.
pub(crate) fn queue(name: &str) -> QueueSpec {
    QueueSpec::new(name)
}

/// A quota of so many GPUs of all models together.
pub(crate) fn quota(gpus: u64) -> Quota {
    Quota::of_gpus(gpus)
}

/// A service floor of so many hundredths of the cluster.
pub(crate) fn floor(percent: u32, wait: Millis, quantum: Millis) -> Floor {
    Floor { share_ppm: percent * 10_000, wait, quantum }
}

/// A question about a node, as people write it.
pub(crate) fn nodes_where(text: &str) -> Expression {
    text.parse().expect("a scenario's expression can be read")
}

pub(crate) fn gib(gib: u64) -> Mib {
    Mib::gib(gib)
}

pub(crate) fn seconds(count: u64) -> Millis {
    Millis::seconds(count)
}

pub(crate) fn minutes(count: u64) -> Millis {
    Millis::minutes(count)
}

pub(crate) fn hours(count: u64) -> Millis {
    Millis::hours(count)
}

pub(crate) fn days(count: u64) -> Millis {
    Millis::days(count)
}
