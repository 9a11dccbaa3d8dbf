//! What each attempt holds of the node and how much of that is busy, summed up over spans of time.
//! Pure: the time, the holdings and the readings are given.

use std::collections::BTreeMap;

use muster_api::usage::{GpuSpan, UsageSpan};
use muster_engine::action::TaskPlace;
use muster_engine::command::Running;

/// How often GPUs are read.
pub const READ_MS: u64 = 10_000;

/// How long a span gets: the finest that usage is ever looked at.
const SPAN_MS: u64 = 300_000;

/// A span that goes on is told this often.
const TELL_MS: u64 = 60_000;

/// Spans that wait to be told while the server cannot be reached: beyond that the oldest are lost.
const UNTOLD_MAX: usize = 4096;

/// How busy a GPU is, in thousandths; nothing where nobody can say.
pub type Busy = Option<u32>;

/// The sums.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    open: BTreeMap<Running, Open>,
    /// When anything was last added.
    at_ms: u64,
    /// Spans that are over and yet to be told.
    closed: Vec<UsageSpan>,
    told_ms: u64,
}

/// A span that goes on.
#[derive(Clone, Debug)]
struct Open {
    from_ms: u64,
    gpus: BTreeMap<u32, OpenGpu>,
}

/// One of its GPUs. Sums are in thousandths of what a span says, so that no rounding adds up.
#[derive(Clone, Copy, Debug)]
struct OpenGpu {
    /// Thousandths of it that are held; nothing once it was given up.
    milli: u64,
    held: u128,
    active: Option<u128>,
    /// The last reading: all there is to go by for the moment in which it ends.
    busy: Busy,
}

/// What an attempt holds now: thousandths of each GPU.
type Held = BTreeMap<Running, BTreeMap<u32, u64>>;

impl Meter {
    /// What attempts held since the last call is added to their spans; then these are what they
    /// hold. `busy` is asked for each GPU and attempt.
    pub fn observe(
        &mut self,
        now_ms: u64,
        holding: impl Iterator<Item = (Running, TaskPlace)>,
        busy: impl Fn(Running, u32) -> Busy,
    ) {
        let mut held = Held::new();
        for (of, place) in holding {
            let milli = place.share.map_or(1000, |share| share.milli.0);
            for gpu in place.gpus.iter() {
                *held.entry(of).or_default().entry(gpu).or_default() += milli;
            }
        }
        let passed = now_ms.saturating_sub(self.at_ms);
        self.at_ms = now_ms;
        for (of, open) in &mut self.open {
            let held = held.get(of);
            for (gpu, open) in &mut open.gpus {
                if held.is_some_and(|held| held.contains_key(gpu)) {
                    open.busy = busy(*of, *gpu);
                }
                open.pass(passed);
            }
        }
        self.close(now_ms, &held);
        for (of, gpus) in held {
            let new = || Open { from_ms: now_ms, gpus: BTreeMap::new() };
            self.open.entry(of).or_insert_with(new).hold(&gpus, |gpu| busy(of, gpu));
        }
    }

    /// Spans end with what they are of, or when they are long enough.
    fn close(&mut self, now_ms: u64, held: &Held) {
        let closed = &mut self.closed;
        self.open.retain(|of, open| {
            let goes_on = held.contains_key(of) && now_ms - open.from_ms < SPAN_MS;
            if !goes_on {
                closed.push(open.span(*of, now_ms));
            }
            goes_on
        });
        let many = closed.len().saturating_sub(UNTOLD_MAX);
        closed.drain(..many);
    }

    /// What is to be told now: what is over, and now and then what goes on.
    pub fn take(&mut self) -> Vec<UsageSpan> {
        let mut spans = std::mem::take(&mut self.closed);
        if self.at_ms >= self.told_ms + TELL_MS {
            self.told_ms = self.at_ms;
            spans.extend(self.open.iter().map(|(of, open)| open.span(*of, self.at_ms)));
        }
        spans.retain(|span| span.to_ms > span.from_ms);
        spans
    }

