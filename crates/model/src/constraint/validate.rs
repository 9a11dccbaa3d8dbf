//! What makes an expression acceptable: real names, and a size that every node can be held to.

use crate::bound::{EXPRESSION_DEPTH_MAX, EXPRESSION_LEAVES_MAX};
use crate::constraint::{Constraint, Expression};
use crate::error::Invalid;
use crate::field::Field;
use crate::problems::Problems;

impl Constraint {
    pub(crate) fn check(&self, field: &Field<'_>, problems: &mut Problems) {
        let expressions =
            [("require", &self.require), ("prefer", &self.prefer), ("avoid", &self.avoid)];
        for (name, expression) in expressions {
            if let Some(expression) = expression {
                expression.check(&field.field(name), problems);
            }
        }
    }
}

impl Expression {
    /// Everything wrong with the expression as a value of `field`.
    pub(crate) fn check(&self, field: &Field<'_>, problems: &mut Problems) {
        if let Some(excess) = self.size().excess() {
            problems.add(Invalid::new(field.to_string(), "so large an expression", excess));
            return;
        }
        self.check_names(field, problems);
    }

    fn check_names(&self, field: &Field<'_>, problems: &mut Problems) {
        match self {
            Expression::Has(label) => problems.name(field, label),
            Expression::Is(label, values) => {
                problems.name(field, label);
                not_empty(field, "values", values.len(), problems);
                values.iter().for_each(|value| problems.name(field, value));
            }
            Expression::Node(names) => {
                not_empty(field, "node names", names.len(), problems);
                names.iter().for_each(|name| problems.name(field, name));
            }
            Expression::And(parts) => check_parts(&field.field("and"), parts, problems),
            Expression::Or(parts) => check_parts(&field.field("or"), parts, problems),
            Expression::Not(part) => part.check_names(&field.field("not"), problems),
        }
    }

    /// Depth and leaves, not followed beyond the bounds.
    pub(crate) fn size(&self) -> Size {
        let mut size = Size { depth: 0, leaves: 0 };
        self.measure(1, &mut size);
        size
    }

    fn measure(&self, depth: usize, size: &mut Size) {
        size.depth = size.depth.max(depth);
        if depth > EXPRESSION_DEPTH_MAX || size.leaves > EXPRESSION_LEAVES_MAX {
            return;
        }
        match self {
            Expression::Has(_) => size.leaves += 1,
            Expression::Is(_, names) | Expression::Node(names) => size.leaves += names.len(),
            Expression::And(parts) | Expression::Or(parts) => {
                parts.iter().for_each(|part| part.measure(depth + 1, size));
            }
            Expression::Not(part) => part.measure(depth + 1, size),
        }
    }
}

fn check_parts(field: &Field<'_>, parts: &[Expression], problems: &mut Problems) {
    not_empty(field, "parts", parts.len(), problems);
    for (index, part) in parts.iter().enumerate() {
        part.check_names(&field.at(index), problems);
    }
}

/// An empty list would mean "always" or "never" without saying so.
fn not_empty(field: &Field<'_>, what: &str, count: usize, problems: &mut Problems) {
    problems.holds(count > 0, field, || format!("0 {what}"), "expected at least 1");
}

/// How large an expression is.
pub(crate) struct Size {
    depth: usize,
    leaves: usize,
}

impl Size {
    /// What is expected of an expression beyond the bounds; nothing of one within.
    pub(crate) fn excess(&self) -> Option<String> {
        if self.depth > EXPRESSION_DEPTH_MAX {
            return Some(format!("expected at most {EXPRESSION_DEPTH_MAX} levels"));
        }
        let is_long = self.leaves > EXPRESSION_LEAVES_MAX;
        is_long.then(|| format!("expected at most {EXPRESSION_LEAVES_MAX} names and values"))
    }
}
