//! How much one user may ask of the server: a bucket of requests that fills steadily, so that
//! one script in a loop does not keep everyone else waiting.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use muster_model::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Parts of a request that are counted, so that a bucket fills smoothly.
const MILLI: u64 = 1000;

/// Users whose buckets are kept before those that are full again are forgotten.
const USERS_KEPT: usize = 1024;

/// The most requests of one user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Requests a user may make each second for as long as they like; 0 for no limit.
    pub requests_per_second: u32,
    /// Requests a user may make at once after a rest.
    pub burst: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { requests_per_second: 1000, burst: 5000 }
    }
}

/// The buckets of all users.
#[derive(Debug)]
pub(crate) struct Limiter {
    limits: Limits,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left_milli: u64,
    at: Time,
}

impl Limiter {
    pub(crate) fn new(limits: Limits) -> Limiter {
        Limiter { limits, buckets: Mutex::default() }
    }

    /// Takes one request of a user, or says that they have none left.
    pub(crate) fn take(&self, user: &str, now: Time) -> bool {
        if self.limits.requests_per_second == 0 {
            return true;
        }
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= USERS_KEPT && !buckets.contains_key(user) {
            // A full bucket and none at all are the same.
            buckets.retain(|_, bucket| self.filled(*bucket, now) < self.full());
        }
        let bucket = match buckets.get_mut(user) {
            Some(bucket) => bucket,
            None => buckets
                .entry(user.to_owned())
                .or_insert(Bucket { left_milli: self.full(), at: now }),
        };
        let left_milli = self.filled(*bucket, now);
        let taken = left_milli.checked_sub(MILLI);
        *bucket = Bucket { left_milli: taken.unwrap_or(left_milli), at: now.max(bucket.at) };
        taken.is_some()
    }

    fn full(&self) -> u64 {
        u64::from(self.limits.burst.max(1)) * MILLI
    }

    /// What is in a bucket by now. A request a second is as many thousandths a millisecond.
    fn filled(&self, bucket: Bucket, now: Time) -> u64 {
        let passed = now.0.saturating_sub(bucket.at.0);
        let poured = passed.saturating_mul(u64::from(self.limits.requests_per_second));
        bucket.left_milli.saturating_add(poured).min(self.full())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(limiter: &Limiter, user: &str, now: u64, times: u32) -> usize {
        (0..times).filter(|_| limiter.take(user, Time(now))).count()
    }

    #[test]
    fn burst_is_followed_by_the_steady_rate() {
        let limiter = Limiter::new(Limits { requests_per_second: 10, burst: 5 });
        assert_eq!(taken(&limiter, "user-a", 0, 20), 5);
        assert_eq!(taken(&limiter, "user-a", 99, 20), 0);
        assert_eq!(taken(&limiter, "user-a", 100, 20), 1);
        assert_eq!(taken(&limiter, "user-a", 1_000_000, 20), 5, "it never holds more than a burst");
    }

    #[test]
    fn users_do_not_share_a_bucket() {
        let limiter = Limiter::new(Limits { requests_per_second: 1, burst: 1 });
        assert_eq!(taken(&limiter, "user-a", 0, 2), 1);
        assert_eq!(taken(&limiter, "user-b", 0, 2), 1);
    }

    #[test]
    fn full_buckets_are_forgotten_and_empty_ones_are_not() {
        let limiter = Limiter::new(Limits { requests_per_second: 1, burst: 2 });
        assert_eq!(taken(&limiter, "busy", 5000, 2), 2);
        for user in 1..USERS_KEPT {
            limiter.take(&format!("user-{user}"), Time(4000));
        }
        assert!(limiter.take("one-more", Time(5000)));
        let kept = limiter.buckets.lock().map(|buckets| buckets.len()).unwrap_or_default();
        assert_eq!(kept, 2, "the busy one and the one that came");
        assert!(!limiter.take("busy", Time(5000)));
    }

    #[test]
    fn rate_of_nothing_is_no_limit() {
        let limiter = Limiter::new(Limits { requests_per_second: 0, burst: 1 });
        assert_eq!(taken(&limiter, "user-a", 0, 1000), 1000);
    }
}
