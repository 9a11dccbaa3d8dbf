//! Takes a directive apart. The rules are Slurm's, not a shell's: a `#` outside of quotes ends the
//! line even within a word, a backslash keeps the next character but not a space, quotes may stand
//! within a word, and nothing is expanded.

use crate::error::Refusal;

/// The words behind `#SBATCH`.
pub(super) fn words(line: &str) -> Result<Vec<String>, Refusal> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (_, '\\') => match letters.next() {
                Some(space) if quote.is_none() && space.is_whitespace() => {
                    words.extend(word.take());
                }
                Some(kept) => word.get_or_insert_default().push(kept),
                None => {}
            },
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#') => break,
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(quote) = quote {
        return Err(Refusal::OpenQuote { quote });
    }
    words.extend(word);
    Ok(words)
}
