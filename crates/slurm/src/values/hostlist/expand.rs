//! From ranges to names. The number of names is counted before they are made.

use super::HOSTS_MAX;
use crate::values::digits;

/// More brackets in one name than anybody writes.
const BRACKETS_MAX: usize = 8;

/// All names of a list, in order; none where it is malformed or too long.
pub(super) fn hosts(text: &str) -> Option<Vec<String>> {
    let mut hosts = Vec::new();
    for item in items(text)? {
        if !item.is_empty() {
            expand(item, &mut hosts)?;
        }
    }
    Some(hosts)
}

/// At commas outside of brackets.
fn items(text: &str) -> Option<Vec<&str>> {
    let (mut items, mut start, mut is_inside) = (Vec::new(), 0, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | ']' if is_inside == (letter == '[') => return None,
            '[' | ']' => is_inside = letter == '[',
            ',' if !is_inside => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(text[start..].trim());
    (!is_inside).then_some(items)
}

/// The names of one item behind those there are.
fn expand(item: &str, hosts: &mut Vec<String>) -> Option<()> {
    let mut names = vec![String::new()];
    let mut rest = item;
    for _ in 0..=BRACKETS_MAX {
        let (literal, bracket) = match rest.split_once('[') {
            Some((literal, bracket)) => (literal, Some(bracket)),
            None => (rest, None),
        };
        let is_name = |letter: char| !letter.is_whitespace() && !letter.is_control();
        if !literal.chars().all(is_name) {
            return None;
        }
        names.iter_mut().for_each(|name| name.push_str(literal));
        let Some(bracket) = bracket else {
            hosts.extend(names);
            return (hosts.len() <= HOSTS_MAX).then_some(());
        };
        let (inside, behind) = bracket.split_once(']')?;
        let room = HOSTS_MAX.checked_sub(hosts.len())?;
        let numbers = numbers(inside, room / names.len())?;
        let with = |name: &String| {
            let name = name.clone();
            numbers.iter().map(move |number| format!("{name}{number}")).collect::<Vec<_>>()
        };
        names = names.iter().flat_map(with).collect();
        rest = behind;
    }
    None
}

/// The numbers of a bracket as text, at most so many.
fn numbers(inside: &str, most: usize) -> Option<Vec<String>> {
    let mut numbers = Vec::new();
    for range in inside.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (low, high) = (digits(first)?, digits(last)?);
        let count = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
        if numbers.len().checked_add(count)? > most {
            return None;
        }
        let width = first.len();
        numbers.extend((low..=high).map(|number| format!("{number:0width$}")));
    }
    Some(numbers)
}
