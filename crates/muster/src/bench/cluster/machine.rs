//! What the kernel counts: CPU time of processes, and how busy the machine is with others.

/// The kernel counts CPU time in hundredths of a second, whatever its own tick.
const TICK_US: f64 = 10_000.0;

/// CPU time that a process and the children it has waited for have used, in microseconds.
pub(super) fn cpu_us(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    ticks(&stat).unwrap_or(0) as f64 * TICK_US
}

/// The name of a program stands in parentheses and may contain anything, so what follows the last
/// one counts: own user and system time are the 12th and 13th, those of children the next two.
fn ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<u64> =
        rest.split_whitespace().skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    (fields.len() == 4).then(|| fields.iter().sum())
}

/// How many processes have wanted a CPU lately: figures of a busy machine are poor.
pub(super) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::{cpu_us, ticks};

    #[test]
    fn all_four_times_are_added_up() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 100 20 3 4 20 0";
        assert_eq!(ticks(stat), Some(127));
        assert_eq!(ticks("7 (a) S 1"), None);
    }

    #[test]
    fn a_process_that_is_not_there_has_used_nothing() {
        assert_eq!(cpu_us(u32::MAX), 0.0);
    }
}
