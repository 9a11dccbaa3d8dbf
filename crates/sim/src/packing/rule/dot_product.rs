//! Dot product (after Tetris, SIGCOMM '14): CPUs and GPUs asked for and left, each in parts of the
//! largest node, multiplied and added; the smaller, the better. A node's GPUs count as one sum.

use super::{BEST, LARGEST_CPUS, LARGEST_GPUS, Rule, signed};
use crate::packing::Pod;
use crate::packing::node::Node;

pub(super) struct DotProduct;

impl Rule for DotProduct {
    fn score(&mut self, _at: usize, node: &Node, pod: &Pod) -> i64 {
        // Both products over the square of the largest CPUs, and the mean of the two.
        let ratio = (LARGEST_CPUS / LARGEST_GPUS) * (LARGEST_CPUS / LARGEST_GPUS);
        let whole = 2 * LARGEST_CPUS * LARGEST_CPUS;
        let cpus = signed(node.cpus) * signed(pod.cpus);
        let gpus = signed(node.milli_left()) * signed(pod.milli_in_all());
        BEST * (whole - cpus - ratio * gpus) / whole
    }
}
