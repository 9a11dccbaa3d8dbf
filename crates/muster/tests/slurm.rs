//! Slurm's commands against a whole cluster: the real binary by their names, real processes.

#[path = "up/cluster.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod cluster;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/podman.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod podman;

#[path = "slurm/batch.rs"]
mod batch;
#[path = "slurm/bench.rs"]
mod bench;
#[path = "slurm/inside.rs"]
mod inside;
#[path = "slurm/lists.rs"]
mod lists;
#[path = "slurm/preempted.rs"]
mod preempted;
#[path = "slurm/reports.rs"]
mod reports;
#[path = "slurm/steps.rs"]
mod steps;
