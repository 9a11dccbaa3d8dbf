//! A sorted set that is mostly one item: most lines hold one job, and a tree for each of them
//! would cost more memory than the job.

use std::collections::BTreeSet;

/// A sorted set of small things.
#[derive(Clone, Debug, Default)]
pub(crate) enum Few<T> {
    /// Nothing.
    #[default]
    Empty,
    /// One item, kept in place.
    One(T),
    /// Any number of items.
    Many(BTreeSet<T>),
}

impl<T: Ord + Copy> Few<T> {
    /// Adds an item.
    pub(crate) fn insert(&mut self, item: T) {
        match self {
            Few::Empty => *self = Few::One(item),
            Few::One(one) if *one == item => {}
            Few::One(one) => *self = Few::Many(BTreeSet::from([*one, item])),
            Few::Many(items) => _ = items.insert(item),
        }
    }

    /// Takes an item out; whether it was there.
    pub(crate) fn remove(&mut self, item: &T) -> bool {
        match self {
            Few::Empty => false,
            Few::One(one) => {
                let is_there = one == item;
                if is_there {
                    *self = Few::Empty;
                }
                is_there
            }
            Few::Many(items) => {
                let was_there = items.remove(item);
                if items.is_empty() {
                    *self = Few::Empty;
                }
                was_there
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Few::Empty)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Few::Empty => 0,
            Few::One(_) => 1,
            Few::Many(items) => items.len(),
        }
    }

    /// The items, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let (one, many) = match self {
            Few::Empty => (None, None),
            Few::One(one) => (Some(*one), None),
            Few::Many(items) => (None, Some(items)),
        };
        one.into_iter().chain(many.into_iter().flatten().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_sorted_set_whatever_its_size() {
        let (mut few, mut set) = (Few::default(), BTreeSet::new());
        let steps = [5, 3, 3, 9, 1, -3, -5, -3, -9, -1, 7, -7, -7];
        for step in steps {
            if step > 0 {
                few.insert(step);
                set.insert(step);
            } else {
                assert_eq!(few.remove(&-step), set.remove(&-step), "removing {}", -step);
            }
            assert!(few.iter().eq(set.iter().copied()), "after {step}");
            assert_eq!(few.is_empty(), set.is_empty());
        }
    }
}
