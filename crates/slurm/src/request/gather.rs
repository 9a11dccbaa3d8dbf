//! Puts settings in order: directives first, then the environment, then the command line, so that
//! each overrules the one before.

use super::{Note, Reading};
use crate::error::{Origin, Refusal, Refused};
use crate::options::{Arguments, Setting};
use crate::script::Script;

/// Options of which a request may have one.
const MEMORY: [&str; 3] = ["mem", "mem-per-cpu", "mem-per-gpu"];

/// Where a request comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The command line.
    pub arguments: Arguments,
    /// The environment.
    pub environment: Vec<Setting>,
    /// The script.
    pub script: Option<Script>,
}

impl Sources {
    /// All settings, the more important ones later.
    pub(super) fn in_order(
        mut self,
        reading: &mut Reading,
        refused: &mut Vec<Refused>,
    ) -> Vec<Setting> {
        let script = self.script.take().unwrap_or_default();
        reading.rest = std::mem::take(&mut self.arguments.rest);
        reading.notes.extend(script.ignored.iter().cloned().map(Note::Ignored));
        let written: Vec<&Setting> =
            script.settings.iter().chain(&self.arguments.settings).collect();
        self.environment.retain(|setting| !is_other_memory(setting, &written));
        let of_memory = written.iter().copied().chain(&self.environment);
        refused.extend(two_kinds_of_memory(of_memory));
        let settings: Vec<Setting> = script
            .settings
            .iter()
            .chain(&self.environment)
            .chain(&self.arguments.settings)
            .cloned()
            .collect();
        let ignores = settings.iter().any(|setting| setting.row.name == "ignore-pbs");
        for line in script.foreign {
            if ignores {
                reading.notes.push(Note::Ignored(line));
                continue;
            }
            let word = line.text.split_whitespace().next().unwrap_or_default().to_owned();
            let advice =
                "write the line as #SBATCH, or add --ignore-pbs to pass over it".to_owned();
            let why = Refusal::Unsupported { option: word, advice };
            refused.push(Refused::new(Origin::Script(line.line), why));
        }
        settings
    }
}

/// Whether the environment asks for memory in one way and somebody wrote another.
fn is_other_memory(setting: &Setting, written: &[&Setting]) -> bool {
    let is_memory = |setting: &Setting| MEMORY.contains(&setting.row.name);
    is_memory(setting)
        && written.iter().any(|other| is_memory(other) && other.row.name != setting.row.name)
}

/// The second way in which memory is asked for, which no order can settle.
fn two_kinds_of_memory<'a>(settings: impl Iterator<Item = &'a Setting>) -> Option<Refused> {
    let mut found = settings.filter(|setting| MEMORY.contains(&setting.row.name));
    let first = found.next()?;
    let second = found.find(|setting| setting.row.name != first.row.name)?;
    let options = vec![first.row.written(), second.row.written()];
    let why = "memory is counted in one way only".to_owned();
    Some(Refused::new(second.origin.clone(), Refusal::Conflict { options, why }))
}
