//! What attempts say of how they get on: their speed at the size they have, and how much of the
//! work is done.

use muster_model::{Attempt, Invalid, JobId, Millis, SpeedPoint};

use crate::action::JobState;
use crate::elastic::{size, work};
use crate::on::Refusals;
use crate::snapshot::Learned;
use crate::state::State;

/// All of the work, in parts per million.
const WHOLE_PPM: u32 = 1_000_000;

/// Speeds are remembered for so many sizes; the one nearest to a new one makes place for it.
const SPEEDS_MAX: usize = 16;

/// An attempt says how it gets on. Of an attempt that does not run, or whose size is changing
/// just now, that teaches nothing.
pub(crate) fn progress(
    state: &mut State,
    id: JobId,
    attempt: Attempt,
    rate: u32,
    done_ppm: Option<u32>,
) -> Result<(), Refusals> {
    if let Some(done) = done_ppm.filter(|done| *done > WHOLE_PPM) {
        let allowed = format!("expected at most {WHOLE_PPM} parts per million");
        return Err(vec![Invalid::new("done_ppm", done.to_string(), allowed)]);
    }
    let now = state.now;
    let Some(job) = state.jobs.get_mut(id) else { return Ok(()) };
    let is_current = job.record.attempt == attempt && job.record.state == JobState::Running;
    if !is_current || size::under_way(job).is_some() {
        return Ok(());
    }
    if rate > 0 && size::range(job).is_some() {
        // What was done so far was done at the speed known so far.
        work::count(job, now);
        let point = SpeedPoint { tasks: job.size, speed: rate };
        learn_speed(job.record.learned.get_or_insert_default(), point);
    }
    if let Some(done) = done_ppm.filter(|done| *done > 0) {
        let run = job.record.run.as_ref().expect("a running job is placed");
        let so_far = u128::from(work::done(job, run, now).0);
        let all = so_far * u128::from(WHOLE_PPM) / u128::from(done);
        let all = Millis(u64::try_from(all).unwrap_or(u64::MAX).max(1));
        job.record.learned.get_or_insert_default().work = Some(all);
    }
    Ok(())
}

/// One report counts for a quarter of what is known of a size, so that a slow minute does not
/// turn the curve over.
fn learn_speed(learned: &mut Learned, point: SpeedPoint) {
    let speeds = &mut learned.speeds;
    match speeds.binary_search_by_key(&point.tasks, |known| known.tasks) {
        Ok(at) => {
            let mixed = (u64::from(speeds[at].speed) * 3 + u64::from(point.speed)) / 4;
            speeds[at].speed = u32::try_from(mixed).expect("between two speeds").max(1);
        }
        Err(_) => {
            if speeds.len() == SPEEDS_MAX {
                let near = |known: &SpeedPoint| known.tasks.abs_diff(point.tasks);
                let nearest = (0..speeds.len()).min_by_key(|&at| near(&speeds[at]));
                speeds.remove(nearest.expect("there are speeds"));
            }
            let at = speeds.partition_point(|known| known.tasks < point.tasks);
            speeds.insert(at, point);
        }
    }
}
