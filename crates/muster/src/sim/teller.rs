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
        if self.is_watched && passed >= self.told + TELL_EVERY && done > 0 {
            self.told = passed;
            eprintln!("{}", line(what, done, all, passed));
        }
    }
}

/// What is said after some time: the rest takes as long as what is done did, for as many jobs.
fn line(what: &str, done: usize, all: usize, passed: Duration) -> String {
    let left = passed.as_secs_f64() * all.saturating_sub(done) as f64 / done as f64;
    format!("{what}: {done} of {all} jobs over, about {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::line;

    #[test]
    fn the_rest_is_expected_to_take_as_long_as_what_is_done() {
        let said = line("muster", 250, 1_000, Duration::from_secs(10));
        assert_eq!(said, "muster: 250 of 1000 jobs over, about 30 s left");
    }
}
