//! Guesses: which of the known names was meant by one that is not known.

/// More changes than this and it is another word, not a slip of the finger.
const DISTANCE_MAX: usize = 2;

/// Longer text is no name at all; comparing it would cost without helping anyone.
const LENGTH_MAX: usize = 400;

/// The known name nearest to `text`: the same but for case, else the one with the fewest slips,
/// else the only path that ends in it. The first of equals, so that the answer is always the same.
pub fn nearest<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if text.is_empty() || text.len() > LENGTH_MAX {
        return None;
    }
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let mut best: Option<(usize, &str)> = None;
    let mut endings = Vec::new();
    for name in known {
        let letters: Vec<char> = name.to_lowercase().chars().collect();
        if letters.ends_with(&text) && letters[..letters.len() - text.len()].ends_with(&['/']) {
            endings.push(name);
        }
        let Some(distance) = distance(&text, &letters) else { continue };
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    let only_ending = if let [name] = endings[..] { Some(name) } else { None };
    best.map(|(_, name)| name).or(only_ending)
}

/// How many letters have to be added, dropped, changed or swapped with their neighbour, if it
/// is few against the length of the words.
fn distance(one: &[char], other: &[char]) -> Option<usize> {
    let longer = one.len().max(other.len());
    if one.len().abs_diff(other.len()) > DISTANCE_MAX {
        return None;
    }
    // Three rows of the usual table: a swap looks two rows back.
    let mut before: Vec<usize> = vec![0; other.len() + 1];
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, against) in other.iter().enumerate() {
            let changed = above[column] + usize::from(letter != against);
            let mut least = changed.min(above[column + 1] + 1).min(current[column] + 1);
            let is_swap =
                row > 0 && column > 0 && one[row - 1] == *against && *letter == other[column - 1];
            if is_swap {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        (before, above) = (above, current);
    }
    let distance = above[other.len()];
    (distance <= DISTANCE_MAX && distance * 2 <= longer).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KNOWN: [&str; 6] =
        ["standard", "batch", "H100", "research/nlp", "research/vision", "rack"];

    #[test]
    fn slips_of_every_kind_are_undone() {
        for (text, meant) in [
            ("h100", "H100"),
            ("standrad", "standard"),
            ("standart", "standard"),
            ("bach", "batch"),
            ("battch", "batch"),
            ("research/vison", "research/vision"),
            ("rak", "rack"),
        ] {
            assert_eq!(nearest(text, KNOWN), Some(meant), "{text}");
        }
    }

    #[test]
    fn the_end_of_one_path_is_completed() {
        assert_eq!(nearest("vision", KNOWN), Some("research/vision"));
        assert_eq!(nearest("vision", ["team-a/vision", "team-b/vision"]), None);
    }

    #[test]
    fn another_word_is_not_guessed() {
        for text in ["", "inference", "xyz", "T4", "a"] {
            assert_eq!(nearest(text, KNOWN), None, "{text}");
        }
    }

    #[test]
    fn the_first_of_equally_near_names_is_guessed() {
        assert_eq!(nearest("zone-3", ["zone-2", "zone-1"]), Some("zone-2"));
    }

    #[test]
    fn text_of_any_length_is_answered() {
        assert_eq!(nearest(&"x".repeat(100_000), KNOWN), None);
    }
}
