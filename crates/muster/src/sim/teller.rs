//! Says on a terminal how far a long run is and how long it will still take. Where nobody looks,
//! as in a pipe or a log, nothing is said.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Says how far a run is, at most every few seconds.
#[derive(Debug)]
pub(super) struct Teller {
    begin: Instant,
    told: Duration,
    is_watched: bool,
}

/// Between two lines of progress.
const TELL_EVERY: Duration = Duration::from_secs(2);

impl Teller {
    pub(super) fn new() -> Teller {
        let is_watched = stderr().is_terminal();
        Teller { begin: Instant::now(), told: Duration::ZERO, is_watched }
    }

    /// So many of all are done.
    pub(super) fn tell(&mut self, what: &str, done: usize, all: usize) {
        let passed = self.begin.elapsed();
        if self.is_due(passed) && done > 0 {
            eprintln!("{}", line(what, done, all, passed));
        }
    }

    /// Whether something is to be said after this time; if so, it counts as said.
    fn is_due(&mut self, passed: Duration) -> bool {
        let is_due = self.is_watched && passed >= self.told + TELL_EVERY;
        if is_due {
            self.told = passed;
        }
        is_due
    }
}

/// What is said after some time: the rest takes as long as what is done did, for as many jobs.
fn line(what: &str, done: usize, all: usize, passed: Duration) -> String {
    let left = passed.as_secs_f64() * all.saturating_sub(done) as f64 / done as f64;
    format!("{what}: {done} of {all} jobs over, about {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Teller, line};

    #[test]
    fn the_rest_is_expected_to_take_as_long_as_what_is_done() {
        let said = line("muster", 250, 1_000, Duration::from_secs(10));
        assert_eq!(said, "muster: 250 of 1000 jobs over, about 30 s left");
    }

    #[test]
    fn whoever_looks_is_told_every_two_seconds_and_a_log_is_told_nothing() {
        let due = |is_watched| {
            let mut teller = Teller { begin: Instant::now(), told: Duration::ZERO, is_watched };
            [1, 2, 3, 4, 9, 10].map(|seconds| teller.is_due(Duration::from_secs(seconds)))
        };
        assert_eq!(due(true), [false, true, false, true, true, false]);
        assert_eq!(due(false), [false; 6]);
    }
}
