//! How busy jobs kept their GPUs lately, by the agents' latest word. It is for people who look: it
//! is not journaled, no decision follows from it, and a restart begins without it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use muster_api::usage::UsageSpan;
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

#[derive(Clone, Copy, Debug)]
struct Reading {
    /// The span as it was told last: of one that goes on, only what is new counts.
    span: UsageSpan,
    busy: Option<u32>,
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
            let Some(busy) = lately(span, before) else { continue };
            let is_quiet = busy.zip(below(span.of.job)).is_some_and(|(busy, below)| busy < below);
            // A new span of the same attempt goes on where the one before ended.
            let earlier = readings.by_job.get(&key).filter(|earlier| earlier.span.of == span.of);
            let earlier = earlier.and_then(|earlier| earlier.quiet_ms);
            let quiet_ms = is_quiet.then(|| earlier.unwrap_or(begun(span, before)));
            readings.by_job.insert(key, Reading { span: *span, busy, at: now, quiet_ms });
        }
        if now.since(readings.swept).0 >= SWEEP_MS {
            readings.swept = now;
            readings.by_job.retain(|_, reading| now.since(reading.at).0 < STALE_MS);
        }
    }

    /// Thousandths of its time that a job's GPUs of a node were busy, if somebody measured it.
    pub(crate) fn busy(&self, now: Time, job: JobId, node: NodeId) -> Option<u32> {
        let readings = self.lock();
        let reading = readings.by_job.get(&(job, node))?;
        (now.since(reading.at).0 < STALE_MS).then_some(reading.busy)?
    }

    /// How much an attempt computes on a node.
    pub(crate) fn pulse(&self, now: Time, of: Running, node: NodeId) -> Pulse {
        let readings = self.lock();
        let reading = readings.by_job.get(&(of.job, node));
        let reading = reading.filter(|it| it.span.of == of && now.since(it.at).0 < STALE_MS);
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

/// When what is new of a span began.
fn begun(span: &UsageSpan, before: Option<&Reading>) -> u64 {
    before.map_or(span.from_ms, |before| before.span.to_ms)
}

/// How busy the span was since it was told before; nothing if it says nothing new.
fn lately(span: &UsageSpan, before: Option<&Reading>) -> Option<Option<u32>> {
    let known = before.map(|before| (before.span.held_gpu_ms, before.span.active_gpu_ms));
    let (held, active) = known.unwrap_or((0, Some(0)));
    let new = span.held_gpu_ms.checked_sub(held).filter(|new| *new > 0)?;
    let busy = span.active_gpu_ms.zip(active).map(|(now, before)| now.saturating_sub(before));
    Some(busy.map(|busy| u32::try_from(busy.min(new) * 1000 / new).unwrap_or(1000)))
}

#[cfg(test)]
mod tests {
    use muster_model::Attempt;

    use super::*;

    const NODE: NodeId = NodeId(3);

    fn span(from_ms: u64, held_gpu_ms: u64, active_gpu_ms: Option<u64>) -> UsageSpan {
        let of = Running { job: JobId(7), attempt: Attempt(1) };
        UsageSpan {
            of,
            from_ms,
            to_ms: from_ms + held_gpu_ms,
            gpus_milli: 1000,
            held_gpu_ms,
            active_gpu_ms,
        }
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
            assert_eq!(activity.pulse(now, of, NODE), expected, "{span:?}");
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
