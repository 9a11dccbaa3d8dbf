//! `%.18i %.9P`: a sign, a point for the right, a width, a letter, and what follows it as it is.

use muster_model::Invalid;
use muster_model::name::quoted;

use super::{Column, Field, Format, Width};

const FORMS: &str = "expected fields such as `%.18i` or `%j`, each with a letter that the manual \
                     of the command lists, or `%all`";

/// Wider columns than this are a mistake.
const WIDTH_MAX: usize = 4096;

/// Reads a format in which each field of `fields` is written by its letter.
pub fn percent(text: &str, fields: &'static [Field]) -> Result<Format, Invalid> {
    let refused = || Invalid::new("--format", quoted(text), FORMS);
    let mut parts = text.split('%');
    let mut format =
        Format { prefix: parts.next().unwrap_or_default().to_owned(), columns: Vec::new() };
    for part in parts {
        match part.strip_prefix("all") {
            Some(rest) => everything(rest, fields, &mut format),
            None => format.columns.push(column(part, fields).ok_or_else(refused)?),
        }
    }
    Ok(format)
}

fn column(part: &str, fields: &'static [Field]) -> Option<Column> {
    let (is_right, rest) = match part.strip_prefix('.') {
        Some(rest) => (true, rest),
        None => (false, part),
    };
    // Ours: the manual has this sign for what a command does by itself.
    let (width, rest) = match rest.strip_prefix('#') {
        Some(rest) => (Width::Widest, rest),
        None => {
            let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
            let (digits, rest) = rest.split_at(end);
            (width(digits)?, rest)
        }
    };
    let letter = rest.chars().next()?;
    let field = fields.iter().find(|field| field.letter == letter && letter != ' ')?;
    let suffix = rest[letter.len_utf8()..].to_owned();
    Some(Column { field, width, is_right, suffix })
}

/// No digits and zero are no width.
pub(super) fn width(digits: &str) -> Option<Width> {
    if digits.is_empty() {
        return Some(Width::Natural);
    }
    let width = digits.parse().ok().filter(|&width: &usize| width <= WIDTH_MAX)?;
    Some(if width == 0 { Width::Natural } else { Width::Exact(width) })
}

/// All fields with a bar between them, by their letters: small ones first.
fn everything(rest: &str, fields: &'static [Field], format: &mut Format) {
    let mut with_letter: Vec<_> = fields.iter().filter(|field| field.letter != ' ').collect();
    with_letter.sort_by_key(|field| (field.letter.is_uppercase(), field.letter));
    let bar = || "|".to_owned();
    format.columns.extend(with_letter.into_iter().map(|field| Column {
        field,
        width: Width::Natural,
        is_right: false,
        suffix: bar(),
    }));
    if let Some(last) = format.columns.last_mut() {
        last.suffix = rest.to_owned();
    }
}
