//! When to try again after a failure: soon, then less often, never all at the same moment.

use std::hash::{BuildHasher, Hasher, RandomState};

/// The first wait.
const FIRST_MS: u64 = 50;

/// The longest wait: far below a lease, so that a server that is back is found in time.
const LONGEST_MS: u64 = 3_000;

/// How often something has failed in a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// It failed once more: how long to wait, half of it by chance.
    pub fn failed(&mut self) -> u64 {
        let doubled = FIRST_MS.checked_shl(self.failures.min(16)).unwrap_or(LONGEST_MS);
        self.failures = self.failures.saturating_add(1);
        let half = doubled.min(LONGEST_MS) / 2;
        half + chance() % (half + 1)
    }

    /// Whether the last try failed.
    pub fn has_failed(&self) -> bool {
        self.failures > 0
    }

    /// It worked.
    pub fn worked(&mut self) {
        self.failures = 0;
    }
}

/// A number that nobody can foresee.
pub fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::{Backoff, FIRST_MS, LONGEST_MS};

    #[test]
    fn waits_grow_to_a_bound_and_start_small_again() {
        let mut backoff = Backoff::default();
        assert!(backoff.failed() <= FIRST_MS);
        let waits: Vec<u64> = (0..100).map(|_| backoff.failed()).collect();
        assert!(waits.iter().all(|wait| *wait <= LONGEST_MS), "{waits:?}");
        assert!(waits[50..].iter().all(|wait| *wait >= LONGEST_MS / 2), "{waits:?}");
        backoff.worked();
        assert!(backoff.failed() <= FIRST_MS);
    }
}
