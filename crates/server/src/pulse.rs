//! What the driver is doing and since when, for who watches over it from outside.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A part of the driver's pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Writing a batch to the journal.
    Journaling {
        /// How many entries.
        entries: usize,
    },
    /// Letting an entry take effect.
    Deciding {
        /// Its number.
        sequence: u64,
        /// Its kind.
        kind: &'static str,
    },
    /// Writing a snapshot, and forgetting what it covers.
    Saving {
        /// The last entry it covers.
        sequence: u64,
    },
    /// Copying the state for a snapshot.
    Copying,
    /// Waiting for the history, which is behind.
    Waiting,
}

impl fmt::Display for Doing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doing::Journaling { entries: 1 } => {
                formatter.write_str("writing an entry to the journal")
            }
            Doing::Journaling { entries } => {
                write!(formatter, "writing {entries} entries to the journal")
            }
            Doing::Deciding { sequence, kind } => {
                write!(formatter, "letting entry {sequence} ({kind}) take effect")
            }
            Doing::Saving { sequence } => {
                write!(formatter, "saving the snapshot after entry {sequence}")
            }
            Doing::Copying => formatter.write_str("copying the state for a snapshot"),
            Doing::Waiting => formatter.write_str("waiting for the history to catch up"),
        }
    }
}

/// A pass that takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// What it is at.
    pub doing: Doing,
    /// How long it has run.
    pub lasts: Duration,
}

impl fmt::Display for Stall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.lasts.as_secs_f64();
        write!(formatter, "a pass has taken {seconds:.1} s so far, and is {}", self.doing)
    }
}

/// What the driver is at, and since when its pass has run.
#[derive(Debug, Default)]
pub struct Pulse {
    now: Mutex<Option<(Doing, Instant)>>,
}

impl Pulse {
    /// A part of a pass begins, perhaps its first.
    pub(crate) fn begin(&self, doing: Doing) {
        let mut now = self.lock();
        let since = now.map_or_else(Instant::now, |(_, since)| since);
        *now = Some((doing, since));
    }

    /// The pass is over.
    pub(crate) fn rest(&self) {
        *self.lock() = None;
    }

    /// The pass that has run for longer than this.
    pub fn stalled(&self, bound: Duration) -> Option<Stall> {
        let (doing, since) = (*self.lock())?;
        let lasts = since.elapsed();
        (lasts > bound).then_some(Stall { doing, lasts })
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Doing, Instant)>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_of_many_parts_counts_from_its_beginning() {
        let pulse = Pulse::default();
        assert_eq!(pulse.stalled(Duration::ZERO), None, "who rests does not stall");
        pulse.begin(Doing::Journaling { entries: 2 });
        while pulse.stalled(Duration::from_millis(2)).is_none() {
            std::thread::yield_now();
        }
        pulse.begin(Doing::Deciding { sequence: 7, kind: "submitted" });
        let stall = pulse.stalled(Duration::from_millis(2)).expect("the pass is the same");
        assert!(stall.to_string().contains("letting entry 7 (submitted) take effect"), "{stall}");
        pulse.rest();
        assert_eq!(pulse.stalled(Duration::ZERO), None);
    }
}
