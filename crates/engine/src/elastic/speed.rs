//! How fast a job is at each size: as its user says, as reports have taught, or by Amdahl's law
//! with a serial share that promises little. Only ratios of speeds mean anything.

use muster_model::SpeedPoint;

use crate::elastic::size::Range;
use crate::state::job::Job;

/// One, as the speed at the fewest tasks where nothing better is known.
const ONE: u64 = 1_000_000;

/// The part of the work at the fewest tasks that more tasks do not speed up, as one in so many:
/// a tenth. With it, twice the tasks are 1.8 times as fast and no number ten times.
const SERIAL_ONE_IN: u64 = 10;

/// A curve needs two sizes; one says nothing about another.
const POINTS_MIN: usize = 2;

/// The speed of a job with so many tasks; never 0.
pub(crate) fn speed(job: &Job, range: &Range, tasks: u32) -> u64 {
    let given = &job.record.spec.scaling.speeds;
    if given.len() >= POINTS_MIN {
        return on_curve(given, range, tasks, Beyond::NoFaster);
    }
    match &job.record.learned {
        Some(learned) if learned.speeds.len() >= POINTS_MIN => {
            on_curve(&learned.speeds, range, tasks, Beyond::Amdahl)
        }
        _ => amdahl(range, tasks),
    }
}

/// What is assumed beyond the largest size that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    /// A user who gives speeds gives those that are worth having.
    NoFaster,
    /// What was learned does not reach further than the sizes it had.
    Amdahl,
}

/// `x / (1 + s (x - 1))` of the one, with `x` the size against the fewest tasks.
fn amdahl(range: &Range, tasks: u32) -> u64 {
    let (tasks, min) = (u64::from(tasks), u64::from(range.min));
    let slowed = SERIAL_ONE_IN * min + tasks.saturating_sub(min);
    (ONE * SERIAL_ONE_IN * tasks / slowed).max(1)
}

/// Straight lines between the points.
fn on_curve(points: &[SpeedPoint], range: &Range, tasks: u32, beyond: Beyond) -> u64 {
    let scaled = |point: SpeedPoint| {
        let ratio = u128::from(amdahl(range, tasks)) * u128::from(point.speed) * u128::from(ONE);
        let ratio = ratio / u128::from(amdahl(range, point.tasks));
        u64::try_from(ratio).unwrap_or(u64::MAX).max(1)
    };
    let exact = |point: SpeedPoint| u64::from(point.speed) * ONE;
    let after = points.partition_point(|point| point.tasks < tasks);
    match (after.checked_sub(1).map(|before| points[before]), points.get(after).copied()) {
        (_, Some(high)) if high.tasks == tasks => exact(high),
        (None, Some(high)) => scaled(high),
        (Some(low), None) => match beyond {
            Beyond::NoFaster => exact(low),
            Beyond::Amdahl => scaled(low),
        },
        (Some(low), Some(high)) => {
            let part = u128::from(tasks - low.tasks);
            let span = u128::from(high.tasks - low.tasks);
            let between =
                (u128::from(exact(low)) * (span - part) + u128::from(exact(high)) * part) / span;
            u64::try_from(between).expect("between two speeds there are only smaller ones")
        }
        (None, None) => ONE,
    }
}
