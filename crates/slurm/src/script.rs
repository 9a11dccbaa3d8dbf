//! Reads the `#SBATCH` lines of a script by Slurm's rules.
//!
//! The first line names an interpreter. A directive begins in column 0 and comes before the first
//! line that is neither a comment nor empty; what looks like one elsewhere is reported, because
//! Slurm passes over it in silence. The words of all directives form one list, so an option may
//! stand on one line and its value on the next.

mod split;

use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::error::{Origin, Refusal, Refused};
use crate::options::{Reader, Setting};

const DIRECTIVE: &str = "#SBATCH";

/// Lines of other systems that Slurm obeys unless told not to.
const FOREIGN: [&str; 2] = ["#PBS", "#BSUB"];

/// The words that begin another part of a heterogeneous job.
const SEPARATORS: [&str; 2] = ["hetjob", "packjob"];

/// What a script says to `sbatch`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The options of its directives, in order.
    pub settings: Vec<Setting>,
    /// Lines that look like directives and are none.
    pub ignored: Vec<IgnoredLine>,
    /// Directives of other systems.
    pub foreign: Vec<IgnoredLine>,
}

/// A line that has no effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IgnoredLine {
    /// Its number; the first is 1.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// Why it has none.
    pub because: Because,
}

/// Why a line that looks like a directive is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// It stands behind the first command.
    AfterCommand,
    /// It does not begin in column 0.
    Indented,
    /// It is not written in capitals.
    LowerCase,
    /// It is meant for another system.
    OtherSystem,
}

impl Script {
    /// Reads a script; every mistake otherwise.
    ///
    /// ```
    /// use muster_slurm::script::Script;
    ///
    /// let script = b"#!/bin/sh\n#SBATCH -N 2 --gres=gpu:8 # two\nsrun train\n#SBATCH -n 3\n";
    /// let script = Script::read(script).expect("a good script");
    /// assert_eq!(script.settings.len(), 2);
    /// assert_eq!(script.ignored[0].line, 4);
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Script, Vec<Refused>> {
        let text = text(bytes).map_err(|why| vec![Refused::new(Origin::Script(1), why)])?;
        let mut script = Script::default();
        let mut words = Vec::new();
        let mut refused = Vec::new();
        let mut is_over = false;
        for (index, line) in text.lines().enumerate().skip(1) {
            let number = index + 1;
            if let (false, Some(rest)) = (is_over, line.strip_prefix(DIRECTIVE)) {
                match split::words(rest) {
                    Ok(found) => words.extend(found.into_iter().map(|word| (word, number))),
                    Err(why) => refused.push(Refused::new(Origin::Script(number), why)),
                }
                continue;
            }
            script.look_at(line, number, is_over);
            let trimmed = line.trim_start();
            is_over |= !trimmed.is_empty() && !trimmed.starts_with('#');
        }
        script.take(words, &mut refused);
        if refused.is_empty() { Ok(script) } else { Err(refused) }
    }

    /// Remembers a line that somebody may have taken for a directive.
    fn look_at(&mut self, line: &str, number: usize, is_over: bool) {
        let keep = |because| IgnoredLine { line: number, text: line.to_owned(), because };
        let trimmed = line.trim_start();
        let begins = |word: &str| {
            let start = trimmed.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        if is_over && line.starts_with(DIRECTIVE) {
            self.ignored.push(keep(Because::AfterCommand));
        } else if !is_over && trimmed.len() < line.len() && trimmed.starts_with(DIRECTIVE) {
            self.ignored.push(keep(Because::Indented));
        } else if !is_over && begins(DIRECTIVE) {
            self.ignored.push(keep(Because::LowerCase));
        } else if !is_over && FOREIGN.iter().any(|word| line.starts_with(word)) {
            self.foreign.push(keep(Because::OtherSystem));
        }
    }

    fn take(&mut self, words: Vec<(String, usize)>, refused: &mut Vec<Refused>) {
        let words = words.into_iter().map(|(word, line)| (word, Origin::Script(line)));
        let mut reader = Reader::new(Command::Sbatch, words);
        // Each round takes at least one word or is the last.
        loop {
            match reader.option(&mut self.settings) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(problem) => {
                    skip_line(&mut reader, &problem.origin);
                    refused.push(problem);
                    continue;
                }
            }
            let Some((word, origin)) = reader.words.next() else { break };
            skip_line(&mut reader, &origin);
            refused.push(Refused::new(origin, stray(word)));
        }
    }
}

/// What follows a mistake on its line only repeats it.
fn skip_line(reader: &mut Reader<impl Iterator<Item = (String, Origin)>>, origin: &Origin) {
    while reader.words.next_if(|(_, place)| place == origin).is_some() {}
}

fn stray(word: String) -> Refusal {
    if !SEPARATORS.contains(&word.as_str()) {
        return Refusal::StrayWord { word };
    }
    let advice = "submit the parts as jobs with --dependency, or as a job file with groups";
    Refusal::Unsupported { option: word, advice: advice.to_owned() }
}

/// The text of a script, if it is one.
fn text(bytes: &[u8]) -> Result<std::borrow::Cow<'_, str>, Refusal> {
    let no = |what, advice| Err(Refusal::NoScript { what, advice });
    if bytes.is_empty() {
        return no("the script is empty", "give the name of a script, or a command with --wrap");
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return no("the script begins with a byte order mark", "save it as UTF-8 without one");
    }
    if !bytes.starts_with(b"#!") {
        return no(
            "the first line names no interpreter",
            "begin the script with a line such as #!/bin/bash, or use --wrap for a command",
        );
    }
    if bytes.contains(&0) {
        return no("the script contains a zero byte", "submit a text that runs the program");
    }
    if bytes.windows(2).any(|pair| pair == b"\r\n") {
        return no("the script has line ends of DOS", "convert it, for example with dos2unix");
    }
    Ok(String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests;
