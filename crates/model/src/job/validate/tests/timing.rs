//! Limits, estimates, moments, warnings and the checkpoint contract.

use super::{check, cluster, gang};
use crate::bound::{SPAN_MAX, TIME_MAX};
use crate::checkpoint::Rung;
use crate::job::JobSpec;
use crate::unit::{Millis, Time};

const MINUTE: Millis = Millis::minutes(1);
const HOUR: Millis = Millis::hours(1);

fn every(every: Millis) -> JobSpec {
    let mut job = gang();
    job.checkpoint.every = Some(every);
    job
}

#[test]
fn good_times_are_accepted() {
    let jobs = [
        gang().limit(Millis(1)),
        gang().limit(Millis::days(30)),
        gang().estimate(Millis(1), Millis(1)),
        gang().begin(Time(5)).deadline(Time(6)),
        gang().deadline(TIME_MAX),
        gang().limit(HOUR).warning(64, MINUTE),
        gang().warning(1, Millis::ZERO),
        gang().rung(Rung::Freeze, Millis::ZERO, Millis::ZERO).rung(Rung::Requeue, MINUTE, HOUR),
        every(HOUR),
    ];
    for job in jobs {
        assert_eq!(job.validate(&cluster()), Ok(()), "{job:?}");
    }
}

#[test]
fn bad_limits_and_estimates_are_refused() {
    check([
        (gang().limit(Millis::ZERO), "timing.limit: 0s is not allowed; expected 1ms to 30d"),
        (gang().limit(Millis::days(31)), "timing.limit: 31d is not allowed; expected 1ms to 30d"),
        (
            gang().estimate(Millis::ZERO, HOUR),
            "timing.estimate.median: 0s is not allowed; expected 1ms to 3650d",
        ),
        (
            gang().estimate(HOUR, SPAN_MAX + Millis(1)),
            "timing.estimate.p90: 3650d1ms is not allowed; expected 1ms to 3650d",
        ),
        (
            gang().estimate(HOUR, MINUTE),
            "timing.estimate.p90: 1m is not allowed; expected the median, which is 1h, or more",
        ),
    ]);
}

#[test]
fn bad_moments_are_refused() {
    check([
        (
            gang().begin(Time(TIME_MAX.0 + 1)),
            "timing.begin: 253402300800000 is not allowed; expected milliseconds since 1970 up to \
             the year 9999",
        ),
        (
            gang().deadline(Time(u64::MAX)),
            "timing.deadline: 18446744073709551615 is not allowed; expected milliseconds since \
             1970 up to the year 9999",
        ),
        (
            gang().begin(Time(5)).deadline(Time(5)),
            "timing.deadline: 5 is not allowed; expected a moment after begin, which is 5",
        ),
    ]);
}

#[test]
fn bad_warnings_are_refused() {
    check([
        (gang().warning(0, MINUTE), "timing.warning.signal: 0 is not allowed; expected 1 to 64"),
        (gang().warning(65, MINUTE), "timing.warning.signal: 65 is not allowed; expected 1 to 64"),
        (
            gang().limit(HOUR).warning(10, HOUR),
            "timing.warning.before: 1h is not allowed; expected less than the limit, which is 1h",
        ),
        (
            gang().warning(10, Millis::days(30)),
            "timing.warning.before: 30d is not allowed; expected less than the limit, which is \
             30d",
        ),
    ]);
}

#[test]
fn bad_checkpoint_contracts_are_refused() {
    let order = "expected each rung once, in the order freeze, suspend, checkpoint, requeue";
    let reversed =
        gang().rung(Rung::Checkpoint, MINUTE, MINUTE).rung(Rung::Suspend, MINUTE, MINUTE);
    assert_eq!(
        super::problems(&reversed),
        [format!("checkpoint.rungs[1].rung: suspend after checkpoint is not allowed; {order}")]
    );
    let twice = gang().rung(Rung::Freeze, MINUTE, MINUTE).rung(Rung::Freeze, MINUTE, MINUTE);
    assert_eq!(
        super::problems(&twice),
        [format!("checkpoint.rungs[1].rung: freeze after freeze is not allowed; {order}")]
    );
    check([
        (
            gang().rung(Rung::Suspend, SPAN_MAX + Millis(1), MINUTE),
            "checkpoint.rungs[0].save: 3650d1ms is not allowed; expected 0s to 3650d",
        ),
        (
            gang().rung(Rung::Suspend, MINUTE, SPAN_MAX + Millis(1)),
            "checkpoint.rungs[0].restore: 3650d1ms is not allowed; expected 0s to 3650d",
        ),
        (every(Millis::ZERO), "checkpoint.every: 0s is not allowed; expected 1ms to 3650d"),
    ]);
}
