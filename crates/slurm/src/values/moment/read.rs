//! Takes the words of a moment apart: a day, a time of day, both in either order, or `now`.

use std::str::FromStr;

use muster_model::Invalid;

use super::calendar::is_date;
use super::{Day, Moment};
use crate::values::{digits, refuse};

const FORMS: &str = "expected a time such as `now+1hour`, `16:00`, `tomorrow`, `noon` or \
                     `2026-01-20T12:34:00`";

/// Farther than this nobody plans; sums stay within 64 bits.
const SECONDS_MAX: u64 = 100 * 366 * 86_400;

const NOON: u32 = 12 * 3600;

impl FromStr for Moment {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Moment, Invalid> {
        let lower = text.trim().to_ascii_lowercase();
        let moment = match lower.strip_prefix("now") {
            Some(rest) => from_now(rest).map(Moment::Now),
            None => at(&lower),
        };
        moment.ok_or_else(|| refuse("time", text, FORMS))
    }
}

/// What follows `now`: nothing, or a sign, a number and a unit.
fn from_now(rest: &str) -> Option<i64> {
    let rest = rest.trim_start();
    if rest.is_empty() {
        return Some(0);
    }
    let (sign, rest) = match rest.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, rest.strip_prefix('-')?),
    };
    let rest = rest.trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let (number, unit) = rest.split_at(end);
    let unit = match unit.trim() {
        "" | "second" | "seconds" => 1,
        "minute" | "minutes" => 60,
        "hour" | "hours" => 3600,
        "day" | "days" => 86_400,
        "week" | "weeks" => 7 * 86_400,
        _ => return None,
    };
    let seconds = digits(number)?.checked_mul(unit).filter(|&seconds| seconds <= SECONDS_MAX)?;
    i64::try_from(seconds).ok().map(|seconds| sign * seconds)
}

/// What one word says.
enum Part {
    Day(Day),
    Second(u32),
    Half(bool),
}

fn at(text: &str) -> Option<Moment> {
    let (mut day, mut second, mut half) = (None, None, None);
    for word in words(text) {
        let is_first = match part(word)? {
            Part::Day(found) => day.replace(found).is_none(),
            Part::Second(found) => second.replace(found).is_none(),
            Part::Half(found) => half.replace(found).is_none(),
        };
        if !is_first {
            return None;
        }
    }
    let second = match (second, half) {
        (second, None) => second,
        (Some(second), Some(is_afternoon)) => Some(of_half(second, is_afternoon)?),
        (None, Some(_)) => return None,
    };
    let day = day.or(second.map(|_| Day::Next))?;
    Some(Moment::At { day, second: second.unwrap_or(0) })
}

/// At spaces, at the `t` between date and time, and before `am` and `pm`.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let behind_date = word.char_indices().find(|&(at, letter)| {
            letter == 't' && at > 0 && word[..at].bytes().all(|byte| !byte.is_ascii_alphabetic())
        });
        let (date, rest) = match behind_date {
            Some((at, _)) => (&word[..at], &word[at + 1..]),
            None => ("", word),
        };
        let half =
            ["am", "pm"].iter().find_map(|half| rest.strip_suffix(half).map(|_| rest.len() - 2));
        let (rest, half) = rest.split_at(half.unwrap_or(rest.len()));
        words.extend([date, rest, half].into_iter().filter(|part| !part.is_empty()));
    }
    words
}

fn part(word: &str) -> Option<Part> {
    Some(match word {
        "today" => Part::Day(Day::Today),
        "tomorrow" => Part::Day(Day::Tomorrow),
        "midnight" => Part::Second(0),
        "noon" => Part::Second(NOON),
        "fika" => Part::Second(15 * 3600),
        "teatime" => Part::Second(16 * 3600),
        "am" => Part::Half(false),
        "pm" => Part::Half(true),
        _ if word.contains(':') => Part::Second(time_of_day(word)?),
        _ => Part::Day(date(word)?),
    })
}

/// `HH:MM` or `HH:MM:SS`.
fn time_of_day(word: &str) -> Option<u32> {
    let mut fields = word.split(':').map(|field| digits(field).filter(|_| field.len() <= 2));
    let (hour, minute) = (fields.next()??, fields.next()??);
    let second = fields.next().unwrap_or(Some(0))?;
    let is_time = hour < 24 && minute < 60 && second < 60 && fields.next().is_none();
    is_time.then(|| u32::try_from(hour * 3600 + minute * 60 + second).ok()).flatten()
}

fn of_half(second: u32, is_afternoon: bool) -> Option<u32> {
    let hour = second / 3600;
    if !(1..=12).contains(&hour) {
        return None;
    }
    let since = second % NOON;
    Some(if is_afternoon { since + NOON } else { since })
}

/// `YYYY-MM-DD`, `MM/DD[/YY]`, `MM.DD[.YY]`, `MMDD[YY]`.
fn date(word: &str) -> Option<Day> {
    let small = |text: &str| u8::try_from(digits(text)?).ok();
    if word.contains('-') {
        let parts: Vec<&str> = word.split('-').collect();
        let [year, month, day] = parts[..] else { return None };
        let is_long = year.len() == 4 && month.len() == 2 && day.len() == 2;
        let year = u16::try_from(digits(year)?).ok()?;
        return is_long.then(|| dated(year, small(month)?, small(day)?)).flatten();
    }
    let parts: Vec<&str> = match (digits(word), word.len()) {
        (Some(_), 4) => vec![&word[..2], &word[2..]],
        (Some(_), 6) => vec![&word[..2], &word[2..4], &word[4..]],
        (Some(_), _) => return None,
        (None, _) => word.split(['/', '.']).collect(),
    };
    match parts[..] {
        [month, day] => {
            let (month, day) = (small(month)?, small(day)?);
            // A leap year, so that its last day of February is not refused in others.
            is_date(2000, month, day).then_some(Day::Month { month, day })
        }
        [month, day, year] if year.len() == 2 => {
            dated(2000 + u16::from(small(year)?), small(month)?, small(day)?)
        }
        _ => None,
    }
}

fn dated(year: u16, month: u8, day: u8) -> Option<Day> {
    let is_good = year >= 1970 && is_date(i64::from(year), month, day);
    is_good.then_some(Day::Date { year, month, day })
}