    /// What was taken could not be told. Spans that go on are told again by themselves.
    pub fn give_back(&mut self, spans: Vec<UsageSpan>) {
        let is_over = |span: &UsageSpan| {
            self.open.get(&span.of).is_none_or(|open| open.from_ms != span.from_ms)
        };
        let over: Vec<UsageSpan> = spans.into_iter().filter(is_over).collect();
        self.closed.splice(..0, over);
    }
}

impl Open {
    /// From now on it holds these, and no others.
    fn hold(&mut self, gpus: &BTreeMap<u32, u64>, busy: impl Fn(u32) -> Busy) {
        for (gpu, open) in &mut self.gpus {
            open.milli = gpus.get(gpu).copied().unwrap_or_default();
        }
        for (gpu, milli) in gpus {
            let new = || OpenGpu { milli: *milli, held: 0, active: Some(0), busy: busy(*gpu) };
            self.gpus.entry(*gpu).or_insert_with(new);
        }
    }

    fn span(&self, of: Running, to_ms: u64) -> UsageSpan {
        let gpus = self.gpus.iter().map(|(gpu, open)| open.span(*gpu)).collect();
        UsageSpan { of, from_ms: self.from_ms, to_ms, gpus }
    }
}

impl OpenGpu {
    fn pass(&mut self, passed_ms: u64) {
        let held = u128::from(self.milli) * u128::from(passed_ms);
        self.held += held;
        if held > 0 {
            let added = self.busy.map(|busy| held * u128::from(busy.min(1000)) / 1000);
            self.active = self.active.zip(added).map(|(sum, added)| sum + added);
        }
    }

    fn span(&self, gpu: u32) -> GpuSpan {
        let whole = |sum: u128| u64::try_from(sum / 1000).unwrap_or(u64::MAX);
        let (held_gpu_ms, active_gpu_ms) = (whole(self.held), self.active.map(whole));
        GpuSpan { gpu, held_gpu_ms, active_gpu_ms }
    }
}

#[cfg(test)]
mod tests {
    use muster_engine::action::SharePlace;
    use muster_model::{Attempt, GpuSet, Isolation, JobId, Mib, MilliGpu};
    use proptest::prelude::*;

    use super::*;

    fn of(job: u64) -> Running {
        Running { job: JobId(job), attempt: Attempt(1) }
    }

    fn place(gpus: u64) -> TaskPlace {
        TaskPlace { group: 0, rank: 0, gpus: GpuSet(gpus), share: None }
    }

    /// Half busy, all of them.
    fn half(_: Running, _: u32) -> Busy {
        Some(500)
    }

    #[test]
    fn an_attempt_is_told_once_it_is_over_with_all_it_held_and_half_of_it_busy() {
        let mut meter = Meter::default();
        meter.observe(1000, [(of(7), place(0b11))].into_iter(), half);
        meter.observe(5000, [(of(7), place(0b11))].into_iter(), half);
        meter.take();
        meter.observe(6000, std::iter::empty(), half);
        let spans = meter.take();
        assert_eq!(spans.len(), 1, "{spans:?}");
        assert_eq!((spans[0].from_ms, spans[0].to_ms), (1000, 6000));
        let of_gpu = |gpu| GpuSpan { gpu, held_gpu_ms: 5000, active_gpu_ms: Some(2500) };
        assert_eq!(spans[0].gpus, [of_gpu(0), of_gpu(1)]);
        assert_eq!((spans[0].held_gpu_ms(), spans[0].active_gpu_ms()), (10_000, Some(5000)));
        assert_eq!(meter.take(), [], "it is told once");
    }

    #[test]
    fn a_share_counts_for_its_part() {
        let (mode, memory) = (Isolation::Soft, Mib(1000));
        let share = Some(SharePlace { mode, milli: MilliGpu(250), memory, mig: None });
        let shared = TaskPlace { share, ..place(0b1) };
        let mut meter = Meter::default();
        meter.observe(0, [(of(7), shared)].into_iter(), half);
        meter.observe(8000, std::iter::empty(), half);
        assert_eq!(meter.take()[0].held_gpu_ms(), 2000);
    }

