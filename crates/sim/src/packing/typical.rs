//! The typical pods of a workload, and what is of no use to them.
//!
//! Typical are the kinds that come most often, until they make 95 of 100 pods. For one kind, what
//! is free on a node is of no use where a pod of it does not fit; where one does, the GPUs with
//! less left than it needs are. Fragments are the mean over the typical pods.

use std::collections::BTreeMap;

use super::Pod;
use super::node::Node;

/// Of all pods, the percentage that typical kinds make up.
const TYPICAL_PERCENT: u64 = 95;

/// The typical pods, together where they differ in CPUs alone.
#[derive(Clone, Debug)]
pub(super) struct Typical {
    shapes: Vec<Shape>,
    pods: u64,
}

/// Pods that ask for the same GPUs.
#[derive(Clone, Debug)]
struct Shape {
    gpus: u32,
    milli: u32,
    models: u64,
    pods: u64,
    /// CPUs, with how many of the pods ask for no more.
    by_cpus: Vec<(u64, u64)>,
}

impl Typical {
    pub(super) fn new(pods: &[Pod]) -> Typical {
        let mut counts: BTreeMap<(u64, u32, u32, u64), u64> = BTreeMap::new();
        for pod in pods {
            *counts.entry((pod.cpus, pod.milli, pod.gpus, pod.models)).or_default() += 1;
        }
        let mut kinds: Vec<_> = counts.into_iter().map(|(kind, count)| (count, kind)).collect();
        kinds.sort_unstable_by(|one, other| other.cmp(one));
        let all = pods.len() as u64;
        let mut shapes: BTreeMap<(u32, u32, u64), Vec<(u64, u64)>> = BTreeMap::new();
        let mut typical = 0;
        for (count, (cpus, milli, gpus, models)) in kinds {
            if typical * 100 >= all * TYPICAL_PERCENT {
                break;
            }
            typical += count;
            // Without GPUs it does not matter what else is asked for.
            let cpus = if gpus == 0 { 0 } else { cpus };
            shapes.entry((gpus, milli, models)).or_default().push((cpus, count));
        }
        Typical { shapes: shapes.into_iter().map(Shape::new).collect(), pods: typical }
    }

    /// How many pods they stand for.
    pub(super) fn pods(&self) -> u64 {
        self.pods
    }

    /// Thousandths of GPUs that are free and of no use, summed over the typical pods.
    pub(super) fn fragments(&self, node: &Node) -> u64 {
        self.fragments_of(&node.left, node.cpus, node.model)
    }

    /// The same for what might be left on a node of a model.
    pub(super) fn fragments_of(&self, left: &[u32], cpus: u64, model: u64) -> u64 {
        let free: u64 = left.iter().map(|left| u64::from(*left)).sum();
        if free == 0 {
            return 0;
        }
        self.shapes.iter().map(|shape| shape.fragments(left, free, cpus, model)).sum()
    }
}

impl Shape {
    fn new(((gpus, milli, models), mut counts): ((u32, u32, u64), Vec<(u64, u64)>)) -> Shape {
        counts.sort_unstable();
        let mut pods = 0;
        let mut by_cpus: Vec<(u64, u64)> = Vec::new();
        for (cpus, count) in counts {
            pods += count;
            by_cpus.push((cpus, pods));
        }
        Shape { gpus, milli, models, pods, by_cpus }
    }

    fn fragments(&self, left: &[u32], free: u64, cpus: u64, model: u64) -> u64 {
        if self.gpus == 0 || self.models & model == 0 {
            return self.pods * free;
        }
        let (mut fitting, mut pieces) = (0_u32, 0_u64);
        for &left in left {
            if left >= self.milli {
                fitting += 1;
            } else {
                pieces += u64::from(left);
            }
        }
        if fitting < self.gpus {
            return self.pods * free;
        }
        let at = self.by_cpus.partition_point(|(wanted, _)| *wanted <= cpus);
        let fed = at.checked_sub(1).map_or(0, |last| self.by_cpus[last].1);
        fed * pieces + (self.pods - fed) * free
    }
}
