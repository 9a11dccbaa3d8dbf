//! How the GPUs of one node are wired: NVLink groups, PCIe switches, NUMA halves.

use serde::{Deserialize, Serialize};

/// A set of GPUs of one node, as a bit mask by GPU number.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct GpuSet(pub u64);

/// The most GPUs one node may have; a set of them is one machine word.
pub const GPUS_PER_NODE_MAX: u32 = 64;

impl GpuSet {
    /// No GPU.
    pub const EMPTY: GpuSet = GpuSet(0);

    /// GPUs `0..count`.
    pub fn first(count: u32) -> GpuSet {
        assert!(count <= GPUS_PER_NODE_MAX, "a node has at most {GPUS_PER_NODE_MAX} GPUs");
        if count == GPUS_PER_NODE_MAX { GpuSet(u64::MAX) } else { GpuSet((1 << count) - 1) }
    }

    /// One GPU.
    pub fn one(gpu: u32) -> GpuSet {
        GpuSet(1 << gpu)
    }

    /// How many GPUs are in the set.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no GPU is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// GPUs in both.
    #[must_use]
    pub fn and(self, other: GpuSet) -> GpuSet {
        GpuSet(self.0 & other.0)
    }

    /// GPUs in either.
    #[must_use]
    pub fn or(self, other: GpuSet) -> GpuSet {
        GpuSet(self.0 | other.0)
    }

    /// GPUs in this one and not in `other`.
    #[must_use]
    pub fn minus(self, other: GpuSet) -> GpuSet {
        GpuSet(self.0 & !other.0)
    }

    /// Whether every GPU of `other` is in this one.
    pub fn contains(self, other: GpuSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// The `count` lowest-numbered GPUs of the set.
    #[must_use]
    pub fn lowest(self, count: u32) -> GpuSet {
        let (mut rest, mut taken) = (self.0, 0);
        for _ in 0..count {
            let lowest = rest & rest.wrapping_neg();
            taken |= lowest;
            rest ^= lowest;
        }
        GpuSet(taken)
    }

    /// The GPU numbers in the set, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let gpu = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(gpu)
        })
    }
}

/// The wiring of one node, each layer as disjoint groups of its GPUs, fastest layer first.
///
/// An empty layer means that the layer says nothing about the node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NodeLinks {
    /// GPUs that reach each other over NVLink or NVSwitch.
    pub nvlink: Vec<GpuSet>,
    /// GPUs behind one PCIe switch.
    pub pcie: Vec<GpuSet>,
    /// GPUs attached to one CPU socket.
    pub numa: Vec<GpuSet>,
}

impl NodeLinks {
    /// GPUs that all reach each other over NVSwitch, with a PCIe switch for each two of them
    /// and a CPU socket for each half (HGX and DGX boards).
    ///
    /// ```
    /// use muster_model::{GpuSet, NodeLinks};
    ///
    /// let links = NodeLinks::nvswitch(8);
    /// assert_eq!(links.nvlink, [GpuSet::first(8)]);
    /// assert_eq!(links.pcie.len(), 4);
    /// assert_eq!(links.numa, [GpuSet(0b0000_1111), GpuSet(0b1111_0000)]);
    /// ```
    pub fn nvswitch(gpus: u32) -> NodeLinks {
        NodeLinks { nvlink: chunks(gpus, gpus), ..NodeLinks::pairs(gpus) }
    }

    /// GPUs bridged two by two over NVLink, each pair behind its own PCIe switch, with a CPU
    /// socket for each half.
    pub fn pairs(gpus: u32) -> NodeLinks {
        NodeLinks { nvlink: chunks(gpus, 2), pcie: chunks(gpus, 2), ..NodeLinks::pcie(gpus) }
    }

    /// GPUs without NVLink, four behind each PCIe switch, with a CPU socket for each half.
    pub fn pcie(gpus: u32) -> NodeLinks {
        NodeLinks {
            nvlink: Vec::new(),
            pcie: chunks(gpus, 4),
            numa: chunks(gpus, gpus.div_ceil(2)),
        }
    }
}

/// GPUs `0..gpus` in groups of `size`; the last may be smaller.
fn chunks(gpus: u32, size: u32) -> Vec<GpuSet> {
    let size = size.max(1);
    (0..gpus)
        .step_by(size as usize)
        .map(|start| GpuSet::first(gpus.min(start + size)).minus(GpuSet::first(start)))
        .collect()
}

#[cfg(test)]
mod tests;
