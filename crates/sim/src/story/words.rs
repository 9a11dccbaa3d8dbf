//! The words of one command: quoted text is one word, a comma ends a clause, parentheses stand
//! alone. A comma inside a word (`n[1,3]`) belongs to it.

use muster_model::name;

use super::guess;
use crate::error::SimError;

/// Why a command could not be read, without its place; the layout adds file and line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// What is wrong and what was expected.
    pub(super) what: String,
    /// What was probably meant.
    pub(super) meant: Option<String>,
}

pub(super) type Parsed<T> = Result<T, Problem>;

impl Problem {
    pub(super) fn new(what: impl Into<String>) -> Problem {
        Problem { what: what.into(), meant: None }
    }

    /// A word that is none of those known at this point.
    pub(super) fn unknown(kind: &str, word: &str, known: &[&str]) -> Problem {
        Problem {
            what: format!(
                "unknown {kind} {}, expected one of: {}",
                name::quoted(word),
                known.join(", ")
            ),
            meant: guess::nearest(word, known).map(str::to_owned),
        }
    }
}

impl From<SimError> for Problem {
    fn from(error: SimError) -> Problem {
        Problem::new(error.to_string())
    }
}

/// One piece of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Letters as written.
    Plain(String),
    /// Text between double quotes.
    Quoted(String),
    /// A comma between clauses.
    Comma,
    /// `(`
    Open,
    /// `)`
    Close,
}

impl Word {
    fn text(&self) -> &str {
        match self {
            Word::Plain(text) | Word::Quoted(text) => text,
            Word::Comma => ",",
            Word::Open => "(",
            Word::Close => ")",
        }
    }

    fn shown(&self) -> String {
        match self {
            Word::Plain(text) => name::quoted(text),
            Word::Quoted(text) => name::quoted(text).replace('`', "\""),
            Word::Comma => "a comma".to_owned(),
            Word::Open => "`(`".to_owned(),
            Word::Close => "`)`".to_owned(),
        }
    }
}

/// A reader of words, from left to right.
#[derive(Clone, Debug)]
pub(super) struct Words {
    words: Vec<Word>,
    next: usize,
}

impl Words {
    pub(super) fn of(text: &str) -> Parsed<Words> {
        let mut words = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let (word, after) = match first {
                '"' => quoted(rest)?,
                '(' => (Word::Open, &rest[1..]),
                ')' => (Word::Close, &rest[1..]),
                ',' => (Word::Comma, &rest[1..]),
                _ => plain(rest),
            };
            words.push(word);
            rest = after.trim_start();
        }
        Ok(Words { words, next: 0 })
    }

    pub(super) fn is_done(&self) -> bool {
        self.next == self.words.len()
    }

    pub(super) fn peek(&self) -> Option<&Word> {
        self.words.get(self.next)
    }

    /// The next word if it is a plain one, without taking it.
    pub(super) fn peek_plain(&self) -> Option<&str> {
        match self.peek() {
            Some(Word::Plain(text)) => Some(text),
            _ => None,
        }
    }

    /// Takes the next word, which must be a plain one.
    pub(super) fn plain(&mut self, expected: &str) -> Parsed<String> {
        match self.peek() {
            Some(Word::Plain(text)) => {
                let text = text.clone();
                self.next += 1;
                Ok(text)
            }
            other => Err(missing(expected, other)),
        }
    }

    /// Takes the next word, which must be quoted.
    pub(super) fn quoted(&mut self, expected: &str) -> Parsed<String> {
        match self.peek() {
            Some(Word::Quoted(text)) => {
                let text = text.clone();
                self.next += 1;
                Ok(text)
            }
            other => Err(missing(expected, other)),
        }
    }

    /// Takes the next word if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.peek_plain() == Some(word);
        self.next += usize::from(found);
        found
    }

    /// Takes the next word, which must be this one.
    pub(super) fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.take(word) { Ok(()) } else { Err(missing(&format!("`{word}`"), self.peek())) }
    }

    /// Takes a mark if it comes next.
    pub(super) fn take_mark(&mut self, mark: &Word) -> bool {
        let found = self.peek() == Some(mark);
        self.next += usize::from(found);
        found
    }

    /// Refuses anything that is left over.
    pub(super) fn end(&self) -> Parsed<()> {
        if self.is_done() { Ok(()) } else { Err(missing("the end of the line", self.peek())) }
    }

    /// Whether a clause ends here.
    pub(super) fn at_clause_end(&self) -> bool {
        matches!(self.peek(), None | Some(Word::Comma | Word::Close))
    }

    /// Takes the rest of a clause as text.
    pub(super) fn clause(&mut self) -> String {
        let rest = &self.words[self.next..];
        let clause = rest.iter().take_while(|word| **word != Word::Comma);
        let texts: Vec<&str> = clause.map(Word::text).collect();
        self.next += texts.len();
        texts.join(" ")
    }

    /// Takes the comma before a further clause; `false` at the end of the line.
    pub(super) fn next_clause(&mut self) -> Parsed<bool> {
        if self.take_mark(&Word::Comma) {
            return Ok(true);
        }
        self.end().map(|()| false)
    }
}

fn missing(expected: &str, found: Option<&Word>) -> Problem {
    let found = found.map_or("the line ends".to_owned(), |word| format!("found {}", word.shown()));
    Problem::new(format!("expected {expected}, but {found}"))
}

fn quoted(text: &str) -> Parsed<(Word, &str)> {
    let inner = &text[1..];
    let Some(end) = inner.find('"') else {
        return Err(Problem::new(
            "a quoted name is not closed, expected `\"` before the line ends",
        ));
    };
    Ok((Word::Quoted(inner[..end].to_owned()), &inner[end + 1..]))
}

/// A word up to a space, a parenthesis or a comma that ends it.
fn plain(text: &str) -> (Word, &str) {
    let mut end = text.len();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let after = letters.peek().map(|&(_, next)| next);
        let ends_clause = letter == ',' && after.is_none_or(char::is_whitespace);
        if letter.is_whitespace() || matches!(letter, '(' | ')') || ends_clause {
            end = at;
            break;
        }
    }
    (Word::Plain(text[..end].to_owned()), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::{Word, Words};

    fn plain(text: &str) -> Word {
        Word::Plain(text.to_owned())
    }

    #[test]
    fn comma_inside_a_word_belongs_to_it_and_at_its_end_starts_a_clause() {
        let words = Words::of("node n[1,3], cpus 4").unwrap();
        let found = [plain("node"), plain("n[1,3]"), Word::Comma, plain("cpus"), plain("4")];
        assert_eq!(words.words, found);
    }

    #[test]
    fn quoted_text_and_parentheses_are_words_of_their_own() {
        let words = Words::of("submit \"two words\" (4 cpus)").unwrap();
        let quoted = Word::Quoted("two words".to_owned());
        let found = [plain("submit"), quoted, Word::Open, plain("4"), plain("cpus"), Word::Close];
        assert_eq!(words.words, found);
    }

    #[test]
    fn missing_word_is_named_with_what_was_found_instead() {
        let mut words = Words::of("why , 2").unwrap();
        words.expect("why").unwrap();
        let problem = words.plain("a job's number").unwrap_err();
        assert_eq!(problem.what, "expected a job's number, but found a comma");
    }

    #[test]
    fn open_quote_is_refused() {
        let problem = Words::of("submit \"train").unwrap_err();
        assert!(problem.what.contains("not closed"), "{}", problem.what);
    }
}
