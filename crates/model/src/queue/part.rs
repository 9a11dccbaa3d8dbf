//! The parts of a quota as one list, for rules that treat GPUs, CPUs and memory alike.

use std::fmt;

use crate::bound::{CPUS_MAX, GPUS_MAX, MEMORY_MAX};
use crate::name::Name;
use crate::queue::Quota;
use crate::unit::{Mib, MilliCpu, MilliGpu};

/// One thing that a quota may name. It prints as its path within the quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuotaPart<'a> {
    /// GPUs of all models, in milli-GPU.
    Gpus,
    /// GPUs of one model, in milli-GPU.
    Model(&'a Name),
    /// CPUs, in milli-CPU.
    Cpus,
    /// Memory, in MiB.
    Memory,
}

impl Quota {
    /// What the quota names, each part with its amount.
    ///
    /// ```
    /// use muster_model::{Quota, queue::QuotaPart};
    ///
    /// let quota = Quota::of_gpus(8).cpus(64);
    /// let parts: Vec<_> = quota.parts().collect();
    /// assert_eq!(parts, [(QuotaPart::Gpus, 8_000), (QuotaPart::Cpus, 64_000)]);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = (QuotaPart<'_>, u64)> {
        let gpus = self.gpus.map(|gpus| (QuotaPart::Gpus, gpus.0));
        let models = self.models.iter().map(|(name, gpus)| (QuotaPart::Model(name), gpus.0));
        let cpus = self.cpus.map(|cpus| (QuotaPart::Cpus, cpus.0));
        let memory = self.memory.map(|memory| (QuotaPart::Memory, memory.0));
        gpus.into_iter().chain(models).chain(cpus).chain(memory)
    }

    /// The amount of one part, if the quota names it.
    pub fn get(&self, part: QuotaPart<'_>) -> Option<u64> {
        match part {
            QuotaPart::Gpus => self.gpus.map(|gpus| gpus.0),
            QuotaPart::Model(name) => self.models.get(name).map(|gpus| gpus.0),
            QuotaPart::Cpus => self.cpus.map(|cpus| cpus.0),
            QuotaPart::Memory => self.memory.map(|memory| memory.0),
        }
    }
}

impl QuotaPart<'_> {
    /// An amount of this part as people write it.
    pub fn text(self, amount: u64) -> String {
        match self {
            QuotaPart::Gpus | QuotaPart::Model(_) => MilliGpu(amount).to_string(),
            QuotaPart::Cpus => MilliCpu(amount).to_string(),
            QuotaPart::Memory => Mib(amount).to_string(),
        }
    }

    /// Whether it counts GPUs of one model.
    pub(crate) fn is_model(self) -> bool {
        matches!(self, QuotaPart::Model(_))
    }

    /// The largest amount that a quota may name.
    pub(crate) fn most(self) -> u64 {
        match self {
            QuotaPart::Gpus | QuotaPart::Model(_) => GPUS_MAX.0,
            QuotaPart::Cpus => CPUS_MAX.0,
            QuotaPart::Memory => MEMORY_MAX.0,
        }
    }
}

impl fmt::Display for QuotaPart<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuotaPart::Gpus => formatter.write_str("gpus"),
            QuotaPart::Model(name) => write!(formatter, "models.{name}"),
            QuotaPart::Cpus => formatter.write_str("cpus"),
            QuotaPart::Memory => formatter.write_str("memory"),
        }
    }
}
