//! What each attempt holds of the node and how much of that is busy, summed up over spans of time.
//! Pure: the time, the holdings and the readings are given.

use std::collections::BTreeMap;

use muster_api::usage::UsageSpan;
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

/// A span that goes on. Sums are in thousandths of what a span says, so that no rounding adds up.
#[derive(Clone, Debug)]
struct Open {
    from_ms: u64,
    gpus_milli: u64,
    held: u128,
    active: Option<u128>,
    /// The last reading of its GPUs, in millionths of a GPU: all there is to go by for the moment
    /// in which it ends.
    busy: Option<u64>,
}

impl Meter {
    /// What attempts held since the last call is added to their spans; then these are what they
    /// hold. `busy` is asked for each GPU and attempt.
    pub fn observe(
        &mut self,
        now_ms: u64,
        holding: impl Iterator<Item = (Running, TaskPlace)>,
        busy: impl Fn(Running, u32) -> Busy,
    ) {
        let mut held: BTreeMap<Running, (u64, Option<u64>)> = BTreeMap::new();
        for (of, place) in holding {
            let milli = place.share.map_or(1000, |share| share.milli.0);
            let (gpus, active) = held.entry(of).or_insert((0, Some(0)));
            for gpu in place.gpus.iter() {
                *gpus += milli;
                // A thousandth of a thousandth of a GPU is busy or not.
                let part = busy(of, gpu).map(|busy| milli * u64::from(busy.min(1000)));
                *active = active.zip(part).map(|(all, part)| all + part);
            }
        }
        let passed = u128::from(now_ms.saturating_sub(self.at_ms));
        self.at_ms = now_ms;
        for (of, open) in &mut self.open {
            open.held += u128::from(open.gpus_milli) * passed;
            open.busy = held.get(of).map_or(open.busy, |(_, busy)| *busy);
            let added = open.busy.map(|busy| u128::from(busy) * passed / 1000);
            open.active = open.active.zip(added).map(|(sum, added)| sum + added);
            // Who lost GPUs since was busy on no more than it held.
            open.active = open.active.map(|active| active.min(open.held));
        }
        self.close(now_ms, &held);
        for (of, (gpus_milli, busy)) in held.into_iter().filter(|(_, (gpus, _))| *gpus > 0) {
            let new = Open { from_ms: now_ms, gpus_milli, held: 0, active: Some(0), busy };
            self.open.entry(of).or_insert(new).gpus_milli = gpus_milli;
        }
    }

    /// Spans end with what they are of, or when they are long enough.
    fn close(&mut self, now_ms: u64, held: &BTreeMap<Running, (u64, Option<u64>)>) {
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
    fn span(&self, of: Running, to_ms: u64) -> UsageSpan {
        let whole = |sum: u128| u64::try_from(sum / 1000).unwrap_or(u64::MAX);
        UsageSpan {
            of,
            from_ms: self.from_ms,
            to_ms,
            gpus_milli: self.gpus_milli,
            held_gpu_ms: whole(self.held),
            active_gpu_ms: self.active.map(whole),
        }
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
        let UsageSpan { from_ms, to_ms, gpus_milli, held_gpu_ms, active_gpu_ms, .. } = spans[0];
        assert_eq!((from_ms, to_ms, gpus_milli), (1000, 6000, 2000));
        assert_eq!((held_gpu_ms, active_gpu_ms), (10_000, Some(5000)));
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
        assert_eq!(meter.take()[0].held_gpu_ms, 2000);
    }

    #[test]
    fn what_nobody_can_measure_is_not_called_idle() {
        let mut meter = Meter::default();
        for second in 0..3 {
            meter.observe(second * 1000, [(of(7), place(1))].into_iter(), |_, _| None);
        }
        meter.observe(3000, std::iter::empty(), |_, _| None);
        assert_eq!(meter.take()[0].active_gpu_ms, None);
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
        assert_eq!(told.values().map(|span| span.held_gpu_ms).sum::<u64>(), 2_000_000);
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
            prop_assert_eq!(told.values().map(|span| span.held_gpu_ms).sum::<u64>(), expected);
            for span in told.values() {
                prop_assert_eq!(span.held_gpu_ms, span.to_ms - span.from_ms);
                prop_assert!(span.active_gpu_ms.unwrap() <= span.held_gpu_ms);
            }
        }
    }
}
