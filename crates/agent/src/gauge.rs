//! How busy the node's GPUs are: by the driver's word, or made up for GPUs that are.

mod driver;
mod pretended;

use std::collections::BTreeMap;

use muster_engine::command::Running;
use nvml_wrapper::Nvml;

use crate::meter::Busy;
use driver::Driver;

/// Where readings come from.
pub(crate) enum Gauge {
    /// The NVIDIA driver.
    Driver(Box<Driver>),
    /// Nobody: the GPUs are declared ones.
    Pretended { now_ms: u64, since: BTreeMap<Running, u64> },
}

impl Gauge {
    /// For GPUs by their names, which are plain numbers if they are only declared.
    pub(crate) fn of(names: &[String]) -> Gauge {
        let is_declared = names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        match Nvml::init() {
            Ok(nvml) if !is_declared => Gauge::Driver(Box::new(Driver::of(nvml, names))),
            _ => Gauge::Pretended { now_ms: 0, since: BTreeMap::new() },
        }
    }

    /// Reads all GPUs.
    pub(crate) fn read(&mut self, at_ms: u64) {
        match self {
            Gauge::Driver(driver) => driver.read(),
            Gauge::Pretended { now_ms, .. } => *now_ms = at_ms,
        }
    }

    /// Who is there now. What is made up depends on how long they have been.
    pub(crate) fn attend(&mut self, present: impl Iterator<Item = Running>) {
        let Gauge::Pretended { now_ms, since } = self else { return };
        let before = std::mem::take(since);
        let began = |of: Running| (of, before.get(&of).copied().unwrap_or(*now_ms));
        *since = present.map(began).collect();
    }

    /// How busy a GPU was by the last reading, with what an attempt does on it.
    pub(crate) fn busy(&self, of: Running, gpu: u32) -> Busy {
        match self {
            Gauge::Driver(driver) => driver.busy(gpu),
            Gauge::Pretended { now_ms, since } => {
                let began_ms = since.get(&of).copied().unwrap_or(*now_ms);
                let age_ms = now_ms.saturating_sub(began_ms);
                Some(pretended::busy(of.job.0, gpu, *now_ms, age_ms))
            }
        }
    }
}
