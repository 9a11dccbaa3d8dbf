//! Nodes and queues as tables.

use muster_api::view::{NodeState, NodeView, QueueView};
use muster_model::Time;
use muster_model::quantity::separated;

use super::table::Table;
use super::{NOTHING, amount, time};

/// Nodes, one a line.
pub(crate) fn table(nodes: &[NodeView], now: Time) -> Table {
    let mut table = Table::new(&[
        "node", "state", "gpus", ">used", ">cpus", ">memory", ">jobs", "in", "labels",
    ]);
    for node in nodes {
        let gpus = match &node.gpu_model {
            Some(model) if node.gpus > 0 => format!("{model}x{}", node.gpus),
            _ => node.gpus.to_string(),
        };
        table.row([
            node.name.clone(),
            state(node, now),
            gpus,
            amount::gpus(node.gpus_used_milli),
            muster_model::MilliCpu(node.cpus_milli).to_string(),
            amount::memory(node.memory_mib),
            node.jobs.len().to_string(),
            word(node.domains.join("/")),
            word(node.labels.join(",")),
        ]);
    }
    table
}

fn state(node: &NodeView, now: Time) -> String {
    let mut words = vec![match (node.state, node.lease_ends) {
        (NodeState::Up, _) => "up".to_owned(),
        (NodeState::Unknown, Some(ends)) if ends.0 > now => {
            format!("unseen, lease ends in {}", time::length(ends.0.since(now)))
        }
        (NodeState::Unknown, _) => "unseen".to_owned(),
        (NodeState::Gone, _) => "gone".to_owned(),
    }];
    if node.drained {
        words.push("drained".to_owned());
    }
    if !node.unhealthy.is_empty() {
        let gpus: Vec<String> = node.unhealthy.iter().map(ToString::to_string).collect();
        words.push(format!("GPU {} unhealthy", gpus.join("+")));
    }
    words.join(", ")
}

/// Queues, one a line.
pub(crate) fn queues(queues: &[QueueView]) -> Table {
    let mut table =
        Table::new(&["queue", ">weight", ">used", ">guarantee", ">limit", ">running", ">waiting"]);
    for queue in queues {
        table.row([
            queue.name.clone(),
            queue.weight.to_string(),
            amount::gpus(queue.used_milli),
            amount::gpus_if(queue.guarantee_milli),
            amount::gpus_if(queue.limit_milli),
            separated(queue.running),
            separated(queue.pending),
        ]);
    }
    table
}

fn word(text: String) -> String {
    if text.is_empty() { NOTHING.to_owned() } else { text }
}
