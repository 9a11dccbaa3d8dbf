//! How busy jobs kept their GPUs lately, by the agents' latest word. It is for people who look: it
//! is not journaled, no decision follows from it, and a restart begins without it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use muster_api::usage::{GpuSpan, UsageSpan, thousandths};
use muster_engine::command::Running;
use muster_model::{JobId, NodeId, Time};

/// After so long without a word nothing is said any more.
const STALE_MS: u64 = 5 * 60_000;

/// When the readings that are stale are looked for.
const SWEEP_MS: u64 = 60_000;

/// The latest readings.
#[derive(Debug, Default)]
pub(crate) struct Activity(Mutex<Readings>);

#[derive(Debug, Default)]
struct Readings {
    by_job: HashMap<(JobId, NodeId), Reading>,
    swept: Time,
}

#[derive(Clone, Debug)]
struct Reading {
    /// The span as it was told last: of one that goes on, only what is new counts.
    span: UsageSpan,
    /// How busy all its GPUs were together, in thousandths.
    busy: Option<u32>,
    /// The same for each.
    by_gpu: Vec<(u32, Option<u32>)>,
    at: Time,
    /// Since when it has been less busy than its rule asks for, in milliseconds since 1970.
    quiet_ms: Option<u64>,
}

/// How much a job computes, by the rule it is under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pulse {
    /// Nobody measured it lately.
    Unknown,
    /// More than the rule asks for.
    Busy,
    /// Less, since that time in milliseconds since 1970.
    Quiet(u64),
}

impl Activity {
    /// A node has told what was used on it. `below` says how busy a job has to be, in thousandths,
    /// where there is a rule.
    pub(crate) fn hear(
        &self,
        now: Time,
        node: NodeId,
        spans: &[UsageSpan],
        below: impl Fn(JobId) -> Option<u32>,
    ) {
        let mut readings = self.lock();
        for span in spans {
            let key = (span.of.job, node);
            let before = readings
                .by_job
                .get(&key)
                .filter(|before| before.span.of == span.of && before.span.from_ms == span.from_ms);
            let Some(busy) = lately(Sums::of(span), before.map(|before| Sums::of(&before.span)))
            else {
                continue;
            };
            let by_gpu = by_gpu(span, before);
            let is_quiet = busy.zip(below(span.of.job)).is_some_and(|(busy, below)| busy < below);
            // A new span of the same attempt goes on where the one before ended.
            let earlier = readings.by_job.get(&key).filter(|earlier| earlier.span.of == span.of);
            let earlier = earlier.and_then(|earlier| earlier.quiet_ms);
            let quiet_ms = is_quiet.then(|| earlier.unwrap_or(begun(span, before)));
            let reading = Reading { span: span.clone(), busy, by_gpu, at: now, quiet_ms };
            readings.by_job.insert(key, reading);
        }
        if now.since(readings.swept).0 >= SWEEP_MS {
            readings.swept = now;
            readings.by_job.retain(|_, reading| now.since(reading.at).0 < STALE_MS);
        }
    }

    /// Thousandths of its time that a job's GPUs of a node were busy, if somebody measured it.
    pub(crate) fn busy(&self, now: Time, job: JobId, node: NodeId) -> Option<u32> {
        self.lock().fresh(now, job, node)?.busy
    }

    /// All readings as they are now, for who asks for many: nobody is heard meanwhile.
    pub(crate) fn look(&self, now: Time) -> Look<'_> {
        Look { readings: self.lock(), now }
    }

    /// How much an attempt computes on a node.
    pub(crate) fn pulse(&self, now: Time, of: Running, node: NodeId) -> Pulse {
        let readings = self.lock();
        let reading = readings.fresh(now, of.job, node).filter(|reading| reading.span.of == of);
        match reading.map(|reading| (reading.busy, reading.quiet_ms)) {
            None | Some((None, _)) => Pulse::Unknown,
            Some((Some(_), None)) => Pulse::Busy,
            Some((Some(_), Some(since))) => Pulse::Quiet(since),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Readings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A look at all readings.
pub(crate) struct Look<'a> {
    readings: MutexGuard<'a, Readings>,
    now: Time,
}

impl Look<'_> {
    /// How busy a job kept each of its GPUs of a node, in thousandths where somebody measured it.
    pub(crate) fn by_gpu(&self, job: JobId, node: NodeId) -> &[(u32, Option<u32>)] {
        self.readings.fresh(self.now, job, node).map_or(&[], |reading| &reading.by_gpu)
    }
}

impl Readings {
    /// The latest of a job on a node, if that is not long ago.
    fn fresh(&self, now: Time, job: JobId, node: NodeId) -> Option<&Reading> {
        let reading = self.by_job.get(&(job, node))?;
        (now.since(reading.at).0 < STALE_MS).then_some(reading)
    }
}

/// When what is new of a span began.
fn begun(span: &UsageSpan, before: Option<&Reading>) -> u64 {
    before.map_or(span.from_ms, |before| before.span.to_ms)
}

/// GPU-milliseconds held, and of those busy, of one GPU or of all of a span.
#[derive(Clone, Copy)]
struct Sums {
    held: u64,
    active: Option<u64>,
}

impl Sums {
    fn of(span: &UsageSpan) -> Sums {
        Sums { held: span.held_gpu_ms(), active: span.active_gpu_ms() }
    }
}

/// How busy it was since it was told before; nothing if that says nothing new.
fn lately(now: Sums, before: Option<Sums>) -> Option<Option<u32>> {
    let before = before.unwrap_or(Sums { held: 0, active: Some(0) });
    let new = now.held.checked_sub(before.held).filter(|new| *new > 0)?;
    let busy = now.active.zip(before.active).map(|(now, before)| now.saturating_sub(before));
    Some(busy.and_then(|busy| thousandths(busy, new)))
}

