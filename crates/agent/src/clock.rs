//! The clock that leases are measured by: it goes on while the machine sleeps, and nobody sets it.

use rustix::time::{ClockId, clock_gettime};

/// Milliseconds since the machine started.
pub fn boot_ms() -> u64 {
    let now = clock_gettime(ClockId::Boottime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let nanos = u64::try_from(now.tv_nsec).unwrap_or(0);
    seconds.saturating_mul(1000).saturating_add(nanos / 1_000_000)
}

/// What tells one start of the machine from another; empty where the system does not say.
pub fn boot_id() -> String {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    text.map(|text| text.trim().to_owned()).unwrap_or_default()
}
