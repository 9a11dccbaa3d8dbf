//! How busy jobs kept their GPUs lately, by the agents' latest word. It is for people who look: it
//! is not journaled, no decision follows from it, and a restart begins without it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use muster_api::usage::UsageSpan;
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
}

impl Activity {
    /// A node has told what was used on it.
    pub(crate) fn hear(&self, now: Time, node: NodeId, spans: &[UsageSpan]) {
        let mut readings = self.lock();
        for span in spans {
            let key = (span.of.job, node);
            let before = readings
                .by_job
                .get(&key)
                .filter(|before| before.span.of == span.of && before.span.from_ms == span.from_ms);
            let Some(busy) = lately(span, before) else { continue };
            readings.by_job.insert(key, Reading { span: *span, busy, at: now });
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

    fn lock(&self) -> MutexGuard<'_, Readings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    use muster_engine::command::Running;
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

    #[test]
    fn of_a_span_that_goes_on_only_what_is_new_counts() {
        let activity = Activity::default();
        activity.hear(Time(60_000), NODE, &[span(0, 60_000, Some(60_000))]);
        assert_eq!(activity.busy(Time(60_000), JobId(7), NODE), Some(1000));
        activity.hear(Time(120_000), NODE, &[span(0, 120_000, Some(75_000))]);
        assert_eq!(activity.busy(Time(120_000), JobId(7), NODE), Some(250));
        activity.hear(Time(180_000), NODE, &[span(120_000, 60_000, Some(0))]);
        assert_eq!(activity.busy(Time(180_000), JobId(7), NODE), Some(0), "a new span");
    }

    #[test]
    fn what_nobody_measured_or_nobody_told_of_lately_is_not_said() {
        let activity = Activity::default();
        activity.hear(Time(60_000), NODE, &[span(0, 60_000, None)]);
        assert_eq!(activity.busy(Time(60_000), JobId(7), NODE), None);
        activity.hear(Time(120_000), NODE, &[span(60_000, 60_000, Some(30_000))]);
        assert_eq!(activity.busy(Time(120_000), JobId(7), NODE), Some(500));
        assert_eq!(activity.busy(Time(120_000 + STALE_MS), JobId(7), NODE), None);
        assert_eq!(activity.busy(Time(120_000), JobId(8), NODE), None);
    }

    #[test]
    fn readings_of_jobs_that_are_gone_are_let_go() {
        let activity = Activity::default();
        activity.hear(Time(60_000), NODE, &[span(0, 60_000, Some(1))]);
        activity.hear(Time(60_000 + STALE_MS), NODE, &[]);
        assert!(activity.lock().by_job.is_empty());
    }
}
