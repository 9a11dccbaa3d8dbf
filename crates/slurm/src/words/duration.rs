//! Spans of time: `2:05` and `1-02:03:04` in lists, `00:02:05` in limits and accounting.

const DAY: u64 = 86_400;

/// As `squeue` shows time used, left and allowed: days and hours only where there are some.
///
/// ```
/// use muster_slurm::words::duration;
///
/// assert_eq!(duration::short(125), "2:05");
/// assert_eq!(duration::short(93_784), "1-02:03:04");
/// ```
pub fn short(seconds: u64) -> String {
    let (days, hours, minutes, rest) = parts(seconds);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{rest:02}"),
        (0, hours) => format!("{hours}:{minutes:02}:{rest:02}"),
        (days, hours) => format!("{days}-{hours:02}:{minutes:02}:{rest:02}"),
    }
}

/// As `sacct` and `scontrol` show spans: hours always, days where there are some.
///
/// ```
/// use muster_slurm::words::duration;
///
/// assert_eq!(duration::long(125), "00:02:05");
/// assert_eq!(duration::long(93_784), "1-02:03:04");
/// ```
pub fn long(seconds: u64) -> String {
    let (days, hours, minutes, rest) = parts(seconds);
    match days {
        0 => format!("{hours:02}:{minutes:02}:{rest:02}"),
        days => format!("{days}-{hours:02}:{minutes:02}:{rest:02}"),
    }
}

/// As `sacct` shows the time of processors: minutes with thousandths below an hour.
///
/// ```
/// use muster_slurm::words::duration;
///
/// assert_eq!(duration::fine(62_345), "01:02.345");
/// assert_eq!(duration::fine(3_600_000), "01:00:00");
/// ```
pub fn fine(millis: u64) -> String {
    let seconds = millis / 1000;
    if seconds >= 3600 {
        return long(seconds);
    }
    format!("{:02}:{:02}.{:03}", seconds / 60, seconds % 60, millis % 1000)
}

fn parts(seconds: u64) -> (u64, u64, u64, u64) {
    let of_day = seconds % DAY;
    (seconds / DAY, of_day / 3600, of_day / 60 % 60, of_day % 60)
}
