//! GPU packing (after MLaaS, NSDI '22): shares go on GPUs in use, the fuller the better; what needs
//! free GPUs goes on nodes in use before empty ones, and on the smallest of those.

use super::{BEST, Rule, signed};
use crate::packing::Pod;
use crate::packing::node::{Node, WHOLE};

pub(super) struct GpuPacking;

impl Rule for GpuPacking {
    fn score(&mut self, _at: usize, node: &Node, pod: &Pod) -> i64 {
        if pod.gpus == 0 {
            return 0;
        }
        let free = signed(node.whole() as u64);
        if node.whole() == node.left.len() {
            return (BEST / 3 - free).max(free);
        }
        let mut left: Vec<u32> =
            node.left.iter().copied().filter(|left| *left >= pod.milli).collect();
        left.sort_unstable();
        left.truncate(usize::try_from(pod.gpus).expect("a few GPUs"));
        let broken = left.iter().filter(|left| **left == WHOLE).count();
        if broken > 0 {
            return (BEST / 2 - signed(broken as u64)).max(BEST / 3);
        }
        let percent_left: i64 = left.iter().map(|left| i64::from(left * 100 / WHOLE)).sum();
        (BEST - percent_left / 10).max(BEST / 2)
    }
}
