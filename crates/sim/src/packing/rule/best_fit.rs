//! Best fit: CPUs and GPUs that would be left over, each in parts of the largest node, counted
//! half; the less, the better.

use super::{BEST, LARGEST_CPUS, LARGEST_GPUS, Rule, signed};
use crate::packing::Pod;
use crate::packing::node::Node;

pub(super) struct BestFit;

impl Rule for BestFit {
    fn score(&mut self, _at: usize, node: &Node, pod: &Pod) -> i64 {
        let cpus = signed(node.cpus) - signed(pod.cpus);
        let gpus = signed(node.milli_left()) - signed(pod.milli_in_all());
        let whole = 2 * LARGEST_CPUS;
        BEST * (whole - cpus - LARGEST_CPUS / LARGEST_GPUS * gpus) / whole
    }
}
