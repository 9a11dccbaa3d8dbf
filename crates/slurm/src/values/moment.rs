//! Moments as people write them: `now+1hour`, `16:00`, `tomorrow`, `2026-01-20T12:34:00`.
//!
//! Reading needs no clock. Who resolves a moment says what time it is, and where.

mod calendar;
mod read;

use std::fmt;

use muster_model::Time;
use serde::{Deserialize, Serialize};

pub use calendar::{civil_date, days_since_epoch};

const DAY_S: i64 = 86_400;

/// A moment, as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// So many seconds from now; before now with a minus.
    Now(i64),
    /// At a time of a day.
    At {
        /// The day.
        day: Day,
        /// Seconds since its midnight.
        second: u32,
    },
}

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Day {
    /// Today, or tomorrow where the time of day is over.
    Next,
    /// Today.
    Today,
    /// Tomorrow.
    Tomorrow,
    /// A day of this year, or of the next where it is over.
    Month {
        /// 1 to 12.
        month: u8,
        /// 1 to 31.
        day: u8,
    },
    /// A date.
    Date {
        /// With the century.
        year: u16,
        /// 1 to 12.
        month: u8,
        /// 1 to 31.
        day: u8,
    },
}

/// What time it is where the words were written. Summer time that begins between now and the
/// moment is not known to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Now.
    pub now: Time,
    /// Seconds to add to UTC for the time on the wall.
    pub offset_s: i32,
}

impl Moment {
    /// The moment in UTC. What lies before 1970 is 1970.
    ///
    /// ```
    /// use muster_model::Time;
    /// use muster_slurm::values::{Clock, Moment};
    ///
    /// let clock = Clock { now: Time(1_000_000), offset_s: 3600 };
    /// assert_eq!("now+1minute".parse::<Moment>()?.resolve(clock), Time(1_060_000));
    /// assert_eq!("02:00".parse::<Moment>()?.resolve(clock), Time(3_600_000));
    /// # Ok::<(), muster_model::Invalid>(())
    /// ```
    pub fn resolve(self, clock: Clock) -> Time {
        let now = i64::try_from(clock.now.0 / 1000).unwrap_or(i64::MAX / 4);
        let wall = now + i64::from(clock.offset_s);
        let seconds = match self {
            Moment::Now(seconds) => now.saturating_add(seconds),
            Moment::At { day, second } => {
                let second = i64::from(second);
                day.midnight(wall, second) + second - i64::from(clock.offset_s)
            }
        };
        Time(u64::try_from(seconds).unwrap_or(0).saturating_mul(1000))
    }
}

impl Day {
    /// The seconds of its midnight on the wall, where it is now `wall` there.
    fn midnight(self, wall: i64, second: i64) -> i64 {
        let today = wall.div_euclid(DAY_S);
        let day = match self {
            Day::Today => today,
            Day::Tomorrow => today + 1,
            Day::Next => today + i64::from(wall.rem_euclid(DAY_S) >= second),
            Day::Date { year, month, day } => days_since_epoch(i64::from(year), month, day),
            Day::Month { month, day } => {
                let (year, ..) = civil_date(today);
                let this = days_since_epoch(year, month, day);
                let is_over = this * DAY_S + second < wall;
                if is_over { days_since_epoch(year + 1, month, day) } else { this }
            }
        };
        day * DAY_S
    }
}

impl fmt::Display for Moment {
    /// So that it is read as the same.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, second) = match *self {
            Moment::Now(0) => return formatter.write_str("now"),
            Moment::Now(seconds) => return write!(formatter, "now{seconds:+}"),
            Moment::At { day, second } => (day, second),
        };
        match day {
            Day::Next => {}
            Day::Today => formatter.write_str("today ")?,
            Day::Tomorrow => formatter.write_str("tomorrow ")?,
            Day::Month { month, day } => write!(formatter, "{month:02}/{day:02} ")?,
            Day::Date { year, month, day } => write!(formatter, "{year:04}-{month:02}-{day:02}T")?,
        }
        let (minute, second) = (second / 60, second % 60);
        write!(formatter, "{:02}:{:02}:{second:02}", minute / 60, minute % 60)
    }
}

#[cfg(test)]
mod tests;
