//! Leases that end, and with them all that ran on their nodes.

use muster_engine::snapshot::Sight;
use muster_model::{JobId, NodeId};

use super::job::End;
use super::{Part, Shadow};
use crate::step::Step;

impl Shadow {
    /// Ends what ran on nodes whose lease is over: their agents have ended it.
    pub(crate) fn end_leases(&mut self, step: &mut Step<'_>) {
        let now = self.now;
        let is_due = |id: &NodeId| match self.nodes[id].sight {
            Sight::Unknown { lease_ends } => lease_ends <= now,
            Sight::Seen | Sight::Gone => false,
        };
        let due: Vec<NodeId> = self.unknown.iter().filter(|id| is_due(id)).copied().collect();
        let mut lost = Vec::new();
        for id in due {
            self.unknown.remove(&id);
            let node = self.nodes.get_mut(&id).expect("nodes out of sight are known");
            node.sight = Sight::Gone;
            self.has_ended_leases = true;
            lost.extend(node.jobs().into_iter().map(|job| (id, job)));
        }
        // Who loses more than what was on its way is over, with all that it has.
        lost.sort_by_key(|(node, job)| self.is_on_its_way(*node, *job));
        for (node, job) in lost {
            let attempt = self.jobs[&job].attempt;
            self.part_ended(node, job, attempt, End::Lost, step);
        }
    }

    fn is_on_its_way(&self, node: NodeId, job: JobId) -> bool {
        let run = self.jobs[&job].run.as_ref();
        run.and_then(|run| run.parts.get(&node)).is_some_and(Part::is_on_its_way)
    }
}
