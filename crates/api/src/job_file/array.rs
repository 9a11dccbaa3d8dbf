//! Reads the elements of an array: `0-9`, `1,3,5`, `0-99:10`, `0-99%4`.

use muster_model::name::quoted;
use muster_model::{Array, Invalid};

const FORM: &str = "expected indexes and spans such as `0-9`, `1,3,5-8`, `0-99:10`, with `%4` at \
                    the end for at most four at once";

/// The most elements that are read: beyond this the list itself would be the attack.
const ELEMENTS_MAX: usize = 1_000_000;

/// The array that a text stands for.
pub fn read_indexes(text: &str) -> Result<Array, Invalid> {
    let refuse = || Invalid::new("array", quoted(text), FORM);
    let (spans, throttle) = match text.split_once('%') {
        Some((spans, throttle)) => (spans, Some(throttle.parse().map_err(|_| refuse())?)),
        None => (text, None),
    };
    let mut indexes = Vec::new();
    for span in spans.split(',') {
        let (first, last, step) = read_span(span.trim()).ok_or_else(refuse)?;
        let count = (last.checked_sub(first).ok_or_else(refuse)? / step) as usize + 1;
        if indexes.len() + count > ELEMENTS_MAX {
            return Err(Invalid::new(
                "array",
                quoted(text),
                "expected at most 1000000 \
                                    elements",
            ));
        }
        indexes.extend((first..=last).step_by(step as usize));
    }
    indexes.sort_unstable();
    indexes.dedup();
    Ok(Array { indexes, throttle })
}

/// First, last and step of `5`, `0-9` or `0-99:10`.
fn read_span(span: &str) -> Option<(u32, u32, u32)> {
    let (span, step) = match span.split_once(':') {
        Some((span, step)) => (span, step.parse().ok().filter(|&step| step > 0)?),
        None => (span, 1),
    };
    let (first, last) = span.split_once('-').unwrap_or((span, span));
    Some((first.parse().ok()?, last.parse().ok()?, step))
}
