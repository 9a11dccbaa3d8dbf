//! The published rules, run: each pod goes to the node with the highest score among those that
//! have room, the first of them among equals, or is turned away for good.

mod best_fit;
mod dot_product;
mod fgd;
mod gpu_clustering;
mod gpu_packing;
mod random;

use rand_chacha::ChaCha8Rng;

use super::node::{Node, WHOLE};
use super::{Experiment, Pod, Policy};

/// A rule: nodes by score, GPUs by tightest fit where it says nothing else.
trait Rule {
    /// How good a node is that has room; `at` is its number.
    fn score(&mut self, at: usize, node: &Node, pod: &Pod) -> i64;

    /// The GPU for a share on the node that was chosen.
    fn gpu(&mut self, node: &Node, pod: &Pod) -> usize {
        node.tightest(pod)
    }
}

/// Fills nodes by a published rule.
pub(super) fn fill(
    experiment: &Experiment,
    policy: Policy,
    order: &[usize],
    nodes: &mut [Node],
    rng: ChaCha8Rng,
) {
    let mut rule: Box<dyn Rule + '_> = match policy {
        Policy::Random => Box::new(random::Random::new(rng)),
        Policy::DotProduct => Box::new(dot_product::DotProduct),
        Policy::GpuClustering => Box::new(gpu_clustering::GpuClustering),
        Policy::GpuPacking => Box::new(gpu_packing::GpuPacking),
        Policy::BestFit => Box::new(best_fit::BestFit),
        Policy::Fgd => Box::new(fgd::Fgd::new(&experiment.typical, nodes.len())),
        Policy::Muster | Policy::MusterFillers => unreachable!("the engine is no published rule"),
    };
    for &arrival in order {
        let pod = &experiment.pods[arrival];
        let mut best: Option<(i64, usize)> = None;
        for (at, node) in nodes.iter().enumerate().filter(|(_, node)| node.fits(pod)) {
            let score = rule.score(at, node, pod);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, at));
            }
        }
        let Some((_, at)) = best else { continue };
        let node = &mut nodes[at];
        match (pod.gpus, pod.milli) {
            (1, 1..WHOLE) => {
                let gpu = rule.gpu(node, pod);
                node.take(pod, [gpu]);
            }
            _ => {
                let gpus = node.first_whole(pod);
                node.take(pod, gpus);
            }
        }
    }
}

/// Sizes are compared in parts of the largest node: 128 CPUs, 8 GPUs, in thousandths.
const LARGEST_CPUS: i64 = 128_000;
const LARGEST_GPUS: i64 = 8_000;

/// The best score.
const BEST: i64 = 100;

fn signed(value: u64) -> i64 {
    i64::try_from(value).expect("what a node has is far below 2^63")
}
