//! Turns words into settings, as `getopt` does: `--name=value`, `--name value`, `-Nvalue`,
//! `-N value`, several letters in one word, and unambiguous beginnings of names. The first word
//! that is no option ends them, and so does `--`.

use crate::command::Command;
use crate::error::{Origin, Refusal, Refused};
use crate::options::{OptionRow, Takes, by_letter, by_prefix};

/// One option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Which option.
    pub row: &'static OptionRow,
    /// Its value.
    pub value: Option<String>,
    /// Where it was written.
    pub origin: Origin,
}

/// The words of a command, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// The options, in order.
    pub settings: Vec<Setting>,
    /// The first word that is no option, and all after it: a script or a command with its own.
    pub rest: Vec<String>,
}

impl Arguments {
    /// Reads the arguments of a command, without its name.
    ///
    /// ```
    /// use muster_slurm::options::Arguments;
    /// use muster_slurm::Command;
    ///
    /// let words = ["-HN2", "--gres", "gpu:8", "train.sh", "--epochs=3"].map(str::to_owned);
    /// let arguments = Arguments::read(Command::Sbatch, words)?;
    /// assert_eq!(arguments.settings.len(), 3);
    /// assert_eq!(arguments.rest, ["train.sh", "--epochs=3"]);
    /// # Ok::<(), muster_slurm::Refused>(())
    /// ```
    pub fn read(
        command: Command,
        words: impl IntoIterator<Item = String>,
    ) -> Result<Arguments, Refused> {
        let words = words.into_iter().map(|word| (word, Origin::CommandLine));
        let mut reader = Reader::new(command, words);
        let mut settings = Vec::new();
        while reader.option(&mut settings)? {}
        Ok(Arguments { settings, rest: reader.words.map(|(word, _)| word).collect() })
    }
}

/// Takes options off the front of words whose places are known.
pub(crate) struct Reader<I: Iterator<Item = (String, Origin)>> {
    command: Command,
    /// What is left.
    pub(crate) words: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = (String, Origin)>> Reader<I> {
    pub(crate) fn new(command: Command, words: I) -> Self {
        Reader { command, words: words.peekable() }
    }

    /// Takes the settings of one word; says whether there was one.
    pub(crate) fn option(&mut self, settings: &mut Vec<Setting>) -> Result<bool, Refused> {
        let is_option = |(word, _): &(String, Origin)| word.starts_with('-') && word.len() > 1;
        let Some((word, origin)) = self.words.next_if(is_option) else { return Ok(false) };
        if word == "--" {
            return Ok(false);
        }
        let refuse = |why| Refused::new(origin.clone(), why);
        match word.strip_prefix("--") {
            Some(long) => settings.push(self.long(long, &origin).map_err(refuse)?),
            None => self.letters(&word[1..], &origin, settings).map_err(refuse)?,
        }
        Ok(true)
    }

    fn long(&mut self, word: &str, origin: &Origin) -> Result<Setting, Refusal> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word, None),
        };
        let row = by_prefix(self.command, name)?;
        let value = match (row.takes, value) {
            (Takes::Nothing, Some(value)) => {
                return Err(Refusal::ValueUnexpected { option: row.written(), value });
            }
            (Takes::Value, None) => Some(self.value(row.written())?),
            (_, value) => value,
        };
        Ok(Setting { row, value, origin: origin.clone() })
    }

    /// Letters without values may stand together; the first that takes one takes the rest.
    fn letters(
        &mut self,
        letters: &str,
        origin: &Origin,
        settings: &mut Vec<Setting>,
    ) -> Result<(), Refusal> {
        for (at, letter) in letters.char_indices() {
            let row = by_letter(self.command, letter)?;
            let rest = &letters[at + letter.len_utf8()..];
            let value = match (row.takes, rest) {
                (Takes::Nothing, _) => None,
                (Takes::Value, "") => Some(self.value(format!("-{letter}"))?),
                (Takes::MaybeValue, "") => None,
                (_, rest) => Some(rest.to_owned()),
            };
            let takes_rest = value.is_some();
            settings.push(Setting { row, value, origin: origin.clone() });
            if takes_rest {
                break;
            }
        }
        Ok(())
    }

    fn value(&mut self, option: String) -> Result<String, Refusal> {
        let next = self.words.next();
        next.map(|(word, _)| word).ok_or(Refusal::ValueMissing { option })
    }
}
