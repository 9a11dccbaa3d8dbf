//! Moments as Slurm prints them, without a zone: `2026-01-20T12:34:00`.

use muster_model::Time;

use crate::values::civil_date;

const DAY_S: i64 = 86_400;

/// What stands for a moment that is not known.
pub const UNKNOWN: &str = "Unknown";

/// A moment on the wall, where `offset_s` is added to UTC.
///
/// ```
/// use muster_model::Time;
/// use muster_slurm::words::time;
///
/// assert_eq!(time::stamp(Time(0), 3600), "1970-01-01T01:00:00");
/// ```
pub fn stamp(time: Time, offset_s: i32) -> String {
    let seconds = i64::try_from(time.0 / 1000).unwrap_or(i64::MAX / 2);
    let wall = seconds + i64::from(offset_s);
    let (year, month, day) = civil_date(wall.div_euclid(DAY_S));
    let second = wall.rem_euclid(DAY_S);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}", second % 60)
}

/// A moment as `date` prints it: `Mon Nov 16 07:56:44 2026`.
///
/// ```
/// use muster_model::Time;
/// use muster_slurm::words::time;
///
/// assert_eq!(time::date(Time(1_794_815_804_000), 0), "Mon Nov 16 07:56:44 2026");
/// ```
pub fn date(time: Time, offset_s: i32) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let seconds = i64::try_from(time.0 / 1000).unwrap_or(i64::MAX / 2) + i64::from(offset_s);
    let days = seconds.div_euclid(DAY_S);
    let (year, month, day) = civil_date(days);
    // The first day of 1970 was a Thursday.
    let weekday = usize::try_from(days.rem_euclid(7)).map_or("", |index| DAYS[index]);
    let month = MONTHS.get(usize::from(month).saturating_sub(1)).copied().unwrap_or_default();
    let second = seconds.rem_euclid(DAY_S);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{weekday} {month} {day:>2} {hour:02}:{minute:02}:{:02} {year}", second % 60)
}
