//! Why a job got the place it got, in words.

use muster_engine::explain::{Decision, OrderTerms, Place, RepairTerms, RiskTerms};
use muster_model::{Millis, NodeId};

use super::Scene;

impl Scene {
    /// The answer to `decision`: the place, the runner-up, the standing.
    pub fn decision(&self, decision: &Decision) -> Vec<String> {
        let Decision { job, attempt, at, .. } = decision;
        let mut lines = vec![
            format!("attempt {attempt} of job {job} was placed at {}", self.moment(*at)),
            format!("got {}", self.place(&decision.chosen)),
        ];
        match &decision.runner_up {
            Some(place) => lines.push(format!("next best: {}", self.place(place))),
            None => lines.push("no other place of the same level".to_owned()),
        }
        let is_repair = decision.repair.is_some();
        lines.extend(standing(&decision.order, is_repair));
        lines.extend(self.after_failures(decision));
        lines
    }

    /// What failures of nodes had to do with it, and what they mean for it.
    fn after_failures(&self, decision: &Decision) -> Vec<String> {
        let hosts = |nodes: &[NodeId]| self.hosts(nodes.iter().copied());
        let mut lines = Vec::new();
        if let Some(RepairTerms { stayed, moved, lost }) = &decision.repair {
            let lost = hosts(lost);
            lines.push(format!("repaired after losing {lost}: {stayed} stayed, {moved} moved"));
        }
        if let Some(RiskTerms { avoided, used }) = &decision.risk {
            if !avoided.is_empty() {
                lines.push(format!("kept off nodes that fail often: {}", hosts(avoided)));
            }
            if !used.is_empty() {
                lines.push(format!("had to use nodes that fail often: {}", hosts(used)));
            }
        }
        if let Some(advice) = decision.advice {
            lines.push(format!("a node of it fails about every {}", rough(advice.mttf)));
            let every = advice.save_every.map(|every| format!("save about every {}", rough(every)));
            lines.extend(every);
            let spares = |spares| {
                let nodes = if spares == 1 { "node" } else { "nodes" };
                format!("{spares} spare {nodes} would do in 99 of 100 cases")
            };
            lines.extend(advice.spares.map(spares));
        }
        lines
    }

    /// A domain or a node, with what else it could have held. The nodes are named where the
    /// domain alone does not say.
    fn place(&self, place: &Place) -> String {
        let path: Vec<&str> = place.domain.iter().map(|name| name.as_str()).collect();
        let domain = if path.is_empty() { "the cluster".to_owned() } else { path.join("/") };
        let nodes = match place.nodes[..] {
            [] => String::new(),
            [node] if path.last() == Some(&self.node(node).as_str()) => String::new(),
            _ => format!(" on {}", self.hosts(place.nodes.iter().copied())),
        };
        let tasks = if place.left == 1 { "task" } else { "tasks" };
        format!("{domain}{nodes}, with room for {} more {tasks}", place.left)
    }
}

fn standing(order: &OrderTerms, is_repair: bool) -> Vec<String> {
    let tier = match (order.floor, order.guaranteed) {
        _ if is_repair => "ahead of the queue after the loss of a node",
        (true, _) => "ahead of all by the service floor",
        (false, true) => "within its queue's guarantee",
        (false, false) => "borrowing",
    };
    vec![
        format!("standing: {tier}, class {}, key {}", order.class, doublings(order.key)),
        format!(
            "key: rank {} - weight {} - fair share {} - urgency {}",
            doublings(order.rank),
            doublings(order.weight),
            doublings(order.fair_share),
            doublings(order.urgency)
        ),
    ]
}

/// A span of time without what nobody wants to know of an estimate.
fn rough(span: Millis) -> Millis {
    let units = [Millis::days(1), Millis::hours(1), Millis::minutes(1), Millis::seconds(1)];
    let unit = units.into_iter().find(|unit| span.0 >= 20 * unit.0).unwrap_or(Millis(1));
    Millis(span.0 / unit.0 * unit.0)
}

/// Thousandths of doublings as a decimal number, without zeros at its end.
fn doublings(value: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, part) = (value.unsigned_abs() / 1000, value.unsigned_abs() % 1000);
    match part {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{}", format!("{part:03}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use super::doublings;

    #[test]
    fn thousandths_of_doublings_read_as_decimal_numbers() {
        assert_eq!(doublings(2000), "2");
        assert_eq!(doublings(-1250), "-1.25");
        assert_eq!(doublings(-7), "-0.007");
    }
}
