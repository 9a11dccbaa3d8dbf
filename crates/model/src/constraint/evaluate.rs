//! Asking an expression of a node.

use crate::constraint::Expression;
use crate::node::NodeSpec;

impl Expression {
    /// Whether it holds for the node.
    pub fn matches(&self, node: &NodeSpec) -> bool {
        match self {
            Expression::Has(label) => node.labels.contains_key(label),
            Expression::Is(label, values) => {
                node.labels.get(label).is_some_and(|value| values.contains(value))
            }
            Expression::Node(names) => names.contains(&node.name),
            Expression::And(parts) => parts.iter().all(|part| part.matches(node)),
            Expression::Or(parts) => parts.iter().any(|part| part.matches(node)),
            Expression::Not(part) => !part.matches(node),
        }
    }
}
