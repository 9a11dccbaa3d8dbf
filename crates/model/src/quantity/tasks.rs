//! Numbers of tasks: `4`, or `2..8` for an elastic job.

use std::fmt;
use std::str::FromStr;

use super::decimal::digits;
use super::{refuse, tightened};
use crate::error::Invalid;
use crate::task::TaskCount;

const FORMS: &str = "expected a number of tasks (`4`) or a range from the fewest to the most \
                     (`2..8`)";

impl FromStr for TaskCount {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<TaskCount, Invalid> {
        read(text).ok_or_else(|| refuse("tasks", text, FORMS, guesses(text), read))
    }
}

impl fmt::Display for TaskCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_elastic() {
            write!(formatter, "{}..{}", self.min, self.max)
        } else {
            write!(formatter, "{}", self.min)
        }
    }
}

fn read(text: &str) -> Option<TaskCount> {
    let count = |text| u32::try_from(digits(text)?).ok();
    let Some((min, max)) = text.split_once("..") else {
        return count(text).map(TaskCount::exactly);
    };
    let range = TaskCount { min: count(min)?, max: count(max)? };
    (range.min <= range.max).then_some(range)
}

/// For `2 .. 8`, `2-8`, `2:8`, `2..=8` and `8..2`.
fn guesses(text: &str) -> Vec<String> {
    let numbers: Vec<_> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let mut guesses = vec![tightened(text)];
    if let [first, second] = numbers[..] {
        guesses.extend([format!("{first}..{second}"), format!("{second}..{first}")]);
    }
    guesses
}
