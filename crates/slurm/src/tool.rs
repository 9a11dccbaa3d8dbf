//! The words of the commands that look and act, such as `squeue` and `scancel`: options anywhere,
//! as GNU's `getopt` takes them and complains about them.

mod table;

pub use table::{SACCT, SACCTMGR, SCANCEL, SCONTROL, SINFO, SPRIO, SQUEUE, SREPORT, SSHARE, TOOLS};

use std::iter::Peekable;

use crate::options::Takes;

/// A command and its options.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// How it is called, in a line.
    pub usage: &'static str,
    /// Its options.
    pub options: &'static [ToolOption],
}

/// One option of a tool.
#[derive(Debug, PartialEq, Eq)]
pub struct ToolOption {
    /// Its long name, without dashes; empty where it has only a letter.
    pub name: &'static str,
    /// Its letter; a blank where it has none.
    pub letter: char,
    /// Whether it takes a value.
    pub takes: Takes,
    /// Whether it is obeyed; others are read and change nothing.
    pub does: Does,
    /// What it does, in a few words.
    pub help: &'static str,
}

/// What an option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// What it says.
    All,
    /// Nothing: the answer is right without it.
    Nothing,
    /// It is refused: the answer would be wrong without it.
    Refused,
}

/// The words of a tool, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The options by name, in order; those without a name by their letter.
    options: Vec<(&'static str, Option<String>)>,
    /// The other words.
    pub rest: Vec<String>,
}

impl Given {
    /// Whether an option was given.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| *given == name)
    }

    /// How often an option was given.
    pub fn count(&self, name: &str) -> usize {
        self.options.iter().filter(|(given, _)| *given == name).count()
    }

    /// The value that was given last.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut given = self.options.iter().rev().filter(|(given, _)| *given == name);
        given.find_map(|(_, value)| value.as_deref())
    }

    /// The values of an option that is a list, of all its mentions.
    pub fn list(&self, name: &str) -> Option<Vec<String>> {
        let values: Vec<&str> = self
            .options
            .iter()
            .filter(|(given, _)| *given == name)
            .filter_map(|(_, value)| value.as_deref())
            .collect();
        let words = values.iter().flat_map(|value| value.split(','));
        let words: Vec<String> =
            words.map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        (!values.is_empty()).then_some(words)
    }

    /// Whichever of these was given last.
    pub fn last<'a>(&self, names: &[&'a str]) -> Option<&'a str> {
        let given = self.options.iter().rev();
        let mut known = given.filter_map(|(given, _)| names.iter().find(|name| *name == given));
        known.next().copied()
    }
}

impl Tool {
    /// Reads the words, or says what is wrong as the command would.
    ///
    /// ```
    /// use muster_slurm::tool::SQUEUE;
    ///
    /// let words = ["-hu", "user-a", "--stat=PD"].map(str::to_owned);
    /// let given = SQUEUE.read(words).expect("good words");
    /// assert_eq!((given.value("user"), given.value("states")), (Some("user-a"), Some("PD")));
    /// let refused = SQUEUE.read(["--bogus".to_owned()]).expect_err("no such option");
    /// assert_eq!(refused.lines().next(), Some("squeue: unrecognized option '--bogus'"));
    /// ```
    pub fn read(&self, words: impl IntoIterator<Item = String>) -> Result<Given, String> {
        let mut given = Given::default();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            if word == "--" {
                given.rest.extend(words);
                break;
            }
            let taken = match word.strip_prefix("--") {
                Some(long) => self.long(long, &mut words, &mut given),
                None if word.starts_with('-') && word.len() > 1 => {
                    self.letters(&word[1..], &mut words, &mut given)
                }
                None => {
                    given.rest.push(word);
                    Ok(())
                }
            };
            taken.map_err(|what| {
                let name = self.name;
                format!("{name}: {what}\nTry \"{name} --help\" for more information")
            })?;
        }
        Ok(given)
    }

    fn long(
        &self,
        word: &str,
        words: &mut Peekable<impl Iterator<Item = String>>,
        given: &mut Given,
    ) -> Result<(), String> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word, None),
        };
        let option = self.by_prefix(name, word)?;
        let value = match (option.takes, value) {
            (Takes::Nothing, Some(_)) => {
                return Err(format!("option '--{}' doesn't allow an argument", option.name));
            }
            (Takes::Value, None) => {
                let next = words.next();
                Some(
                    next.ok_or_else(|| format!("option '--{}' requires an argument", option.name))?,
                )
            }
            (Takes::MaybeValue, None) => option.number(words),
            (_, value) => value,
        };
        given.options.push((option.key(), value));
        option.allowed()
    }

    fn by_prefix(&self, name: &str, word: &str) -> Result<&'static ToolOption, String> {
        let named = self.options.iter().filter(|option| !option.name.is_empty());
        let mut begun: Vec<_> = named.filter(|option| option.name.starts_with(name)).collect();
        if let Some(exact) = begun.iter().position(|option| option.name == name) {
            return Ok(begun.swap_remove(exact));
        }
        match begun[..] {
            [option] => Ok(option),
            [] => Err(format!("unrecognized option '--{word}'")),
            _ => {
                let names: Vec<String> =
                    begun.iter().map(|option| format!("'--{}'", option.name)).collect();
                let names = names.join(" ");
                Err(format!("option '--{word}' is ambiguous; possibilities: {names}"))
            }
        }
    }

    /// Letters without values may stand together; the first that takes one takes the rest.
    fn letters(
        &self,
        letters: &str,
        words: &mut Peekable<impl Iterator<Item = String>>,
        given: &mut Given,
    ) -> Result<(), String> {
        for (at, letter) in letters.char_indices() {
            let found = self.options.iter().find(|option| option.letter == letter);
            let option = found.ok_or_else(|| format!("invalid option -- '{letter}'"))?;
            let rest = &letters[at + letter.len_utf8()..];
            let value = match (option.takes, rest) {
                (Takes::Nothing, _) => None,
                (Takes::MaybeValue, "") => option.number(words),
                (Takes::Value, "") => {
                    let missing = || format!("option requires an argument -- '{letter}'");
                    Some(words.next().ok_or_else(missing)?)
                }
                (_, rest) => Some(rest.to_owned()),
            };
            let is_last = value.is_some();
            given.options.push((option.key(), value));
            option.allowed()?;
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// The options, for people.
    pub fn help(&self) -> String {
        let mut text = format!("Usage: {}\n", self.usage);
        for option in self.options.iter().filter(|option| option.does == Does::All) {
            let letter = match option.letter {
                ' ' => "    ".to_owned(),
                letter if option.name.is_empty() => format!("-{letter}"),
                letter => format!("-{letter}, "),
            };
            let name =
                if option.name.is_empty() { String::new() } else { format!("--{}", option.name) };
            let value = match option.takes {
                Takes::Nothing => "",
                Takes::Value => "=VALUE",
                Takes::MaybeValue => "[=VALUE]",
            };
            let left = format!("{letter}{name}{value}");
            text.push_str(&format!("  {left:<28} {}\n", option.help));
        }
        text
    }
}

impl ToolOption {
    /// Numbers of jobs and steps may stand in the next word also where they are no must.
    fn number(&self, words: &mut Peekable<impl Iterator<Item = String>>) -> Option<String> {
        words.next_if(|word| matches!(self.name, "jobs" | "steps") && !word.starts_with('-'))
    }

    fn key(&'static self) -> &'static str {
        self.name
    }

    fn allowed(&self) -> Result<(), String> {
        match self.does {
            Does::Refused => Err(format!("option '--{}' is not supported by Muster", self.name)),
            Does::All | Does::Nothing => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
