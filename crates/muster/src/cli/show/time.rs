//! Moments and spans as people read them.

use std::time::{SystemTime, UNIX_EPOCH};

use muster_api::Moment;
use muster_model::{Millis, Time};
use muster_tui::words;

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

/// A span in its two largest units, down to milliseconds.
pub(crate) fn length(span: Millis) -> String {
    match span {
        Millis(millis @ 0..1000) => format!("{millis}ms"),
        span => words::length(span),
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
