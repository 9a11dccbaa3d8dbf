//! Lines of `name=value`, as all of Slurm's files have them.

/// The most lines of one file: beyond this it is no configuration.
const LINES_MAX: usize = 1_000_000;

/// One line, with those that continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number; the first is 1.
    pub(super) number: usize,
    /// Names in small letters, and values.
    pub(super) pairs: Vec<(String, String)>,
}

impl Line {
    /// The value of a name.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The first name, which says what the line is about.
    pub(super) fn subject(&self) -> &str {
        self.pairs.first().map_or("", |(name, _)| name)
    }
}

/// The lines of a file; what has no equals sign has an empty value.
pub(super) fn of(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut begun: Option<(usize, String)> = None;
    for (index, raw) in text.lines().enumerate().take(LINES_MAX) {
        let bare = without_comment(raw);
        let (body, goes_on) = match bare.trim_end().strip_suffix('\\') {
            Some(body) => (body, true),
            None => (bare.trim_end(), false),
        };
        let (number, mut whole) = begun.take().unwrap_or((index + 1, String::new()));
        whole.push_str(body);
        if goes_on {
            whole.push(' ');
            begun = Some((number, whole));
            continue;
        }
        lines.extend(line(number, &whole));
    }
    lines.extend(begun.and_then(|(number, whole)| line(number, &whole)));
    lines
}

/// A hash begins a comment unless a backslash stands before it.
fn without_comment(raw: &str) -> String {
    let mut text = String::new();
    let mut letters = raw.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'#') => text.extend(letters.next()),
            '#' => break,
            _ => text.push(letter),
        }
    }
    text
}

fn line(number: usize, text: &str) -> Option<Line> {
    let mut pairs = Vec::new();
    for word in words(text) {
        let (name, value) = word.split_once('=').unwrap_or((&word, ""));
        pairs.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    (!pairs.is_empty()).then_some(Line { number, pairs })
}

/// Words between blanks; quotes keep blanks together and are taken off, and blanks around an
/// equals sign do not count.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut is_quoted) = (String::new(), false);
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            letter if letter.is_whitespace() && !is_quoted => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            letter => word.push(letter),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        let follows = joined.last().is_some_and(|last| last.ends_with('='));
        match joined.last_mut() {
            Some(last) if follows || word.starts_with('=') => last.push_str(&word),
            _ => joined.push(word),
        }
    }
    joined
}
