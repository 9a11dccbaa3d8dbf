//! The time that entries carry: the wall clock at the start, and what has passed since.
//!
//! A wall clock that is set while the server runs must not end anybody's lease, so it is read
//! once. Time never runs backwards, not even from one start to the next.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use muster_model::Time;

/// Milliseconds since 1970, without jumps.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    base: Time,
    since: Instant,
}

impl Clock {
    /// A clock that goes on from the wall clock, or from `last` if that is later.
    pub fn start(last: Time) -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let wall = Time(u64::try_from(wall.as_millis()).unwrap_or(u64::MAX));
        Clock { base: wall.max(last), since: Instant::now() }
    }

    /// The time.
    pub fn now(&self) -> Time {
        Time(self.base.0 + u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// How long it is until a time.
    pub fn until(&self, time: Time) -> Duration {
        Duration::from_millis(time.0.saturating_sub(self.now().0))
    }
}
