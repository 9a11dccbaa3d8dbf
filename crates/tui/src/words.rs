//! Amounts, spans and moments in few letters: a terminal has eighty of them.

use muster_api::Moment;
use muster_model::quantity::separated;
use muster_model::{MilliGpu, Millis, Time};

/// What stands where there is nothing to say.
pub(crate) const NOTHING: &str = "-";

/// GPUs from thousandths: `8`, `0.25`, `8,192`.
pub fn gpus(milli: u64) -> String {
    let part = MilliGpu(milli % 1000).to_string();
    format!("{}{}", separated(milli / 1000), part.trim_start_matches('0'))
}

/// How busy something is, by thousandths, as one sign of eight heights.
pub fn busy_sign(busy: u64) -> char {
    const SIGNS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    SIGNS[usize::try_from(busy.min(999) * 8 / 1000).unwrap_or(7)]
}

/// A part of a whole in whole per cent; nothing of nothing is nothing.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    part.saturating_mul(100)
        .checked_div(whole)
        .map_or_else(|| NOTHING.to_owned(), |part| format!("{part}%"))
}

/// A span in its two largest units: `3d04h`, `1h02m`, `2m07s`, `12s`.
pub fn length(Millis(millis): Millis) -> String {
    let seconds = millis / 1000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if days > 0 => format!("{days}d{:02}h", hours % 24),
        () if hours > 0 => format!("{hours}h{:02}m", minutes % 60),
        () if minutes > 0 => format!("{minutes}m{:02}s", seconds % 60),
        () => format!("{seconds}s"),
    }
}

/// The span since a moment.
pub(crate) fn since(from: Moment, now: Time) -> String {
    length(now.since(from.0))
}

/// The span until a moment: `in 4m10s`, or `now` once it has come.
pub(crate) fn until(Moment(to): Moment, now: Time) -> String {
    match to.since(now) {
        Millis(0..1000) => "now".to_owned(),
        span => format!("in {}", length(span)),
    }
}

/// `08:00:00Z`, with the day where it is another: `01-31 08:00Z`.
pub(crate) fn clock(moment: Moment, now: Time) -> String {
    let (text, today) = (moment.to_string(), Moment(now).to_string());
    let is_today = text.get(..10) == today.get(..10);
    match (text.get(5..10), text.get(11..16), text.get(11..19)) {
        (_, _, Some(time)) if is_today => format!("{time}Z"),
        (Some(day), Some(time), _) => format!("{day} {time}Z"),
        _ => text,
    }
}

/// One of something, or several: `1 job`, `12 jobs`.
pub fn several(number: u64, what: &str) -> String {
    format!("{} {what}{}", separated(number), if number == 1 { "" } else { "s" })
}

/// As many letters as there is room for; what is cut ends with `…`.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// Text in lines of a width, broken between words; each line keeps the indent of its paragraph.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let body = paragraph.trim_start();
        let indent: String = " ".repeat((paragraph.len() - body.len()).min(width / 2));
        let mut line = indent.clone();
        for word in body.split_whitespace() {
            let taken = line.chars().count();
            let is_first = line.trim_start().is_empty();
            if !is_first && taken + 1 + word.chars().count() > width {
                lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
            } else {
                let gap = if is_first { "" } else { " " };
                line = format!("{line}{gap}{word}");
            }
        }
        lines.push(line);
    }
    lines
}

/// A text in pieces that order as people count: `n2` before `n10`.
pub(crate) fn natural(text: &str) -> Vec<(String, u64)> {
    let mut pieces: Vec<(String, u64)> = vec![(String::new(), 0)];
    let mut in_number = false;
    for letter in text.chars() {
        match letter.to_digit(10) {
            Some(digit) => {
                let last = pieces.last_mut().expect("there is always one");
                last.1 = last.1.saturating_mul(10).saturating_add(digit.into());
                in_number = true;
            }
            None => {
                if std::mem::take(&mut in_number) {
                    pieces.push((String::new(), 0));
                }
                pieces.last_mut().expect("there is always one").0.push(letter);
            }
        }
    }
    pieces
}

/// Numbers in runs: `0-3+6`.
pub(crate) fn runs(numbers: &[u32]) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => spans.push((number, number)),
        }
    }
    let spans = spans.iter().map(|&(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    spans.collect::<Vec<_>>().join("+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_moments_are_short_and_have_units() {
        let told = [0, 59_999, 60_000, 3_725_000, 90_061_000].map(Millis).map(length);
        assert_eq!(told, ["0s", "59s", "1m00s", "1h02m", "1d01h"]);
        let now = Time(1_700_000_000_250);
        assert_eq!(clock(Moment(now), now), "22:13:20Z");
        assert_eq!(clock(Moment(Time(now.0 - 86_400_000)), now), "11-13 22:13Z");
        assert_eq!(until(Moment(Time(now.0 + 90_000)), now), "in 1m30s");
        assert_eq!(until(Moment(Time(now.0 - 90_000)), now), "now");
    }

    #[test]
    fn names_order_as_people_count() {
        let mut names = ["n10", "n2", "m7", "n2-b", "n2-a"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["m7", "n2", "n2-a", "n2-b", "n10"]);
    }

    #[test]
    fn text_is_broken_between_words_and_keeps_its_indent() {
        let text = "waits for room:\n  one two three four\n\nend";
        assert_eq!(
            wrapped(text, 12),
            ["waits for", "room:", "  one two", "  three four", "", "end"]
        );
    }

    #[test]
    fn part_of_nothing_is_nothing() {
        assert_eq!((percent(1, 3), percent(0, 0)), ("33%".to_owned(), NOTHING.to_owned()));
    }
}
