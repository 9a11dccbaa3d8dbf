//! The CPU time of this thread: what a step costs, whoever else keeps the machine busy.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Pairs of readings from which the cost of one is taken.
const READINGS: usize = 10_001;

/// CPU time this thread has used so far.
pub(super) fn thread_cpu() -> Duration {
    let read = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(read.tv_sec).expect("CPU time is not negative");
    let nanos = u32::try_from(read.tv_nsec).expect("a second has fewer nanoseconds than 2^32");
    Duration::new(seconds, nanos)
}

/// A span as whole nanoseconds.
pub(super) fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

/// What reading the clock adds to each measured span, in nanoseconds: the median of many empty
/// spans. It is reported beside the figures and never taken off them.
pub(super) fn overhead() -> u64 {
    let mut spans: Vec<u64> = (0..READINGS)
        .map(|_| {
            let before = thread_cpu();
            nanos(thread_cpu().saturating_sub(before))
        })
        .collect();
    spans.sort_unstable();
    spans[READINGS / 2]
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::time::Duration;

    use super::{nanos, thread_cpu};

    #[test]
    fn work_moves_the_clock_and_it_never_runs_backwards() {
        let before = thread_cpu();
        let mut last = before;
        for round in 0..1_000_000_u64 {
            black_box(round.wrapping_mul(round));
            if round.is_multiple_of(1_000) {
                let now = thread_cpu();
                assert!(now >= last);
                last = now;
            }
        }
        assert!(last > before);
    }

    #[test]
    fn spans_are_whole_nanoseconds() {
        assert_eq!(nanos(Duration::new(2, 7)), 2_000_000_007);
        assert_eq!(nanos(Duration::MAX), u64::MAX);
    }
}
