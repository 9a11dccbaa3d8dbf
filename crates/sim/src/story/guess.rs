//! Guesses the word that was meant: the known word that takes the fewest edits.

/// Nearer words than this are offered; farther ones would puzzle more than help.
const EDITS_MAX: usize = 3;

/// Longer words are not meant for any that is known, and comparing them would take much memory.
const LENGTH_MAX: usize = 100;

/// The nearest of the known words, if one is near.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() > LENGTH_MAX {
        return None;
    }
    known
        .iter()
        .map(|&candidate| (edits(word, candidate), candidate))
        .filter(|&(edits, candidate)| edits <= EDITS_MAX && edits * 2 <= candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Letters to insert, delete, replace or swap with their neighbour to turn one word into the
/// other: the optimal string alignment distance. Words are short, so the square is small.
fn edits(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut square = vec![vec![0; to.len() + 1]; from.len() + 1];
    for row in 0..=from.len() {
        for column in 0..=to.len() {
            square[row][column] = match (row, column) {
                (0, _) => column,
                (_, 0) => row,
                _ => {
                    let replaced =
                        square[row - 1][column - 1] + usize::from(from[row - 1] != to[column - 1]);
                    let shifted = square[row - 1][column].min(square[row][column - 1]) + 1;
                    let swapped = match is_swap(&from[..row], &to[..column]) {
                        true => square[row - 2][column - 2] + 1,
                        false => usize::MAX,
                    };
                    replaced.min(shifted).min(swapped)
                }
            };
        }
    }
    square[from.len()][to.len()]
}

/// Whether both end in the same two letters, swapped.
fn is_swap(from: &[char], to: &[char]) -> bool {
    matches!((from, to), ([.., a, b], [.., c, d]) if a == d && b == c)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slip_of_a_letter_is_recognised() {
        assert_eq!(nearest("sumbit", &["started", "submit", "stop"]), Some("submit"));
    }

    #[test]
    fn word_unlike_any_other_is_not_guessed() {
        assert_eq!(nearest("banana", &["submit", "cancel"]), None);
    }

    #[test]
    fn short_word_is_not_taken_for_an_unrelated_short_word() {
        assert_eq!(nearest("xyz", &["why", "at"]), None);
    }
}
