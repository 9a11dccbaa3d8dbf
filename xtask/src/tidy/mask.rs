//! Blanks out comments, strings and character literals, so that a rule that looks for code sees
//! only code. Lines and columns (in characters) stay where they were.

/// The source with everything that is not code replaced by spaces.
pub(crate) fn mask(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut masked = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        match blank_end(&chars, at) {
            Some(end) => {
                masked.extend(chars[at..end].iter().map(|&c| if c == '\n' { c } else { ' ' }));
                at = end;
            }
            None => {
                masked.push(chars[at]);
                at += 1;
            }
        }
    }
    masked
}

/// Whether the character may be part of a Rust name.
pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the comment or literal that begins at `at` ends; nothing if code stands there. The end
/// is always beyond `at`, so that the caller's loop moves on.
fn blank_end(chars: &[char], at: usize) -> Option<usize> {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => Some(line_end(chars, at)),
        '/' if next == Some('*') => Some(block_end(chars, at + 2)),
        '"' => Some(string_end(chars, at + 1)),
        'r' if begins_token(chars, at) => raw_string_end(chars, at + 1),
        '\'' => character_end(chars, at),
        _ => None,
    }
}

fn line_end(chars: &[char], at: usize) -> usize {
    position(chars, at, '\n')
}

/// Block comments nest in Rust.
fn block_end(chars: &[char], mut at: usize) -> usize {
    let mut depth = 1;
    while at < chars.len() && depth > 0 {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at.min(chars.len())
}

fn string_end(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// Whether an `r` can open a raw string here: not inside a name, but after a `b` or `c` prefix.
fn begins_token(chars: &[char], at: usize) -> bool {
    let before = |distance: usize| at.checked_sub(distance).map(|index| chars[index]);
    match before(1) {
        Some('b' | 'c') => !before(2).is_some_and(is_name),
        Some(c) => !is_name(c),
        None => true,
    }
}

fn raw_string_end(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at..].iter().take_while(|&&c| c == '#').count();
    let mut at = at + hashes;
    if chars.get(at) != Some(&'"') {
        return None;
    }
    at += 1;
    loop {
        at = position(chars, at, '"') + 1;
        if at >= chars.len() {
            return Some(chars.len());
        }
        if chars[at..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes {
            return Some(at + hashes);
        }
    }
}

/// A quote opens a character literal or a lifetime; only the first is blanked.
fn character_end(chars: &[char], at: usize) -> Option<usize> {
    if chars.get(at + 1) == Some(&'\\') {
        return Some((position(chars, at + 3, '\'') + 1).min(chars.len()));
    }
    (chars.get(at + 2) == Some(&'\'')).then_some(at + 3)
}

/// Where the wanted character stands next, or the end of the source.
fn position(chars: &[char], from: usize, wanted: char) -> usize {
    let from = from.min(chars.len());
    chars[from..].iter().position(|&c| c == wanted).map_or(chars.len(), |offset| from + offset)
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn comments_strings_and_characters_vanish_and_code_stays_in_place() {
        assert_eq!(mask("a // b\nc"), "a     \nc");
        assert_eq!(mask("a /* b /* c */ d\n*/ e"), "a               \n   e");
        assert_eq!(mask(r#"f("a\"b", c)"#), "f(      , c)");
        assert_eq!(mask(r##"f(r#"a"b"#, c)"##), "f(        , c)");
        assert_eq!(mask(r#"f(br"a\", c)"#), "f(b     , c)");
        assert_eq!(mask(r"f('x', '\'', '\u{41}')"), "f(   ,     ,         )");
    }

    #[test]
    fn lifetimes_raw_names_and_names_with_r_are_code() {
        for code in ["fn f<'a>(x: &'a str) {}", "let r#type = 1;", "for r in bar {}", "a / b"] {
            assert_eq!(mask(code), code);
        }
    }

    #[test]
    fn an_unfinished_literal_ends_with_the_source() {
        for source in ["\"abc", "r#\"abc\"", "/* abc", "'\\", "\"a\\"] {
            assert!(mask(source).trim().is_empty(), "{source}");
        }
    }
}
