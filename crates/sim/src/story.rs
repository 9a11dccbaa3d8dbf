//! Golden stories: plain text that tells one behaviour, with commands to the engine and what it
//! is expected to answer. A story is documentation that is checked.
//!
//! ```
//! use muster_sim::story::Story;
//!
//! let text = "# One node\n\n    node n1 H100x8\n      > n1 joined\n";
//! let story = Story::read("one-node.story", text)?;
//! assert_eq!(story.title(), "One node");
//! let error = Story::read("slip.story", "    nude n1 H100x8\n").unwrap_err();
//! assert!(error.to_string().starts_with("slip.story:1: unknown verb `nude`"));
//! # Ok::<(), muster_sim::story::StoryError>(())
//! ```

mod act;
mod guess;
mod layout;
mod parse;
mod play;
mod words;
mod write;

use serde::Serialize;
use thiserror::Error;

pub use act::START;
use layout::{Part, Step};
use play::Player;
use words::Problem;
pub use write::Writer;

/// What is wrong with a story, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {what}{}", hint(.meant.as_deref()))]
pub struct StoryError {
    /// The story's file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub what: String,
    /// What was probably meant.
    pub meant: Option<String>,
}

fn hint(meant: Option<&str>) -> String {
    meant.map(|meant| format!("\nhint: did you mean `{meant}`?")).unwrap_or_default()
}

/// A story that could be read.
#[derive(Clone, Debug)]
pub struct Story {
    file: String,
    title: String,
    parts: Vec<Part>,
}

impl Story {
    /// Reads a story; `file` is what errors call it.
    pub fn read(file: &str, text: &str) -> Result<Story, StoryError> {
        let parts = layout::parts(text).map_err(|(line, problem)| at(file, line, problem))?;
        let title = parts.iter().find_map(|part| match part {
            Part::Prose(line) => line.strip_prefix("# ").map(str::to_owned),
            Part::Step(_) => None,
        });
        Ok(Story { file: file.to_owned(), title: title.unwrap_or_default(), parts })
    }

    /// Its first heading.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Plays all commands, each watched by the checker.
    pub fn play(&self) -> Result<Played, StoryError> {
        let mut player = Player::new();
        let mut exchanges = Vec::new();
        for step in self.steps() {
            let printed =
                player.play(&step.act).map_err(|problem| at(&self.file, step.line, problem))?;
            exchanges.push(Exchange {
                line: step.line,
                command: command(step),
                expected: step.expected.clone(),
                printed,
            });
        }
        Ok(Played { file: self.file.clone(), title: self.title.clone(), exchanges })
    }

    /// The story's text with what the commands printed in place of what was expected.
    pub fn rewritten(&self, played: &Played) -> String {
        let mut printed = played.exchanges.iter().map(|exchange| exchange.printed.clone());
        layout::rewritten(&self.parts, |_| printed.next().unwrap_or_default())
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.parts.iter().filter_map(|part| match part {
            Part::Step(step) => Some(&**step),
            Part::Prose(_) => None,
        })
    }
}

/// What a story's commands printed.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// The story's file.
    pub file: String,
    /// Its title.
    pub title: String,
    /// Every command with its answer.
    pub exchanges: Vec<Exchange>,
}

/// A command of a story with its answer.
#[derive(Clone, Debug, Serialize)]
pub struct Exchange {
    /// Where the command begins, counted from 1.
    pub line: usize,
    /// The command as written, in one line.
    pub command: String,
    /// What it should print.
    pub expected: Vec<String>,
    /// What it printed.
    pub printed: Vec<String>,
}

impl Exchange {
    /// Whether it printed what it should.
    pub fn is_as_expected(&self) -> bool {
        self.expected == self.printed
    }
}

impl Played {
    /// The commands that printed something else than expected.
    pub fn differences(&self) -> impl Iterator<Item = &Exchange> {
        self.exchanges.iter().filter(|exchange| !exchange.is_as_expected())
    }

    /// The differences as text to read, empty where there are none.
    pub fn complaint(&self) -> String {
        let mut text = String::new();
        for exchange in self.differences() {
            text.push_str(&format!("{}:{}: {}\n", self.file, exchange.line, exchange.command));
            for line in &exchange.expected {
                let mark = if exchange.printed.contains(line) { ' ' } else { '-' };
                text.push_str(&format!("  {mark} {line}\n"));
            }
            for line in exchange.printed.iter().filter(|line| !exchange.expected.contains(line)) {
                text.push_str(&format!("  + {line}\n"));
            }
        }
        text
    }
}

fn command(step: &Step) -> String {
    step.written.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn at(file: &str, line: usize, problem: Problem) -> StoryError {
    StoryError { file: file.to_owned(), line, what: problem.what, meant: problem.meant }
}

#[cfg(test)]
mod tests;
