//! Moments and spans as people read them.

use std::time::{SystemTime, UNIX_EPOCH};

use muster_api::Moment;
use muster_model::{Millis, Time};

use super::NOTHING;

/// The present moment.
pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// `2026-01-31 08:00:00Z`: to the second, with its zone.
pub(crate) fn moment(moment: Moment) -> String {
    let text = moment.to_string();
    let text = text.split('.').next().unwrap_or(&text);
    format!("{}Z", text.trim_end_matches('Z').replacen('T', " ", 1))
}

/// A moment that may not have come.
pub(crate) fn moment_if(known: Option<Moment>) -> String {
    known.map_or_else(|| NOTHING.to_owned(), moment)
}

/// The span between two moments in its two largest units: `3d4h`, `1h02m`, `12s`, `350ms`.
pub(crate) fn span(from: Moment, to: Time) -> String {
    length(to.since(from.0))
}

/// A span in its two largest units.
pub(crate) fn length(Millis(millis): Millis) -> String {
    let seconds = millis / 1000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if days > 0 => format!("{days}d{:02}h", hours % 24),
        () if hours > 0 => format!("{hours}h{:02}m", minutes % 60),
        () if minutes > 0 => format!("{minutes}m{:02}s", seconds % 60),
        () if millis >= 1000 => format!("{seconds}s"),
        () => format!("{millis}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_two_units_at_most() {
        let told = [0, 350, 1000, 59_999, 60_000, 3_725_000, 90_061_000].map(Millis).map(length);
        assert_eq!(told, ["0ms", "350ms", "1s", "59s", "1m00s", "1h02m", "1d01h"]);
    }

    #[test]
    fn moments_are_told_to_the_second_with_their_zone() {
        assert_eq!(moment(Moment(Time(1_700_000_000_250))), "2023-11-14 22:13:20Z");
    }
}
