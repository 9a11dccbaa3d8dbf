//! An expression as people read it (`Display`) and as they write it (`notation`).

use std::fmt::{self, Write};

use crate::constraint::Expression;
use crate::name::Name;

impl fmt::Display for Expression {
    /// In words: `disk is fast and has no spot`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Has(label) => write!(formatter, "has {label}"),
            Expression::Is(label, values) => is(formatter, label.as_str(), "is", values),
            Expression::Node(names) => is(formatter, "node", "is", names),
            Expression::And(parts) => join(formatter, parts, " and ", fmt::Display::fmt),
            Expression::Or(parts) => join(formatter, parts, " or ", fmt::Display::fmt),
            Expression::Not(part) => match part.as_ref() {
                Expression::Has(label) => write!(formatter, "has no {label}"),
                Expression::Is(label, values) => is(formatter, label.as_str(), "is not", values),
                Expression::Node(names) => is(formatter, "node", "is not", names),
                other => write!(formatter, "not ({other})"),
            },
        }
    }
}

fn is(formatter: &mut fmt::Formatter<'_>, label: &str, is: &str, values: &[Name]) -> fmt::Result {
    match values {
        [] => write!(formatter, "{label} {is} anything"),
        [value] => write!(formatter, "{label} {is} {value}"),
        values => {
            write!(formatter, "{label} {is} one of ")?;
            list(formatter, values, ", ")
        }
    }
}

fn list(formatter: &mut impl Write, values: &[Name], between: &str) -> fmt::Result {
    for (index, value) in values.iter().enumerate() {
        write!(formatter, "{}{value}", if index == 0 { "" } else { between })?;
    }
    Ok(())
}

/// Parts in a row; those that are rows themselves stand in parentheses.
fn join<W: Write>(
    formatter: &mut W,
    parts: &[Expression],
    between: &str,
    write: impl Fn(&Expression, &mut W) -> fmt::Result,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        formatter.write_str(if index == 0 { "" } else { between })?;
        if matches!(part, Expression::And(_) | Expression::Or(_)) {
            formatter.write_char('(')?;
            write(part, formatter)?;
            formatter.write_char(')')?;
        } else {
            write(part, formatter)?;
        }
    }
    Ok(())
}

impl Expression {
    /// As it is written: reading this gives the expression again.
    ///
    /// ```
    /// use muster_model::Expression;
    ///
    /// let expression: Expression = "!( spot |rack = r1 )".parse()?;
    /// assert_eq!(expression.notation(), "!(spot | rack=r1)");
    /// # Ok::<(), muster_model::Invalid>(())
    /// ```
    pub fn notation(&self) -> String {
        let mut text = String::new();
        self.write_notation(&mut text).expect("writing to a string cannot fail");
        text
    }

    fn write_notation(&self, text: &mut String) -> fmt::Result {
        match self {
            Expression::Has(label) => write!(text, "{label}"),
            Expression::Is(label, values) => {
                write!(text, "{label}=")?;
                list(text, values, ",")
            }
            Expression::Node(names) => {
                text.push('@');
                list(text, names, ",")
            }
            Expression::And(parts) => join(text, parts, " & ", Self::write_notation),
            Expression::Or(parts) => join(text, parts, " | ", Self::write_notation),
            Expression::Not(part) => {
                text.push('!');
                join(text, std::slice::from_ref(part.as_ref()), "", Self::write_notation)
            }
        }
    }
}
