//! The names of files for input and output: `logs/%x-%4j.out`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::refuse;

/// Slurm fills up to so many digits.
const WIDTH_MAX: usize = 10;

/// What `%a` is where there is no array.
const NO_INDEX: u64 = 4_294_967_294;

/// A name with places to fill in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pattern(String);

/// What is filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternValues<'a> {
    /// `%j`: the job; `%A` where it is no element of an array.
    pub job: u64,
    /// `%A` and `%a`: the array and the index of the element.
    pub array: Option<(u64, u32)>,
    /// `%s`: the step; none for the script itself.
    pub step: Option<u32>,
    /// `%t`: the task within the step.
    pub task: u32,
    /// `%n`: the node within the job.
    pub node: u32,
    /// `%N`: the name of the node, of which the part before a point is used.
    pub host: &'a str,
    /// `%u`: the user.
    pub user: &'a str,
    /// `%x`: the name of the job.
    pub job_name: &'a str,
}

impl Pattern {
    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the tasks of a step write to files of their own.
    pub fn is_per_task(&self) -> bool {
        self.0.contains('%') && self.letters().any(|letter| letter == 't')
    }

    /// The name with everything filled in. A backslash anywhere keeps all signs as they are.
    ///
    /// ```
    /// use muster_slurm::values::{Pattern, PatternValues};
    ///
    /// let pattern: Pattern = "%x-%4j-%t.out".parse()?;
    /// let values = PatternValues { job: 7, job_name: "train", ..PatternValues::default() };
    /// assert_eq!(pattern.expand(&values), "train-0007-0.out");
    /// # Ok::<(), muster_model::Invalid>(())
    /// ```
    pub fn expand(&self, values: &PatternValues<'_>) -> String {
        if self.0.contains('\\') {
            return self.0.replace('\\', "");
        }
        let mut name = String::new();
        let mut rest = self.0.as_str();
        while let Some(at) = rest.find('%') {
            name.push_str(&rest[..at]);
            let behind = &rest[at + 1..];
            let width =
                behind.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(behind.len());
            let (digits, behind) = behind.split_at(width);
            let letter = behind.chars().next();
            let least = digits.parse().unwrap_or(0).min(WIDTH_MAX);
            match letter.and_then(|letter| values.filled(letter, least)) {
                Some(text) => name.push_str(&text),
                None => {
                    let sign = &rest[at..rest.len() - behind.len()];
                    name.push_str(sign);
                    name.extend(letter);
                }
            }
            rest = &behind[letter.map_or(0, char::len_utf8)..];
        }
        name.push_str(rest);
        name
    }

    /// The letters behind the signs.
    fn letters(&self) -> impl Iterator<Item = char> {
        let parts = self.0.split('%').skip(1);
        parts.filter_map(|part| part.chars().find(|letter| !letter.is_ascii_digit()))
    }
}

impl PatternValues<'_> {
    fn filled(&self, letter: char, width: usize) -> Option<String> {
        let number = |number: u64| format!("{number:0width$}");
        let (array, index) = match self.array {
            Some((array, index)) => (array, u64::from(index)),
            None => (self.job, NO_INDEX),
        };
        Some(match letter {
            '%' => "%".to_owned(),
            'A' => number(array),
            'a' => number(index),
            'b' => number(index % 10),
            'J' => match self.step {
                Some(step) => format!("{}.{}", number(self.job), number(u64::from(step))),
                None => number(self.job),
            },
            'j' => number(self.job),
            'N' => self.host.split('.').next().unwrap_or_default().to_owned(),
            'n' => number(u64::from(self.node)),
            's' => self.step.map_or("batch".to_owned(), |step| number(u64::from(step))),
            't' => number(u64::from(self.task)),
            'u' => self.user.to_owned(),
            'x' => self.job_name.to_owned(),
            _ => return None,
        })
    }
}

impl FromStr for Pattern {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Pattern, Invalid> {
        let is_name = !text.is_empty() && !text.contains('\0');
        is_name.then(|| Pattern(text.to_owned())).ok_or_else(|| {
            refuse("output", text, "expected the name of a file, such as `logs/%x-%j.out`")
        })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
