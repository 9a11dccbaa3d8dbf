//! Wishes about nodes and topology.

use muster_model::{Constraint, Expression, Millis, Name, Segment, TopologyWish};

use super::Mapping;
use crate::error::Refusal;
use crate::request::check::conflict;
use crate::request::{Allocation, Missing, Request, Unit};
use crate::values::{Features, Hostlist, TimeLimit};

/// How long few switches are waited for where nobody says, as in Slurm.
const SWITCH_WAIT: Millis = Millis::minutes(5);

impl Request {
    pub(super) fn topology(
        &self,
        allocation: &Allocation,
        mapping: &Mapping,
        missing: &mut Vec<Missing>,
    ) -> Result<TopologyWish, Refusal> {
        let is_by_node = allocation.unit == Unit::Node && allocation.count() > 1;
        let spread = self.place.spread;
        let mut wish = TopologyWish { spread, apart: is_by_node, ..TopologyWish::default() };
        if let Some(switches) = self.place.switches {
            if switches.count > 1 {
                // A count above one is not a level; being near is the better half of it.
                missing.push(Missing::SeveralSwitches);
                wish.prefer = mapping.switch.clone();
            } else if self.place.segment.is_some() {
                // Segments are near enough, and blocks may be wider than switches.
                wish.prefer = mapping.switch.clone();
            } else if mapping.switch.is_some() {
                wish.require = mapping.switch.clone();
                let wait = switches.wait.map_or(Some(SWITCH_WAIT), TimeLimit::millis);
                wish.patience = wait;
            }
        }
        let Some(tasks) = self.place.segment else { return Ok(wish) };
        let nodes = allocation.count();
        if !nodes.is_multiple_of(tasks) {
            let why = format!("{nodes} nodes are not whole segments of {tasks}");
            return Err(conflict(&["--segment", "--nodes"], &why));
        }
        match &mapping.block {
            Some(level) => wish.segment = Some(Segment { tasks, level: level.clone() }),
            None => {
                let advice = "say in the configuration which level of the topology is a block";
                let option = "--segment".to_owned();
                return Err(Refusal::Unsupported { option, advice: advice.to_owned() });
            }
        }
        Ok(wish)
    }

    pub(super) fn constraint(
        &self,
        allocation: &Allocation,
        missing: &mut Vec<Missing>,
    ) -> Constraint {
        let place = &self.place;
        let mut parts = Vec::new();
        if !place.nodelist.is_empty() {
            parts.push(named(&place.nodelist));
            let listed = u32::try_from(place.nodelist.len()).unwrap_or(u32::MAX);
            if allocation.nodes().unwrap_or(1) > listed {
                missing.push(Missing::NodesAmongOthers);
            }
        }
        if !place.exclude.is_empty() {
            parts.push(Expression::Not(Box::new(named(&place.exclude))));
        }
        // Slices that may share nodes may share one, which is the strictest way to look at them.
        let nodes = allocation.nodes().unwrap_or(allocation.tasks);
        let mut ask = |features: Option<&Features>| {
            let asked = features?;
            let expression = asked.expression(nodes);
            if expression.is_none() {
                missing.push(Missing::FeaturesTogether);
            }
            expression
        };
        parts.extend(ask(place.constraint.as_ref()));
        let prefer = ask(place.prefer.as_ref()).map(Box::new);
        let require = match parts.len() {
            0 => None,
            1 => parts.pop().map(Box::new),
            _ => Some(Box::new(Expression::And(parts))),
        };
        Constraint { require, prefer, avoid: None }
    }
}

fn named(list: &Hostlist) -> Expression {
    Expression::Node(list.hosts().iter().map(|host| Name::from(host.as_str())).collect())
}
