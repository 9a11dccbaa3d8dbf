//! Single values as people and tools write them. Integers throughout: seconds with decimals
//! become milliseconds without passing through a float.

use muster_model::{MilliCpu, Millis};

/// Milliseconds in a second.
const SECOND: u64 = 1000;

/// A decimal number in thousandths, rounded to the nearest: `66.0` is 66,000. No sign, no
/// exponent; nothing where it is not one or does not fit.
pub(super) fn thousandths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let digit =
        |place: usize| fraction.as_bytes().get(place).map_or(0, |byte| u64::from(byte - b'0'));
    let parts = digit(0) * 100 + digit(1) * 10 + digit(2) + u64::from(digit(3) >= 5);
    whole.checked_mul(SECOND)?.checked_add(parts)
}

/// Seconds, with decimals or without.
pub(super) fn seconds(text: &str) -> Option<Millis> {
    thousandths(text).map(Millis)
}

/// CPUs, with decimals or without.
pub(super) fn cpus(text: &str) -> Option<MilliCpu> {
    thousandths(text).map(MilliCpu)
}

/// A span as Slurm writes it: `[days-]hours:minutes:seconds`, or without hours.
pub(super) fn clock(text: &str) -> Option<Millis> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (natural(days)?, rest),
        None => (0, text),
    };
    let parts: Vec<&str> = rest.split(':').collect();
    let (hours, minutes, last) = match parts.as_slice() {
        [hours, minutes, last] => (natural(hours)?, natural(minutes)?, *last),
        [minutes, last] if days == 0 => (0, natural(minutes)?, *last),
        _ => return None,
    };
    let minutes =
        days.checked_mul(24)?.checked_add(hours)?.checked_mul(60)?.checked_add(minutes)?;
    let millis = minutes.checked_mul(60 * SECOND)?.checked_add(thousandths(last)?)?;
    Some(Millis(millis))
}

/// A number of digits alone.
pub(super) fn natural(text: &str) -> Option<u64> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use muster_model::Millis;

    use super::{clock, natural, seconds, thousandths};

    #[test]
    fn decimals_become_thousandths_rounded_to_the_nearest() {
        let read = [("66.0", 66_000), ("0", 0), (".5", 500), ("7.", 7_000), ("1.0004", 1_000)];
        for (text, thousandth) in read.into_iter().chain([("1.0005", 1_001), ("007.25", 7_250)]) {
            assert_eq!(thousandths(text), Some(thousandth), "{text}");
        }
        for text in ["", ".", "-1", "+1", "1e3", "1,5", "nan", "1.2.3", " 1", "18446744073709552"] {
            assert_eq!(thousandths(text), None, "{text}");
        }
        assert_eq!(seconds("2951.0"), Some(Millis::seconds(2951)));
    }

    #[test]
    fn spans_of_slurm_have_days_hours_and_fractions() {
        assert_eq!(clock("1-02:03:04"), Some(Millis::seconds(93_784)));
        assert_eq!(clock("02:03:04"), Some(Millis::seconds(7_384)));
        assert_eq!(clock("03:04.5"), Some(Millis(184_500)));
        for text in ["", "4", "1-03:04", "UNLIMITED", "a:b", "1-1-1:1:1", "99999999999999999-0:0:0"]
        {
            assert_eq!(clock(text), None, "{text}");
        }
    }

    #[test]
    fn naturals_are_digits_alone() {
        assert_eq!(natural("42"), Some(42));
        for text in ["", "+1", "-1", "1.0", "٣"] {
            assert_eq!(natural(text), None, "{text}");
        }
    }
}
