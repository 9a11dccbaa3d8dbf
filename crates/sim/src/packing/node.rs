//! What is left on a node.

use muster_model::NodeSpec;

use super::Pod;

/// Thousandths of a whole GPU.
pub(super) const WHOLE: u32 = 1000;

/// A node as pods fill it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) cpus: u64,
    pub(super) memory: u64,
    /// What each GPU has left, in thousandths.
    pub(super) left: Vec<u32>,
    /// The bit of its model.
    pub(super) model: u64,
    /// Kinds of pods on it, one bit for each number of GPUs and one for shares.
    pub(super) affinities: u64,
    /// How often it changed.
    pub(super) version: u32,
}

impl Node {
    pub(super) fn new(spec: &NodeSpec, model: u64) -> Node {
        Node {
            cpus: spec.cpus.0,
            memory: spec.memory.0,
            left: (0..spec.gpus).map(|_| WHOLE).collect(),
            model,
            affinities: 0,
            version: 0,
        }
    }

    pub(super) fn installed(&self) -> u64 {
        self.left.len() as u64 * u64::from(WHOLE)
    }

    pub(super) fn milli_left(&self) -> u64 {
        self.left.iter().map(|left| u64::from(*left)).sum()
    }

    pub(super) fn whole(&self) -> usize {
        self.left.iter().filter(|left| **left == WHOLE).count()
    }

    /// Whether a pod has room here.
    pub(super) fn fits(&self, pod: &Pod) -> bool {
        if self.cpus < pod.cpus || self.memory < pod.memory {
            return false;
        }
        pod.gpus == 0 || (pod.models & self.model != 0 && self.has_gpus(pod.gpus, pod.milli))
    }

    /// Whether so many GPUs have so much left each.
    pub(super) fn has_gpus(&self, gpus: u32, milli: u32) -> bool {
        self.left.iter().filter(|left| **left >= milli).count() as u64 >= u64::from(gpus)
    }

    /// GPUs for a pod of whole ones: the first that are free.
    pub(super) fn first_whole(&self, pod: &Pod) -> Vec<usize> {
        let free = self.left.iter().enumerate().filter(|(_, left)| **left == WHOLE);
        let wanted = usize::try_from(pod.gpus).expect("a few GPUs");
        free.map(|(gpu, _)| gpu).take(wanted).collect()
    }

    /// The GPU with the least left that will do for a share, the first among equals.
    pub(super) fn tightest(&self, pod: &Pod) -> usize {
        let fitting = self.left.iter().enumerate().filter(|(_, left)| **left >= pod.milli);
        fitting.min_by_key(|(gpu, left)| (**left, *gpu)).expect("the pod fits here").0
    }

    /// Puts a pod on these GPUs.
    pub(super) fn take(&mut self, pod: &Pod, gpus: impl IntoIterator<Item = usize>) {
        self.cpus -= pod.cpus;
        self.memory -= pod.memory;
        for gpu in gpus {
            self.left[gpu] -= pod.milli;
        }
        self.affinities |= affinity(pod);
        self.version += 1;
    }
}

/// The bit of a pod's kind: shares, or so many whole GPUs; none without GPUs.
pub(super) fn affinity(pod: &Pod) -> u64 {
    match pod.gpus {
        0 => 0,
        1 if pod.milli < WHOLE => 1,
        gpus => 1 << gpus.min(63),
    }
}
