//! The durations: a rigid job is never over before its duration has passed since its release.

use super::Pool;

/// Mean of the durations, in milliseconds.
pub(super) fn mean_jct(pool: &Pool) -> f64 {
    if pool.works.is_empty() {
        return 0.0;
    }
    let sum: u128 = pool.works.iter().map(|work| u128::from(work.duration_ms)).sum();
    sum as f64 / pool.works.len() as f64
}
