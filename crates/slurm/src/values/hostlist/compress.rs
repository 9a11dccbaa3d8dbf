//! From names to ranges: neighbours that differ only in the number at their end share a bracket.

use std::fmt::Write;

/// The list as Slurm writes it.
pub(super) fn list(hosts: &[String]) -> String {
    let parts: Vec<(&str, &str)> = hosts.iter().map(|host| split(host)).collect();
    let mut text = String::new();
    for group in
        parts.chunk_by(|one, next| is_numbered(one) && is_numbered(next) && one.0 == next.0)
    {
        if !text.is_empty() {
            text.push(',');
        }
        match group {
            [(stem, number)] => write!(text, "{stem}{number}"),
            _ => write!(text, "{}[{}]", group[0].0, ranges(group)),
        }
        .expect("writing to a string cannot fail");
    }
    text
}

fn is_numbered(part: &(&str, &str)) -> bool {
    !part.1.is_empty()
}

/// A name without the digits at its end, and these; a number beyond 64 bits belongs to the name.
fn split(host: &str) -> (&str, &str) {
    let stem = host.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = &host[stem.len()..];
    if number.parse::<u64>().is_ok() { (stem, number) } else { (host, "") }
}

fn ranges(group: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for run in group.chunk_by(|one, next| follows(one.1, next.1)) {
        let comma = if text.is_empty() { "" } else { "," };
        let (first, last) = (run[0].1, run[run.len() - 1].1);
        let written = if run.len() == 1 {
            write!(text, "{comma}{first}")
        } else {
            write!(text, "{comma}{first}-{last}")
        };
        written.expect("writing to a string cannot fail");
    }
    text
}

/// Whether counting on from `one`, with its leading zeros, gives `next`.
fn follows(one: &str, next: &str) -> bool {
    let number = one.parse::<u64>().ok().and_then(|number| number.checked_add(1));
    let width = one.len();
    number.is_some_and(|number| format!("{number:0width$}") == next)
}
