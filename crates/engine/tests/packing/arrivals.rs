//! A synthetic cluster and stream with the published shape of a shared production cluster: more
//! than a third of the tasks ask for part of a GPU, about half for one, a few for more; nodes of
//! two, four and eight GPUs; CPUs and memory that do not always go along with GPUs.

use muster_model::{JobSpec, Mib, MilliGpu, NodeSpec, Share};

/// A small generator of the xorshift family: the same seed draws the same numbers everywhere.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    /// One of some values with weights.
    fn weighed<T: Copy>(&mut self, choices: &[(u64, T)]) -> T {
        let mut at = self.below(choices.iter().map(|(weight, _)| weight).sum());
        for &(weight, value) in choices {
            if at < weight {
                return value;
            }
            at -= weight;
        }
        unreachable!("a number below the sum of the weights is inside one of them")
    }
}

/// What one arrival asks for: thousandths of a GPU, CPUs, GiB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) milli: u64,
    pub(crate) cpus: u64,
    pub(crate) gib: u64,
}

/// Nodes, by their GPUs.
pub(crate) fn nodes(count: u32, chance: &mut Chance) -> Vec<NodeSpec> {
    let node = |index| {
        let (gpus, cpus, gib) = chance.weighed(&[
            (45, (8, 96, 512)),
            (15, (8, 128, 768)),
            (15, (4, 96, 384)),
            (25, (2, 64, 256)),
        ]);
        NodeSpec::new(&format!("n{index}"), "A10", gpus).cpus(cpus).memory(Mib::gib(gib))
    };
    (0..count).map(node).collect()
}

/// The next arrival.
pub(crate) fn arrival(chance: &mut Chance) -> Arrival {
    let milli: u64 = chance.weighed(&[
        (8, 100),
        (30, 220),
        (50, 330),
        (140, 460),
        (80, 500),
        (90, 650),
        (50, 900),
        (480, 1000),
        (10, 2000),
        (10, 4000),
        (12, 8000),
    ]);
    let gpus = milli.div_ceil(1000);
    let cpus = match milli {
        ..500 => chance.weighed(&[(3, 2), (4, 4), (3, 8)]),
        500..1000 => chance.weighed(&[(3, 4), (5, 8), (2, 12)]),
        1000 => chance.weighed(&[(2, 4), (5, 8), (3, 12), (1, 16)]),
        _ => gpus * chance.weighed(&[(4, 8), (6, 11)]),
    };
    Arrival { milli, cpus, gib: cpus * 4 }
}

impl Arrival {
    pub(crate) fn job(self) -> JobSpec {
        let gpus = u32::try_from(self.milli / 1000).expect("a few GPUs");
        let job = JobSpec::gang("pod", 1, gpus);
        let job = match self.milli {
            ..1000 => job.share(Share::fraction(MilliGpu(self.milli))),
            _ => job,
        };
        job.cpus(self.cpus).memory(Mib::gib(self.gib))
    }
}
