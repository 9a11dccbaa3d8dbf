//! When mail is sent.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::refuse;

const FORMS: &str = "expected NONE, ALL, or some of BEGIN, END, FAIL, REQUEUE, INVALID_DEPEND, \
                     STAGE_OUT, ARRAY_TASKS, TIME_LIMIT, TIME_LIMIT_90, TIME_LIMIT_80, \
                     TIME_LIMIT_50";

/// An event that mail is sent about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MailType {
    /// Start.
    Begin,
    /// End.
    End,
    /// Failure.
    Fail,
    /// Another attempt.
    Requeue,
    /// A dependency that cannot be met.
    InvalidDepend,
    /// The end of copying out.
    StageOut,
    /// Each element of an array instead of the whole.
    ArrayTasks,
    /// The time limit is reached.
    TimeLimit,
    /// Nine tenths of it are.
    TimeLimit90,
    /// Eight tenths of it are.
    TimeLimit80,
    /// Half of it is.
    TimeLimit50,
}

const WORDS: [(&str, MailType); 11] = [
    ("BEGIN", MailType::Begin),
    ("END", MailType::End),
    ("FAIL", MailType::Fail),
    ("REQUEUE", MailType::Requeue),
    ("INVALID_DEPEND", MailType::InvalidDepend),
    ("STAGE_OUT", MailType::StageOut),
    ("ARRAY_TASKS", MailType::ArrayTasks),
    ("TIME_LIMIT", MailType::TimeLimit),
    ("TIME_LIMIT_90", MailType::TimeLimit90),
    ("TIME_LIMIT_80", MailType::TimeLimit80),
    ("TIME_LIMIT_50", MailType::TimeLimit50),
];

/// How many of the words `ALL` stands for.
const ALL: usize = 6;

/// Some events, in a fixed order, each once; none is written as `NONE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MailTypes(pub Vec<MailType>);

impl FromStr for MailTypes {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<MailTypes, Invalid> {
        let mut types = Vec::new();
        for word in text.split(',') {
            let word = word.trim().to_ascii_uppercase();
            let known = WORDS.iter().find(|(known, _)| *known == word);
            match (word.as_str(), known) {
                ("NONE", _) => types.clear(),
                ("ALL", _) => types.extend(WORDS[..ALL].iter().map(|&(_, kind)| kind)),
                (_, Some(&(_, kind))) => types.push(kind),
                (_, None) => return Err(refuse("mail-type", text, FORMS)),
            }
        }
        types.sort_unstable();
        types.dedup();
        Ok(MailTypes(types))
    }
}

impl fmt::Display for MailTypes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str("NONE");
        }
        let words = WORDS.iter().filter(|(_, kind)| self.0.contains(kind));
        let words: Vec<&str> = words.map(|(word, _)| *word).collect();
        formatter.write_str(&words.join(","))
    }
}
