//! Constraints over node labels: what a job requires, prefers and avoids.

mod evaluate;
mod parse;
mod validate;
mod words;

use serde::{Deserialize, Serialize};

use crate::name::Name;

/// Which nodes a job's tasks may, should and should not use.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Constraint {
    /// Only nodes that match.
    pub require: Option<Box<Expression>>,
    /// Nodes that match first.
    pub prefer: Option<Box<Expression>>,
    /// Nodes that match last.
    pub avoid: Option<Box<Expression>>,
}

/// A question about one node.
///
/// It is read from text (`disk=fast & !spot`), asked of a node, and printed in words.
///
/// ```
/// use muster_model::{Expression, NodeSpec};
///
/// let expression: Expression = "disk=fast & (rack=r1|rack=r2) & !spot".parse()?;
/// let node = NodeSpec::new("node-1", "H100", 8).label("disk", "fast").label("rack", "r2");
/// assert!(expression.matches(&node));
/// assert!(!expression.matches(&node.label("spot", "yes")));
/// assert_eq!(
///     expression.to_string(),
///     "disk is fast and (rack is r1 or rack is r2) and has no spot"
/// );
/// # Ok::<(), muster_model::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Expression {
    /// The label is there, whatever its value.
    Has(Name),
    /// The label has one of these values.
    Is(Name, Vec<Name>),
    /// The node has one of these names.
    Node(Vec<Name>),
    /// All of these hold.
    #[cfg_attr(feature = "schema", schema(no_recursion))]
    And(Vec<Expression>),
    /// At least one of these holds.
    #[cfg_attr(feature = "schema", schema(no_recursion))]
    Or(Vec<Expression>),
    /// This does not hold.
    #[cfg_attr(feature = "schema", schema(no_recursion))]
    Not(Box<Expression>),
}

#[cfg(test)]
mod tests;
