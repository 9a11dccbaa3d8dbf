//! What the NVIDIA driver says. It samples each GPU several times a second and keeps the last of
//! them: what counts is the mean of those since it was asked before, not the one at the moment of
//! asking, which a program that computes in bursts may always meet in the same part of a burst.

use nvml_wrapper::Nvml;
use nvml_wrapper::enum_wrappers::device::Sampling;
use nvml_wrapper::enums::device::SampleValue;
use nvml_wrapper::struct_wrappers::device::Sample;

use crate::meter::Busy;

/// The driver, and what it last said.
pub(crate) struct Driver {
    nvml: Nvml,
    gpus: Vec<Gpu>,
}

struct Gpu {
    name: String,
    /// The time of the latest sample that was counted, by the driver's clock.
    seen: u64,
    busy: Busy,
}

impl Driver {
    pub(super) fn of(nvml: Nvml, names: &[String]) -> Driver {
        let gpu = |name: &String| Gpu { name: name.clone(), seen: 0, busy: None };
        Driver { nvml, gpus: names.iter().map(gpu).collect() }
    }

    pub(super) fn read(&mut self) {
        for gpu in &mut self.gpus {
            gpu.busy = gpu.read(&self.nvml);
        }
    }

    pub(super) fn busy(&self, gpu: u32) -> Busy {
        self.gpus.get(usize::try_from(gpu).ok()?)?.busy
    }
}

impl Gpu {
    fn read(&mut self, nvml: &Nvml) -> Busy {
        let device = nvml.device_by_uuid(self.name.as_str()).ok()?;
        // Not every card and machine has samples; all have the latest of them.
        let samples = device.samples(Sampling::GpuUtilization, self.seen).unwrap_or_default();
        let Some((busy, seen)) = mean(&samples, self.seen) else {
            return Some(device.utilization_rates().ok()?.gpu.saturating_mul(10));
        };
        self.seen = seen;
        Some(busy)
    }
}

/// The mean of the samples after a time, in thousandths, and the time of the latest.
fn mean(samples: &[Sample], after: u64) -> Option<(u32, u64)> {
    let percent = |sample: &Sample| {
        let value = match sample.value {
            SampleValue::U32(value) => u64::from(value),
            SampleValue::U64(value) => value,
            SampleValue::I64(_) | SampleValue::F64(_) => return None,
        };
        // What the driver has not sampled yet it leaves as it was.
        (sample.timestamp > after && value <= 100).then_some((value, sample.timestamp))
    };
    let (values, times): (Vec<u64>, Vec<u64>) = samples.iter().filter_map(percent).unzip();
    let mean = (values.iter().sum::<u64>() * 10).checked_div(values.len() as u64)?;
    Some((u32::try_from(mean).ok()?, times.into_iter().max()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(of: &[(u64, u32)]) -> Vec<Sample> {
        let sample = |&(timestamp, value): &(u64, u32)| {
            let value = SampleValue::U32(value);
            Sample { timestamp, value }
        };
        of.iter().map(sample).collect()
    }

    #[test]
    fn every_sample_since_the_last_time_counts_once() {
        let all = samples(&[(100, 100), (200, 0), (300, 50), (400, 100)]);
        assert_eq!(mean(&all, 0), Some((625, 400)));
        assert_eq!(mean(&all, 200), Some((750, 400)), "those from before were counted");
        assert_eq!(mean(&all, 400), None, "nothing is new");
    }

    #[test]
    fn what_is_no_sample_does_not_count() {
        let some = samples(&[(0, 80), (300, 4_000_000_000), (200, 40)]);
        assert_eq!(mean(&some, 0), Some((400, 200)));
        assert_eq!(mean(&[], 0), None);
        let float = Sample { timestamp: 1, value: SampleValue::F64(50.0) };
        assert_eq!(mean(&[float], 0), None);
    }
}
