//! The end of everything.
//!
//! Why it is a bound, three times: the last job to be over is over no sooner than its own release
//! and duration; what is released from some moment on is done after it, on no more than all GPUs;
//! and of gangs that need more than half of them no two run at once, so those released from some
//! moment on follow each other after it.

use super::{Pool, Work};

/// The earliest end, in milliseconds after `first_ms`.
pub(super) fn from(pool: &Pool, first_ms: u64) -> f64 {
    let alone = pool.works.iter().map(|work| work.release_ms + work.duration_ms).max();
    let Some(alone) = alone else { return 0.0 };
    let gpus = u128::from(pool.gpus);
    let shared = latest(pool, |work| u128::from(work.gpus) * u128::from(work.duration_ms), gpus);
    let is_large = |work: &Work| u128::from(work.gpus) * 2 > gpus;
    let serial =
        latest(pool, |work| if is_large(work) { u128::from(work.duration_ms) } else { 0 }, 1);
    let latest = (alone as f64).max(shared).max(serial);
    latest - first_ms as f64
}

/// The largest, over all releases, of the release and what is left from there on.
fn latest(pool: &Pool, of: impl Fn(&Work) -> u128, speed: u128) -> f64 {
    let mut works: Vec<&Work> = pool.works.iter().collect();
    works.sort_by_key(|work| std::cmp::Reverse(work.release_ms));
    let mut sum = 0_u128;
    let mut latest = 0.0_f64;
    for work in works {
        sum += of(work);
        // With a sum of zero nothing is bounded but the release itself, which is true anyway.
        latest = latest.max(work.release_ms as f64 + sum as f64 / speed as f64);
    }
    latest
}
