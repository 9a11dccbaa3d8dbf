//! Where the published rules put a gang: on one node if it fits there, the one with the fewest
//! GPUs free that will do; a larger gang on wholly free nodes and one more for what is left over.
//! Among equal nodes, the first.

use super::Pool;

/// The nodes of a pool by what is free on them.
#[derive(Debug)]
pub(super) struct Nodes {
    free: Vec<u32>,
    each: u32,
    in_all: u64,
}

/// Nodes with the GPUs that a gang holds there.
pub(super) type Place = Vec<(usize, u32)>;

impl Nodes {
    pub(super) fn new(pool: &Pool) -> Nodes {
        let free = (0..pool.nodes).map(|_| pool.gpus_per_node).collect();
        Nodes { free, each: pool.gpus_per_node, in_all: pool.gpus() }
    }

    /// Takes the GPUs of a gang, if there is a place for it.
    pub(super) fn take(&mut self, gpus: u32) -> Option<Place> {
        if u64::from(gpus) > self.in_all {
            return None;
        }
        let place = if gpus <= self.each { self.one_node(gpus) } else { self.nodes(gpus) }?;
        for &(node, gpus) in &place {
            self.free[node] -= gpus;
        }
        self.in_all -= u64::from(gpus);
        Some(place)
    }

    /// Gives them back.
    pub(super) fn give(&mut self, place: &Place) {
        for &(node, gpus) in place {
            self.free[node] += gpus;
            assert!(self.free[node] <= self.each, "a node gets back what was taken from it");
            self.in_all += u64::from(gpus);
        }
    }

    fn one_node(&self, gpus: u32) -> Option<Place> {
        let fitting = self.free.iter().enumerate().filter(|(_, free)| **free >= gpus);
        let (node, _) = fitting.min_by_key(|(node, free)| (**free, *node))?;
        Some(vec![(node, gpus)])
    }

    fn nodes(&self, gpus: u32) -> Option<Place> {
        let (whole, rest) = (gpus / self.each, gpus % self.each);
        let whole = usize::try_from(whole).expect("a count of nodes fits");
        let is_free = |(node, free): (usize, &u32)| (*free == self.each).then_some(node);
        let mut place: Place = self
            .free
            .iter()
            .enumerate()
            .filter_map(is_free)
            .map(|node| (node, self.each))
            .collect();
        if place.len() < whole {
            return None;
        }
        let next = place.get(whole).map(|(node, _)| *node);
        place.truncate(whole);
        if rest > 0 {
            place.push((next.or_else(|| self.fullest_rest(rest))?, rest));
        }
        Some(place)
    }

    /// The node with the most left, for the remainder of a gang whose other nodes are the last
    /// that were wholly free.
    fn fullest_rest(&self, rest: u32) -> Option<usize> {
        let partly = self.free.iter().enumerate().filter(|(_, free)| **free < self.each);
        let (node, free) = partly.max_by_key(|(node, free)| (**free, usize::MAX - node))?;
        (*free >= rest).then_some(node)
    }
}
