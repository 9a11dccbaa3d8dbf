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
