//! The elements of an array: `0-15:4,20%2`. The type is the model's.

use std::fmt::Write;

use muster_model::bound::ARRAY_LENGTH_MAX;
use muster_model::{Array, Invalid};

use super::{digits, refuse};

const FORMS: &str = "expected indexes and ranges such as `0-9`, `1,3,5-8` or `0-99:10`, with `%4` \
                     for at most four at once";

/// The highest index that Slurm knows.
const INDEX_MAX: u32 = 4_000_001;

/// The array that a text stands for; indexes ascend and do not repeat.
pub fn read(text: &str) -> Result<Array, Invalid> {
    let refused = || refuse("array", text, FORMS);
    let (text_spans, throttle) = without_throttle(text).ok_or_else(refused)?;
    let spans = text_spans.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let mut indexes = Vec::new();
    for span in spans.unwrap_or(&text_spans).split(',') {
        let (first, last, step) = read_span(span).ok_or_else(refused)?;
        let count = usize::try_from((last - first) / step).map_err(|_| refused())? + 1;
        if indexes.len() + count > ARRAY_LENGTH_MAX {
            let allowed = format!("expected at most {ARRAY_LENGTH_MAX} elements");
            return Err(refuse("array", text, &allowed));
        }
        let step = usize::try_from(step).map_err(|_| refused())?;
        indexes.extend((first..=last).step_by(step));
    }
    indexes.sort_unstable();
    indexes.dedup();
    Ok(Array { indexes, throttle })
}

/// Slurm finds the throttle wherever it stands, even before another span; 0 is none.
fn without_throttle(text: &str) -> Option<(String, Option<u32>)> {
    let Some((before, behind)) = text.split_once('%') else { return Some((text.to_owned(), None)) };
    let end = behind.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(behind.len());
    let (number, rest) = behind.split_at(end);
    let throttle = u32::try_from(digits(number)?).ok()?;
    // What follows the throttle is another span, or the bracket that closes them.
    let is_end = rest.is_empty() || rest.starts_with([',', ']']);
    is_end.then(|| (format!("{before}{rest}"), (throttle > 0).then_some(throttle)))
}

/// First, last and step of `5`, `0-9` or `0-99:10`.
fn read_span(span: &str) -> Option<(u32, u32, u32)> {
    let number = |text: &str| u32::try_from(digits(text)?).ok();
    let (range, step) = match span.split_once(':') {
        Some((range, step)) => (range, number(step).filter(|&step| step > 0)?),
        None => (span, 1),
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last) = (number(first)?, number(last)?);
    (first <= last && last <= INDEX_MAX).then_some((first, last, step))
}

/// The array as Slurm shows it: ranges of neighbours, all others one by one.
///
/// ```
/// use muster_slurm::values::array;
///
/// assert_eq!(array::written(&array::read("0-15:4,20-22%2")?), "0,4,8,12,20-22%2");
/// # Ok::<(), muster_model::Invalid>(())
/// ```
pub fn written(array: &Array) -> String {
    let mut text = String::new();
    for run in array.indexes.chunk_by(|one, next| one + 1 == *next) {
        let comma = if text.is_empty() { "" } else { "," };
        let (first, last) = (run[0], run[run.len() - 1]);
        let written = if first == last {
            write!(text, "{comma}{first}")
        } else {
            write!(text, "{comma}{first}-{last}")
        };
        written.expect("writing to a string cannot fail");
    }
    if let Some(throttle) = array.throttle {
        write!(text, "%{throttle}").expect("writing to a string cannot fail");
    }
    text
}
