//! The time of a job and the costs of interrupting it: spans in range and in order.

use crate::bound::{MEMORY_MAX, SPAN_MAX, TIME_MAX};
use crate::checkpoint::Checkpoint;
use crate::error::Invalid;
use crate::field::Field;
use crate::problems::Problems;
use crate::timing::{Estimate, Timing};
use crate::unit::{Mib, Millis, Time};

/// Signals as Linux numbers them.
const SIGNALS: std::ops::RangeInclusive<u8> = 1..=64;

/// The shortest span that is one.
const SPAN_MIN: Millis = Millis(1);

/// Everything wrong with the time of a job in a cluster where no attempt runs beyond `limit_max`.
pub(super) fn check(
    timing: &Timing,
    field: &Field<'_>,
    limit_max: Millis,
    problems: &mut Problems,
) {
    if let Some(limit) = timing.limit {
        problems.range(&field.field("limit"), limit, SPAN_MIN..=limit_max);
    }
    if let Some(least) = timing.limit_min {
        let most = timing.limit.unwrap_or(limit_max);
        problems.range(&field.field("limit_min"), least, SPAN_MIN..=most);
    }
    if let Some(estimate) = timing.estimate {
        check_estimate(estimate, &field.field("estimate"), problems);
    }
    check_moment(timing.begin, &field.field("begin"), problems);
    check_moment(timing.deadline, &field.field("deadline"), problems);
    if let (Some(begin), Some(deadline)) = (timing.begin, timing.deadline)
        && deadline <= begin
    {
        let allowed = format!("expected a moment after begin, which is {}", begin.0);
        let at = field.field("deadline").to_string();
        problems.add(Invalid::new(at, deadline.0.to_string(), allowed));
    }
    let is_by_deadline = !timing.drop_late || timing.deadline.is_some();
    let allowed = "expected false without a deadline";
    problems.holds(is_by_deadline, &field.field("drop_late"), || "true".to_owned(), allowed);
    if let Some(warning) = timing.warning {
        let at = field.field("warning");
        problems.range(&at.field("signal"), warning.signal, SIGNALS);
        let limit = timing.limit.unwrap_or(limit_max);
        if warning.before >= limit {
            let allowed = format!("expected less than the limit, which is {limit}");
            let before = at.field("before").to_string();
            problems.add(Invalid::new(before, warning.before.to_string(), allowed));
        }
    }
}

fn check_estimate(estimate: Estimate, field: &Field<'_>, problems: &mut Problems) {
    let Estimate { median, p90 } = estimate;
    let in_range = problems.range(&field.field("median"), median, SPAN_MIN..=SPAN_MAX)
        & problems.range(&field.field("p90"), p90, SPAN_MIN..=SPAN_MAX);
    if in_range && median > p90 {
        let allowed = format!("expected the median, which is {median}, or more");
        problems.add(Invalid::new(field.field("p90").to_string(), p90.to_string(), allowed));
    }
}

fn check_moment(moment: Option<Time>, field: &Field<'_>, problems: &mut Problems) {
    let Some(moment) = moment else { return };
    let allowed = "expected milliseconds since 1970 up to the year 9999";
    problems.holds(moment <= TIME_MAX, field, || moment.0.to_string(), allowed);
}

/// Everything wrong with how a job may be interrupted.
pub(super) fn check_checkpoint(
    checkpoint: &Checkpoint,
    field: &Field<'_>,
    problems: &mut Problems,
) {
    let rungs = field.field("rungs");
    for (index, cost) in checkpoint.rungs.iter().enumerate() {
        let at = rungs.at(index);
        problems.range(&at.field("save"), cost.save, Millis::ZERO..=SPAN_MAX);
        problems.range(&at.field("restore"), cost.restore, Millis::ZERO..=SPAN_MAX);
    }
    let disorder = checkpoint.rungs.windows(2).position(|pair| pair[0].rung >= pair[1].rung);
    if let Some(position) = disorder {
        let (one, next) = (&checkpoint.rungs[position], &checkpoint.rungs[position + 1]);
        let value = format!("{} after {}", next.rung, one.rung);
        let allowed = "expected each rung once, in the order freeze, suspend, checkpoint, requeue";
        let at = rungs.at(position + 1).field("rung").to_string();
        problems.add(Invalid::new(at, value, allowed));
    }
    if let Some(every) = checkpoint.every {
        problems.range(&field.field("every"), every, SPAN_MIN..=SPAN_MAX);
    }
    if let Some(state) = checkpoint.state {
        problems.range(&field.field("state"), state, Mib::ZERO..=MEMORY_MAX);
    }
}
