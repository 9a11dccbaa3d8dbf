//! Collects everything wrong with a value, so that people mend it once and not field by field.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::error::Invalid;
use crate::field::Field;
use crate::name::{Name, quoted};
use crate::nearest::nearest;

/// Names that still fit a message; of more only the number is said.
const LISTED_MAX: usize = 12;

/// Lists up to this length are compared in place, without allocating a set.
const COMPARED_MAX: usize = 16;

/// What was found so far. Nothing is allocated before the first problem.
#[derive(Default)]
pub(crate) struct Problems {
    found: Vec<Invalid>,
}

impl Problems {
    /// All of them, or that there are none.
    pub(crate) fn result(self) -> Result<(), Vec<Invalid>> {
        if self.found.is_empty() { Ok(()) } else { Err(self.found) }
    }

    /// One that no other method describes.
    pub(crate) fn add(&mut self, problem: Invalid) {
        self.found.push(problem);
    }

    /// The value lies in a range; says whether it does.
    pub(crate) fn range<T: PartialOrd + Display + Copy>(
        &mut self,
        field: &Field<'_>,
        value: T,
        range: RangeInclusive<T>,
    ) -> bool {
        let holds = range.contains(&value);
        if !holds {
            let allowed = format!("expected {} to {}", range.start(), range.end());
            self.add(Invalid::new(field.to_string(), value.to_string(), allowed));
        }
        holds
    }

    /// The list has a length in a range; says whether it does, since a list beyond its bound is
    /// not looked into.
    pub(crate) fn length(
        &mut self,
        field: &Field<'_>,
        what: &str,
        length: usize,
        range: RangeInclusive<usize>,
    ) -> bool {
        let holds = range.contains(&length);
        if !holds {
            let (value, allowed) = match (range.start(), range.end()) {
                (0, most) => (length, format!("expected at most {most}")),
                (least, most) => (length, format!("expected {least} to {most}")),
            };
            self.add(Invalid::new(field.to_string(), format!("{value} {what}"), allowed));
        }
        holds
    }

    /// The condition holds, or the value is refused with what is allowed.
    pub(crate) fn holds(
        &mut self,
        condition: bool,
        field: &Field<'_>,
        value: impl FnOnce() -> String,
        allowed: impl Into<String>,
    ) {
        if !condition {
            self.add(Invalid::new(field.to_string(), value(), allowed));
        }
    }

    /// The name has the form of one.
    pub(crate) fn name(&mut self, field: &Field<'_>, name: &Name) {
        if !name.is_valid() {
            self.add(name.invalid(field.to_string()));
        }
    }

    /// A name that refers to something was not found among what there is.
    pub(crate) fn unknown<'n>(
        &mut self,
        field: &Field<'_>,
        text: &str,
        kind: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        let known: Vec<&str> = known.into_iter().collect();
        let allowed = match known.len() {
            0 => format!("this cluster has no {kind}"),
            1..=LISTED_MAX => format!("expected one of {}", known.join(", ")),
            count => format!("expected one of the {count} {kind} of this cluster"),
        };
        let meant = nearest(text, known.iter().copied()).filter(|meant| *meant != text);
        let problem = Invalid::new(field.to_string(), quoted(text), allowed);
        self.add(problem.meant_if(meant.map(str::to_owned)));
    }

    /// Each element has a key of its own; `part` names the key within the element, if it is not
    /// the whole of it.
    pub(crate) fn unique<T, K: Ord + Display>(
        &mut self,
        field: &Field<'_>,
        part: Option<&str>,
        items: &[T],
        key: impl Fn(&T) -> &K,
    ) {
        let mut seen = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            let is_repeat = if items.len() <= COMPARED_MAX {
                items[..index].iter().any(|earlier| key(earlier) == key(item))
            } else {
                !seen.insert(key(item))
            };
            if is_repeat {
                let element = field.at(index);
                let path = part.map_or(element, |part| element.field(part)).to_string();
                let value = quoted(&key(item).to_string());
                self.add(Invalid::new(path, value, "expected each only once"));
            }
        }
    }
}
