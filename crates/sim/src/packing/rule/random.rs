//! Random: any node that has room, and on it any GPU that will do.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Rule;
use crate::packing::Pod;
use crate::packing::node::Node;

pub(super) struct Random {
    rng: ChaCha8Rng,
}

impl Random {
    pub(super) fn new(rng: ChaCha8Rng) -> Random {
        Random { rng }
    }
}

impl Rule for Random {
    fn score(&mut self, _at: usize, _node: &Node, _pod: &Pod) -> i64 {
        self.rng.random_range(0..i64::MAX)
    }

    fn gpu(&mut self, node: &Node, pod: &Pod) -> usize {
        let fitting: Vec<usize> =
            (0..node.left.len()).filter(|&gpu| node.left[gpu] >= pod.milli).collect();
        fitting[self.rng.random_range(0..fitting.len())]
    }
}
