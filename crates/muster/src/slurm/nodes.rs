//! Nodes and partitions as facts.

use muster_api::SlurmView;
use muster_api::view::{NodeState as Sight, NodeView};
use muster_slurm::report::{NodeFacts, PartitionFacts};
use muster_slurm::words::NodeState;

use super::Stop;
use super::session::Session;

/// All nodes and partitions.
pub(super) async fn found(
    session: &Session,
) -> Result<(Vec<PartitionFacts>, Vec<NodeFacts>), Stop> {
    let slurm = session.client.slurm().await.map_err(|error| session.failed(error))?;
    let nodes = session.client.nodes().await.map_err(|error| session.failed(error))?;
    let mut nodes: Vec<NodeFacts> = nodes.iter().map(node).collect();
    nodes.sort_by(|one, other| one.name.cmp(&other.name));
    Ok((partitions(&slurm), nodes))
}

fn partitions(slurm: &SlurmView) -> Vec<PartitionFacts> {
    let facts = slurm.partitions.iter().map(|partition| PartitionFacts {
        name: partition.name.clone(),
        is_default: partition.is_default,
        limit_s: partition.time_max_ms.map(|millis| millis / 1000),
        default_s: partition.time_default_ms.map(|millis| millis / 1000),
        nodes: partition.nodes.clone(),
    });
    facts.collect()
}

fn node(view: &NodeView) -> NodeFacts {
    let (cpus, cpus_used) = (view.cpus_milli / 1000, view.cpus_used_milli.div_ceil(1000));
    let gpus = u64::from(view.gpus);
    let gpus_used = view.gpus_used_milli.div_ceil(1000);
    let is_full = (gpus > 0 && gpus_used >= gpus) || (cpus > 0 && cpus_used >= cpus);
    let state = match (view.state, view.drained) {
        (Sight::Gone, _) => NodeState::Down,
        (Sight::Unknown, _) => NodeState::Unknown,
        (Sight::Up, true) if view.jobs.is_empty() => NodeState::Drained,
        (Sight::Up, true) => NodeState::Draining,
        (Sight::Up, false) if view.jobs.is_empty() => NodeState::Idle,
        (Sight::Up, false) if is_full => NodeState::Allocated,
        (Sight::Up, false) => NodeState::Mixed,
    };
    let reason = match (view.state, view.drained) {
        (Sight::Gone | Sight::Unknown, _) => Some("Not responding".to_owned()),
        (Sight::Up, true) => Some("drained by an operator".to_owned()),
        (Sight::Up, false) => None,
    };
    NodeFacts {
        name: view.name.clone(),
        state,
        is_silent: view.state != Sight::Up,
        cpus,
        cpus_used,
        memory_mib: view.memory_mib,
        memory_used_mib: view.memory_used_mib,
        gpus,
        gpus_used,
        model: view.gpu_model.clone(),
        features: view.labels.iter().map(|label| label.replace("=yes", "")).collect(),
        reason,
    }
}
