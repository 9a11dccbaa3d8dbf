//! How much work an attempt has done and has left, in run time at its fewest tasks.

use muster_model::{Millis, Time};

use crate::elastic::size::{self, Range};
use crate::elastic::speed;
use crate::snapshot::RunRecord;
use crate::state::job::Job;

/// The work that a span at a size comes to.
fn worked_in(job: &Job, range: &Range, tasks: u32, span: Millis) -> Millis {
    scale(span, speed::speed(job, range, tasks), speed::speed(job, range, range.min))
}

/// How long some work takes at a size.
pub(crate) fn time_at(job: &Job, range: &Range, tasks: u32, work: Millis) -> Millis {
    scale(work, speed::speed(job, range, range.min), speed::speed(job, range, tasks))
}

fn scale(span: Millis, by: u64, of: u64) -> Millis {
    let scaled = u128::from(span.0) * u128::from(by) / u128::from(of.max(1));
    Millis(u64::try_from(scaled).unwrap_or(u64::MAX))
}

/// Work done by the current attempt.
pub(crate) fn done(job: &Job, run: &RunRecord, now: Time) -> Millis {
    let Some(elastic) = &run.elastic else {
        return job.computed(now);
    };
    let (Some(range), Some(counted)) = (size::range(job), elastic.counted) else {
        return elastic.worked;
    };
    elastic.worked + worked_in(job, &range, size::computing(job), now.since(counted))
}

/// Counts the work so far, because the size that computes is about to change.
pub(crate) fn count(job: &mut Job, now: Time) {
    let run = job.record.run.as_ref().expect("only a placed job works");
    let worked = done(job, run, now);
    let run = job.record.run.as_mut().expect("only a placed job works");
    let elastic = size::of_run_mut(run);
    elastic.worked = worked;
    elastic.counted = Some(now);
}

/// An attempt computes from now on.
pub(crate) fn go_on(job: &mut Job, now: Time) {
    if let Some(elastic) = job.record.run.as_mut().and_then(|run| run.elastic.as_mut()) {
        elastic.counted = Some(now);
    }
}

/// An attempt does not compute any more for a while.
pub(crate) fn stand_still(job: &mut Job, now: Time) {
    if job.record.run.as_ref().is_some_and(|run| run.elastic.is_some()) {
        count(job, now);
        let run = job.record.run.as_mut().expect("it was just there");
        size::of_run_mut(run).counted = None;
    }
}

/// The work an attempt probably has left. A job that outruns its prediction is expected to go on
/// for a part of what it has run: what has lasted lasts.
pub(crate) fn left(job: &Job, run: &RunRecord, now: Time, default: Millis) -> Millis {
    let done = done(job, run, now);
    let told = job.record.learned.as_ref().and_then(|learned| learned.work);
    let all = told.or(job.record.estimate.map(|estimate| estimate.median)).unwrap_or(default);
    if done < all { all.saturating_sub(done) } else { Millis((done.0 / 2).max(1)) }
}
