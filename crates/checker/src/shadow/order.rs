//! What an order to pause or to resume changes.

use muster_model::{Attempt, Rung};

use super::{Report, Shadow};
use crate::promise::pause::Order;

impl Shadow {
    /// Takes in an order: what is ordered back may still be where it was.
    pub(crate) fn ordered(&mut self, order: Order, attempt: Attempt) {
        let Order { node, job, number, rung, is_down } = order;
        let Some(job) = self.jobs.get_mut(&job) else { return };
        // An order that is repeated for a node that has come back changes nothing there.
        if let Some(part) = job.live_part(node, attempt).filter(|part| part.order < number) {
            part.order = number;
            part.report = match rung {
                Rung::Suspend if !is_down => Report::Suspended,
                Rung::Freeze if !is_down => Report::Frozen,
                _ => part.report,
            };
        }
        let Some(run) = &mut job.run else { return };
        if number > run.order {
            run.order = number;
            run.ordered = Some((rung, is_down));
        }
        match (rung, is_down) {
            (Rung::Freeze, true) => run.in_host = true,
            (Rung::Suspend, _) => run.is_suspending = is_down,
            _ => {}
        }
    }
}
