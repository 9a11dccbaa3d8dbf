//! What a run cost this process: CPU time of its thread, and the most memory the process ever had.

use std::fs;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// CPU time this thread has used so far.
pub(super) fn thread_cpu() -> Duration {
    let read = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(read.tv_sec).expect("CPU time is not negative");
    let nanos = u32::try_from(read.tv_nsec).expect("a second has fewer nanoseconds than 2^32");
    Duration::new(seconds, nanos)
}

/// The most memory the process ever had at once, in MiB; `None` where the kernel does not tell.
pub(super) fn peak_mb() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::{peak_mb, thread_cpu};

    #[test]
    fn memory_that_was_once_taken_stays_in_the_peak() {
        let before = peak_mb().unwrap();
        drop(vec![1_u8; 64 << 20]);
        assert!(peak_mb().unwrap() >= before.max(64.0));
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let before = thread_cpu();
        let sum: u64 = (0..3_000_000_u64).map(|n| std::hint::black_box(n) % 7).sum();
        assert!(sum > 0 && thread_cpu() > before);
    }
}
