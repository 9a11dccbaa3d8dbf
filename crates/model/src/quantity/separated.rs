//! Large counts for people: `12,345`.

use std::fmt::Display;

/// A whole number in digits, with separators between its thousands.
///
/// ```
/// use muster_model::quantity::separated;
///
/// assert_eq!(separated(1_234_567), "1,234,567");
/// ```
pub fn separated(number: impl Display + Copy) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        let left = digits.len() - index;
        if index > 0 && left.is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::separated;

    #[test]
    fn thousands_are_separated_and_the_sign_stays_in_front() {
        assert_eq!([0, 999, 1000, 12_345].map(separated), ["0", "999", "1,000", "12,345"]);
        assert_eq!([-123, -1000].map(separated), ["-123", "-1,000"]);
        assert_eq!(separated(u64::MAX), "18,446,744,073,709,551,615");
    }
}