    #[test]
    fn each_gpu_is_told_by_itself_for_as_long_as_it_was_held() {
        let mut meter = Meter::default();
        let one_is_idle = |_: Running, gpu: u32| (gpu < 3).then_some(400 * (gpu % 2));
        meter.observe(0, [(of(7), place(0b0011))].into_iter(), one_is_idle);
        // It gives up one and gets two others, one of which nobody can read.
        meter.observe(1000, [(of(7), place(0b1110))].into_iter(), one_is_idle);
        meter.observe(3000, std::iter::empty(), one_is_idle);
        let told: Vec<(u32, u64, Option<u64>)> = meter.take()[0]
            .gpus
            .iter()
            .map(|gpu| (gpu.gpu, gpu.held_gpu_ms, gpu.active_gpu_ms))
            .collect();
        let expected =
            [(0, 1000, Some(0)), (1, 3000, Some(1200)), (2, 2000, Some(0)), (3, 2000, None)];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_nobody_can_measure_is_not_called_idle() {
        let mut meter = Meter::default();
        for second in 0..3 {
            meter.observe(second * 1000, [(of(7), place(1))].into_iter(), |_, _| None);
        }
        meter.observe(3000, std::iter::empty(), |_, _| None);
        assert_eq!(meter.take()[0].active_gpu_ms(), None);
    }

    #[test]
    fn long_attempts_are_told_span_by_span_and_now_and_then_in_between() {
        let mut meter = Meter::default();
        let mut told: BTreeMap<u64, UsageSpan> = BTreeMap::new();
        for step in 0..=200 {
            meter.observe(step * READ_MS, [(of(7), place(1))].into_iter(), half);
            told.extend(meter.take().into_iter().map(|span| (span.from_ms, span)));
        }
        meter.observe(200 * READ_MS, std::iter::empty(), half);
        told.extend(meter.take().into_iter().map(|span| (span.from_ms, span)));
        assert_eq!(told.len(), 7, "2,000 seconds in spans of 300");
        assert_eq!(told.values().map(UsageSpan::held_gpu_ms).sum::<u64>(), 2_000_000);
    }

    #[test]
    fn what_could_not_be_told_is_told_later_and_no_more_is_kept_than_fits() {
        let mut meter = Meter::default();
        meter.observe(0, [(of(7), place(1))].into_iter(), half);
        meter.observe(1000, std::iter::empty(), half);
        let spans = meter.take();
        meter.give_back(spans.clone());
        assert_eq!(meter.take(), spans);
        for job in 0..10_000 {
            meter.observe(job * 2, [(of(job), place(1))].into_iter(), half);
        }
        assert!(meter.take().len() <= UNTOLD_MAX + 1);
    }

    proptest! {
        /// However attempts come and go, no more is held than there are GPUs, no more is busy than
        /// is held, and spans of an attempt follow each other without a gap.
        #[test]
        fn held_time_is_the_time_that_passed(
            steps in prop::collection::vec((1u64..100_000, 0u64..3), 1..60),
        ) {
            let mut meter = Meter::default();
            let (mut now, mut expected, mut holds) = (0, 0, false);
            let mut told: BTreeMap<(Running, u64), UsageSpan> = BTreeMap::new();
            for (passed, gpus) in steps {
                now += passed;
                expected += if holds { passed } else { 0 };
                holds = gpus > 0;
                let held = holds.then(|| (of(1), place(1)));
                meter.observe(now, held.into_iter(), |_, _| Some(1000));
                told.extend(meter.take().into_iter().map(|span| ((span.of, span.from_ms), span)));
            }
            meter.observe(now, std::iter::empty(), |_, _| Some(1000));
            told.extend(meter.take().into_iter().map(|span| ((span.of, span.from_ms), span)));
            prop_assert_eq!(told.values().map(UsageSpan::held_gpu_ms).sum::<u64>(), expected);
            for span in told.values() {
                prop_assert_eq!(span.held_gpu_ms(), span.to_ms - span.from_ms);
                prop_assert!(span.active_gpu_ms().unwrap() <= span.held_gpu_ms());
            }
        }
    }
}
