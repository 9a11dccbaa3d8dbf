//! GPU clustering (after Gandiva, OSDI '18): beside pods that ask for as many GPUs. Best are nodes
//! with such pods alone, then with such pods and others, then empty ones, then the rest; among
//! nodes of one sort the one with fewer GPUs free. Shares are a kind of their own.

use super::{BEST, LARGEST_GPUS, Rule, signed};
use crate::packing::Pod;
use crate::packing::node::{Node, affinity};

pub(super) struct GpuClustering;

impl Rule for GpuClustering {
    fn score(&mut self, _at: usize, node: &Node, pod: &Pod) -> i64 {
        let kind = affinity(pod);
        if kind == 0 {
            return 0;
        }
        let quarter = BEST / 4;
        let sort = match (node.affinities & kind != 0, node.affinities.count_ones()) {
            (true, 1) => 3,
            (true, _) => 2,
            (false, 0) => 1,
            (false, _) => 0,
        };
        quarter * sort + quarter * (LARGEST_GPUS - signed(node.milli_left())) / LARGEST_GPUS
    }
}
