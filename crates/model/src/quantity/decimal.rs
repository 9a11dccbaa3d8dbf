//! Decimal numbers as exact integers: `1.5` of a unit that has 1024 parts is 1536 parts.

/// More digits than this after the point say nothing about any unit we have, and 128 bits
/// hold 18 of them beside any 64-bit scale.
const FRACTION_DIGITS_MAX: usize = 18;

/// A number read from text: its whole part, and what follows the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    whole: u64,
    /// The digits after the point as a number, of `scale`.
    fraction: u64,
    /// A power of ten; 1 without a point.
    scale: u64,
}

impl Decimal {
    /// Reads `12`, `1.5` or `0.25`: digits on both sides of a point, and nothing else.
    pub(super) fn read(text: &str) -> Option<Decimal> {
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let whole = digits(whole)?;
        let Some(fraction) = fraction else {
            return Some(Decimal { whole, fraction: 0, scale: 1 });
        };
        let count = u32::try_from(fraction.len()).ok()?;
        if fraction.len() > FRACTION_DIGITS_MAX {
            return None;
        }
        Some(Decimal { whole, fraction: digits(fraction)?, scale: 10_u64.pow(count) })
    }

    /// Whether it was written without a point.
    pub(super) fn is_whole(self) -> bool {
        self.scale == 1
    }

    /// The number of parts where one unit has `parts`, rounded up: nobody gets less than asked.
    pub(super) fn parts_up(self, parts: u64) -> Option<u64> {
        let (quotient, rest) = self.split(parts)?;
        quotient.checked_add(u64::from(rest))
    }

    /// The number of parts where one unit has `parts`, if it is a whole number of them.
    pub(super) fn parts_exact(self, parts: u64) -> Option<u64> {
        self.split(parts).filter(|(_, rest)| !rest).map(|(quotient, _)| quotient)
    }

    /// Whole parts, and whether something is left.
    fn split(self, parts: u64) -> Option<(u64, bool)> {
        let fraction = u128::from(self.fraction) * u128::from(parts);
        let scale = u128::from(self.scale);
        let whole = self.whole.checked_mul(parts)?;
        let quotient = whole.checked_add(u64::try_from(fraction / scale).ok()?)?;
        Some((quotient, fraction % scale != 0))
    }
}

/// A number of nothing but digits. Unlike `parse`, no sign is read.
pub(super) fn digits(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Splits text behind its leading number: `1.5TiB` into `1.5` and `TiB`.
pub(super) fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

/// Thousandths as a decimal without trailing zeros: 1500 is `1.5`.
pub(super) fn write_thousandths(
    value: u64,
    formatter: &mut std::fmt::Formatter<'_>,
) -> std::fmt::Result {
    let (whole, rest) = (value / 1000, value % 1000);
    if rest == 0 {
        return write!(formatter, "{whole}");
    }
    let fraction = format!("{rest:03}");
    write!(formatter, "{whole}.{}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_where_a_float_is_not() {
        let tenth = Decimal::read("0.1").expect("a decimal");
        assert_eq!(tenth.parts_exact(1000), Some(100));
        assert_eq!(tenth.parts_exact(1024), None);
        assert_eq!(tenth.parts_up(1024), Some(103));
    }

    #[test]
    fn a_number_too_large_for_its_unit_is_none() {
        let most = Decimal::read("18446744073709551615").expect("the largest number");
        assert_eq!(most.parts_exact(1), Some(u64::MAX));
        assert_eq!(most.parts_exact(2), None);
        assert_eq!(Decimal::read("18446744073709551616"), None);
        let above = Decimal::read("18446744073709551615.5").expect("one half more");
        assert_eq!(above.parts_up(1), None);
    }

    #[test]
    fn signs_bare_points_and_long_fractions_are_not_numbers() {
        for text in ["", ".", "1.", ".5", "+1", "-1", "1.5.2", "1e3", "٣", "0.1234567890123456789"]
        {
            assert_eq!(Decimal::read(text), None, "{text}");
        }
    }
}
