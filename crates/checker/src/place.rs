//! Where a node stands: its domains, and whether it matches an expression. Written out again
//! here so that the engine's reading of topology and labels is judged by another.

use muster_model::{Expression, Level, Name, NodeSpec};

/// The domain of this level that holds the node, from the widest level down; `None` where the
/// cluster has no such level or the node no such domain.
pub(crate) fn domain_of(levels: &[Name], node: &NodeSpec, level: &Level) -> Option<Vec<Name>> {
    match level {
        Level::Node => Some(vec![node.name.clone()]),
        Level::Named(name) => {
            let depth = levels.iter().position(|level| level == name)?;
            node.domains.get(..=depth).map(<[Name]>::to_vec)
        }
    }
}

/// Whether the node is what the expression asks for.
pub(crate) fn matches(expression: &Expression, node: &NodeSpec) -> bool {
    match expression {
        Expression::Has(label) => node.labels.contains_key(label),
        Expression::Is(label, values) => {
            node.labels.get(label).is_some_and(|value| values.contains(value))
        }
        Expression::Node(names) => names.contains(&node.name),
        Expression::And(parts) => parts.iter().all(|part| matches(part, node)),
        Expression::Or(parts) => parts.iter().any(|part| matches(part, node)),
        Expression::Not(part) => !matches(part, node),
    }
}
