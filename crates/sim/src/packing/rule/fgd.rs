//! Fragmentation gradient descent (Weng et al., ATC '23): where the least becomes of no use to the
//! typical pods of the workload, and for a share the GPU on which that is so. The score is the
//! logistic function of the GPUs that become of use again, in whole hundredths.

use super::{BEST, Rule};
use crate::packing::Pod;
use crate::packing::node::{Node, WHOLE};
use crate::packing::typical::Typical;

pub(super) struct Fgd<'t> {
    typical: &'t Typical,
    /// For each hundredth from 1 on, the gain from which on the score is at least that.
    steps: Vec<f64>,
    nodes: usize,
    /// Scores by kind of pod and node, with the version of the node they are of: a node changes
    /// only when a pod is put there, and scoring is what takes the time.
    known: Vec<Vec<Option<(u32, i64)>>>,
}

impl<'t> Fgd<'t> {
    pub(super) fn new(typical: &'t Typical, nodes: usize) -> Fgd<'t> {
        let step = |hundredth: i64| {
            let part = hundredth as f64 / BEST as f64;
            (part / (1.0 - part)).ln()
        };
        Fgd { typical, steps: (1..BEST).map(step).collect(), nodes, known: Vec::new() }
    }

    fn steps_reached(&self, before: u64, after: u64) -> i64 {
        let gain = before as f64 - after as f64;
        let gain = gain / self.typical.pods().max(1) as f64 / f64::from(WHOLE);
        let reached = self.steps.partition_point(|step| *step <= gain);
        i64::try_from(reached).expect("there are a hundred steps")
    }

    /// The best score on a node, and for a share its GPU.
    fn best(&self, node: &Node, pod: &Pod) -> (i64, usize) {
        let before = self.typical.fragments(node);
        let cpus = node.cpus - pod.cpus;
        let score = |left: &[u32]| {
            self.steps_reached(before, self.typical.fragments_of(left, cpus, node.model))
        };
        let mut left = node.left.clone();
        if pod.gpus != 1 || pod.milli == WHOLE {
            node.first_whole(pod).into_iter().for_each(|gpu| left[gpu] = 0);
            return (score(&left), 0);
        }
        let mut best: Option<(i64, usize)> = None;
        for gpu in (0..left.len()).filter(|&gpu| node.left[gpu] >= pod.milli) {
            // GPUs with as much left give the same, and the first of them wins.
            if (0..gpu).any(|other| node.left[other] == node.left[gpu]) {
                continue;
            }
            left[gpu] -= pod.milli;
            let score = score(&left);
            left[gpu] += pod.milli;
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, gpu));
            }
        }
        best.expect("the pod fits here")
    }
}

impl Rule for Fgd<'_> {
    fn score(&mut self, at: usize, node: &Node, pod: &Pod) -> i64 {
        if self.known.len() <= pod.kind {
            self.known.resize(pod.kind + 1, Vec::new());
        }
        self.known[pod.kind].resize(self.nodes, None);
        if let Some((version, score)) = self.known[pod.kind][at]
            && version == node.version
        {
            return score;
        }
        let (score, _) = self.best(node, pod);
        self.known[pod.kind][at] = Some((node.version, score));
        score
    }

    fn gpu(&mut self, node: &Node, pod: &Pod) -> usize {
        self.best(node, pod).1
    }
}
