//! Constraints on the features of nodes: `a&b`, `a|b`, `(a|b)&c`, `[a|b]`, `a*2`.
//!
//! As on Slurm, `&` and `|` have the same rank and are taken from left to right, and a comma is
//! another `&`.

use std::fmt;
use std::str::FromStr;

use muster_model::bound::{EXPRESSION_DEPTH_MAX, EXPRESSION_LEAVES_MAX};
use muster_model::{Expression, Invalid, Name};
use serde::{Deserialize, Serialize};

use super::{count, refuse};

const FORMS: &str = "expected names of features with `&`, `|` and parentheses, such as \
                     `a100&(ib|eth)`";

/// What nodes have to be like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Features(pub Feature);

/// One part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Nodes with this feature.
    Has(String),
    /// Nodes that meet all.
    All(Vec<Feature>),
    /// Nodes that meet any.
    Any(Vec<Feature>),
    /// Nodes that meet any, but all of them the same one.
    Same(Vec<Feature>),
    /// So many nodes that meet it.
    Counted(Box<Feature>, u32),
}

impl Features {
    /// As a question about each node of a job with so many nodes; none where it is more than
    /// that, because nodes are not looked at together.
    pub fn expression(&self, nodes: u32) -> Option<Expression> {
        expression(&self.0, nodes)
    }
}

impl Feature {
    /// The names it is made of.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Feature::Has(name) => vec![name],
            Feature::All(parts) | Feature::Any(parts) | Feature::Same(parts) => {
                parts.iter().flat_map(Feature::names).collect()
            }
            Feature::Counted(part, _) => part.names(),
        }
    }
}

fn expression(feature: &Feature, nodes: u32) -> Option<Expression> {
    let parts = |parts: &[Feature]| {
        parts.iter().map(|part| expression(part, nodes)).collect::<Option<Vec<_>>>()
    };
    match feature {
        Feature::Has(name) => Some(Expression::Has(Name::from(name.as_str()))),
        Feature::All(all) => parts(all).map(Expression::And),
        Feature::Any(any) => parts(any).map(Expression::Or),
        Feature::Same(any) if nodes == 1 => parts(any).map(Expression::Or),
        Feature::Counted(part, count) if *count == nodes => expression(part, nodes),
        Feature::Same(_) | Feature::Counted(..) => None,
    }
}

impl FromStr for Features {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Features, Invalid> {
        let mut reader = Reader { rest: text, leaves: 0 };
        let feature = reader.row(1).filter(|_| reader.rest.is_empty());
        // Operators in turn nest as parentheses do.
        let feature = feature.filter(|feature| depth(feature) < EXPRESSION_DEPTH_MAX);
        feature.map(Features).ok_or_else(|| refuse("constraint", text, FORMS))
    }
}

/// Whether brackets around it mean numbers of nodes.
fn is_counted(feature: &Feature) -> bool {
    match feature {
        Feature::Counted(..) => true,
        Feature::All(parts) => parts.iter().all(is_counted),
        _ => false,
    }
}

fn depth(feature: &Feature) -> usize {
    let deepest = |parts: &[Feature]| parts.iter().map(depth).max().unwrap_or(0) + 1;
    match feature {
        Feature::Has(_) => 1,
        Feature::All(parts) | Feature::Any(parts) | Feature::Same(parts) => deepest(parts),
        Feature::Counted(part, _) => depth(part) + 1,
    }
}

struct Reader<'a> {
    rest: &'a str,
    leaves: usize,
}

impl<'a> Reader<'a> {
    /// Parts with operators between them. Each round takes a letter at least.
    fn row(&mut self, depth: usize) -> Option<Feature> {
        let mut row = self.part(depth)?;
        loop {
            let is_all = match self.rest.chars().next() {
                Some('&' | ',') => true,
                Some('|') => false,
                _ => return Some(row),
            };
            self.rest = &self.rest[1..];
            let part = self.part(depth)?;
            row = match (row, is_all) {
                (Feature::All(mut parts), true) => {
                    parts.push(part);
                    Feature::All(parts)
                }
                (Feature::Any(mut parts), false) => {
                    parts.push(part);
                    Feature::Any(parts)
                }
                (first, true) => Feature::All(vec![first, part]),
                (first, false) => Feature::Any(vec![first, part]),
            };
        }
    }

    fn part(&mut self, depth: usize) -> Option<Feature> {
        if depth >= EXPRESSION_DEPTH_MAX {
            return None;
        }
        let part = if self.take('(') {
            let row = self.row(depth + 1)?;
            self.take(')').then_some(row)?
        } else if self.take('[') {
            let row = self.row(depth + 1)?;
            let same = match row {
                Feature::Any(parts) => Feature::Same(parts),
                counted if is_counted(&counted) => counted,
                _ => return None,
            };
            self.take(']').then_some(same)?
        } else {
            Feature::Has(self.name()?)
        };
        if !self.take('*') {
            return Some(part);
        }
        let number = self.while_letter(|letter| letter.is_ascii_digit());
        Some(Feature::Counted(Box::new(part), count("constraint", number).ok()?))
    }

    fn name(&mut self) -> Option<String> {
        let is_letter =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let name = self.while_letter(is_letter);
        self.leaves += 1;
        let is_good = self.leaves <= EXPRESSION_LEAVES_MAX && Name::from(name).is_valid();
        is_good.then(|| name.to_owned())
    }

    fn take(&mut self, letter: char) -> bool {
        let rest = self.rest.strip_prefix(letter);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn while_letter(&mut self, is_letter: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|letter| !is_letter(letter)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }
}

impl fmt::Display for Features {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Feature::All(parts) => join(formatter, parts, "&"),
            Feature::Any(parts) => join(formatter, parts, "|"),
            other => other.fmt(formatter),
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Has(name) => formatter.write_str(name),
            Feature::All(parts) => {
                formatter.write_str("(")?;
                join(formatter, parts, "&")?;
                formatter.write_str(")")
            }
            Feature::Any(parts) => {
                formatter.write_str("(")?;
                join(formatter, parts, "|")?;
                formatter.write_str(")")
            }
            Feature::Same(parts) => {
                formatter.write_str("[")?;
                join(formatter, parts, "|")?;
                formatter.write_str("]")
            }
            Feature::Counted(part, count) => write!(formatter, "{part}*{count}"),
        }
    }
}

fn join(formatter: &mut fmt::Formatter<'_>, parts: &[Feature], between: &str) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        write!(formatter, "{}{part}", if index == 0 { "" } else { between })?;
    }
    Ok(())
}
