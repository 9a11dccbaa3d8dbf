//! How busy each GPU of a sample was, in two bytes for each: a year of them has to fit.

use crate::history::GpuSample;

/// Thousandths that one step stands for.
const STEP: u32 = 4;

/// The step of what was not measured.
const UNMEASURED: u8 = u8::MAX;

/// As it is kept; nothing where nothing is known.
pub(super) fn encode(gpus: &[GpuSample]) -> Option<Vec<u8>> {
    let bytes = gpus.iter().filter_map(|one| {
        let level =
            |busy: u32| u8::try_from((busy.min(1000) + STEP / 2) / STEP).expect("at most 250");
        Some([u8::try_from(one.gpu).ok()?, one.busy.map_or(UNMEASURED, level)])
    });
    let bytes: Vec<u8> = bytes.flatten().collect();
    (!bytes.is_empty()).then_some(bytes)
}

pub(super) fn decode(bytes: &[u8]) -> impl Iterator<Item = GpuSample> + '_ {
    bytes.chunks_exact(2).map(|pair| {
        let busy = (pair[1] != UNMEASURED).then_some(u32::from(pair[1]) * STEP);
        GpuSample { gpu: u32::from(pair[0]), busy }
    })
}

/// A mean over time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    sum: u64,
    weight: u64,
}

impl Mean {
    pub(super) fn add(&mut self, busy: u32, weight: u64) {
        self.sum += u64::from(busy) * weight;
        self.weight += weight;
    }

    /// Nothing where nothing was measured.
    pub(super) fn busy(self) -> Option<u32> {
        let mean = self.sum.checked_div(self.weight)?;
        Some(u32::try_from(mean).expect("no more than what it is the mean of"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_kept_is_what_was_told_to_the_step(
            told in prop::collection::btree_map(0u32..64, prop::option::of(0u32..=1000), 0..64),
        ) {
            let told = told.into_iter().map(|(gpu, busy)| GpuSample { gpu, busy });
            let told: Vec<GpuSample> = told.collect();
            let kept = encode(&told).unwrap_or_default();
            prop_assert_eq!(kept.len(), 2 * told.len());
            let read: Vec<GpuSample> = decode(&kept).collect();
            let rounded = told.iter().map(|one| {
                GpuSample { busy: one.busy.map(|busy| (busy + STEP / 2) / STEP * STEP), ..*one }
            });
            prop_assert_eq!(read, rounded.collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_mean_is_by_time_and_knows_when_it_knows_nothing() {
        let mut mean = Mean::default();
        assert_eq!(mean.busy(), None);
        mean.add(1000, 1);
        mean.add(0, 3);
        assert_eq!(mean.busy(), Some(250));
    }
}
