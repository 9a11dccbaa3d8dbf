//! Mean busy times: the mean moment of a job's work, rather than its end.
//!
//! Why it is a bound: let M be the mean moment at which the work of a job is done. A job does its
//! work at most at the rate of its own gang, so at least half of its duration passes between M and
//! its end: end ≥ M + duration / 2. The fast machine of `fast_machine.rs` can do the same work in
//! the same spans, so the sum of all M is no less than the least that the machine can have; and
//! that is had by always taking the job that is smallest in all (Goemans, 1997: the mean busy time
//! relaxation is solved by preemptive order of weight by size). So the mean time from release to
//! end is at least the mean of M − release + duration / 2.

use super::Pool;
use super::fast_machine::{Order, run, size};

/// The bound, in milliseconds.
pub(super) fn mean_jct(pool: &Pool) -> f64 {
    if pool.works.is_empty() {
        return 0.0;
    }
    // Twice the work-weighted moments of each job, in units of (milliseconds × GPUs)².
    let mut moments = vec![0_u128; pool.works.len()];
    run(pool, Order::Size, |piece| {
        let from_release = piece.start + piece.end - 2 * piece.release;
        moments[piece.job] += (piece.end - piece.start) * from_release;
    });
    let bound = |(work, moment): (&super::Work, &u128)| {
        let busy = match size(work) {
            0 => 0.0,
            size => *moment as f64 / 2.0 / size as f64 / pool.gpus as f64,
        };
        busy + work.duration_ms as f64 / 2.0
    };
    let sum: f64 = pool.works.iter().zip(&moments).map(bound).sum();
    sum / pool.works.len() as f64
}