/// The same for each GPU that is still held.
fn by_gpu(span: &UsageSpan, before: Option<&Reading>) -> Vec<(u32, Option<u32>)> {
    let sums = |of: &GpuSpan| Sums { held: of.held_gpu_ms, active: of.active_gpu_ms };
    let reading = |of: &GpuSpan| {
        let before = before.and_then(|it| it.span.gpus.iter().find(|known| known.gpu == of.gpu));
        Some((of.gpu, lately(sums(of), before.map(sums))?))
    };
    span.gpus.iter().filter_map(reading).collect()
}

#[cfg(test)]
mod tests {
    use muster_model::Attempt;

    use super::*;

    const NODE: NodeId = NodeId(3);

    fn span(from_ms: u64, held_gpu_ms: u64, active_gpu_ms: Option<u64>) -> UsageSpan {
        let of = Running { job: JobId(7), attempt: Attempt(1) };
        let gpus = vec![GpuSpan { gpu: 0, held_gpu_ms, active_gpu_ms }];
        UsageSpan { of, from_ms, to_ms: from_ms + held_gpu_ms, gpus }
    }

    /// No rule.
    fn none(_: JobId) -> Option<u32> {
        None
    }

    #[test]
    fn who_is_quiet_is_so_since_the_first_reading_below_and_until_one_above() {
        let activity = Activity::default();
        let of = span(0, 0, None).of;
        let rule = |_: JobId| Some(100);
        let table = [
            (span(0, 60_000, Some(30_000)), Pulse::Busy),
            (span(0, 120_000, Some(31_000)), Pulse::Quiet(60_000)),
            (span(120_000, 60_000, Some(5_000)), Pulse::Quiet(60_000)),
            (span(180_000, 60_000, Some(6_000)), Pulse::Busy),
            (span(180_000, 90_000, Some(6_100)), Pulse::Quiet(240_000)),
            (span(270_000, 60_000, None), Pulse::Unknown),
            (span(330_000, 60_000, Some(0)), Pulse::Quiet(330_000)),
        ];
        for (span, expected) in table {
            let now = Time(span.to_ms);
            activity.hear(now, NODE, &[span], rule);
            assert_eq!(activity.pulse(now, of, NODE), expected, "{now:?}");
        }
        let later = Running { attempt: Attempt(2), ..of };
        assert_eq!(activity.pulse(Time(390_000), later, NODE), Pulse::Unknown);
        assert_eq!(activity.pulse(Time(390_000 + STALE_MS), of, NODE), Pulse::Unknown);
    }

    #[test]
    fn of_a_span_that_goes_on_only_what_is_new_counts() {
        let activity = Activity::default();
        activity.hear(Time(60_000), NODE, &[span(0, 60_000, Some(60_000))], none);
        assert_eq!(activity.busy(Time(60_000), JobId(7), NODE), Some(1000));
        activity.hear(Time(120_000), NODE, &[span(0, 120_000, Some(75_000))], none);
        assert_eq!(activity.busy(Time(120_000), JobId(7), NODE), Some(250));
        activity.hear(Time(180_000), NODE, &[span(120_000, 60_000, Some(0))], none);
        assert_eq!(activity.busy(Time(180_000), JobId(7), NODE), Some(0), "a new span");
    }

    #[test]
    fn each_gpu_has_a_figure_of_its_own_for_as_long_as_it_is_held() {
        let activity = Activity::default();
        let told = |to_ms, gpus: &[(u32, u64, Option<u64>)]| {
            let gpu =
                |(gpu, held_gpu_ms, active_gpu_ms)| GpuSpan { gpu, held_gpu_ms, active_gpu_ms };
            let gpus = gpus.iter().copied().map(gpu).collect();
            UsageSpan { to_ms, gpus, ..span(0, 0, None) }
        };
        let look = |now| activity.look(Time(now)).by_gpu(JobId(7), NODE).to_vec();
        let first = told(100, &[(0, 100, Some(100)), (1, 100, Some(50))]);
        activity.hear(Time(100), NODE, &[first], none);
        assert_eq!(look(100), [(0, Some(1000)), (1, Some(500))]);
        let then = told(200, &[(0, 200, Some(110)), (1, 100, Some(50)), (2, 100, None)]);
        activity.hear(Time(200), NODE, &[then], none);
        assert_eq!(look(200), [(0, Some(100)), (2, None)], "one was given up, one cannot be read");
        assert_eq!(look(200 + STALE_MS), [], "nobody told of it lately");
    }

    #[test]
    fn what_nobody_measured_or_nobody_told_of_lately_is_not_said() {
        let activity = Activity::default();
        activity.hear(Time(60_000), NODE, &[span(0, 60_000, None)], none);
        assert_eq!(activity.busy(Time(60_000), JobId(7), NODE), None);
        activity.hear(Time(120_000), NODE, &[span(60_000, 60_000, Some(30_000))], none);
        assert_eq!(activity.busy(Time(120_000), JobId(7), NODE), Some(500));
        assert_eq!(activity.busy(Time(120_000 + STALE_MS), JobId(7), NODE), None);
        assert_eq!(activity.busy(Time(120_000), JobId(8), NODE), None);
    }

    #[test]
    fn readings_of_jobs_that_are_gone_are_let_go() {
        let activity = Activity::default();
        activity.hear(Time(60_000), NODE, &[span(0, 60_000, Some(1))], none);
        activity.hear(Time(60_000 + STALE_MS), NODE, &[], none);
        assert!(activity.lock().by_job.is_empty());
    }
}
