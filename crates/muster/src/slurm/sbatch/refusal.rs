//! What is wrong with a submission, first in Slurm's words where it has some.

use muster_slurm::{Origin, Refusal, Refused};

use super::NAME;
use crate::slurm::Stop;

/// What Slurm exits with when an option cannot be read.
const OPTION: u8 = 255;

/// One option that cannot be read.
pub(in crate::slurm) fn option(refused: &Refused) -> Stop {
    several(std::slice::from_ref(refused))
}

/// Everything that is wrong.
pub(in crate::slurm) fn several(all: &[Refused]) -> Stop {
    let lines: Vec<String> = all.iter().map(words).collect();
    let is_option = all.first().is_some_and(|refused| is_option(&refused.why));
    Stop::plain(lines.join("\n"), if is_option { OPTION } else { 1 })
}

fn is_option(why: &Refusal) -> bool {
    matches!(
        why,
        Refusal::Unknown { .. }
            | Refusal::OfOthers { .. }
            | Refusal::Ambiguous { .. }
            | Refusal::ValueMissing { .. }
            | Refusal::ValueUnexpected { .. }
    ) || matches!(why, Refusal::Value(invalid) if invalid.field == "--time")
}

fn words(refused: &Refused) -> String {
    let slurms = match &refused.why {
        Refusal::Unknown { option, .. } | Refusal::OfOthers { option, .. } => Some(unknown(option)),
        Refusal::Ambiguous { option, candidates } => {
            let names: Vec<String> = candidates.iter().map(|name| format!("'{name}'")).collect();
            let names = names.join(" ");
            Some(format!("{NAME}: option '{option}' is ambiguous; possibilities: {names}"))
        }
        Refusal::ValueMissing { option } => match option.strip_prefix("--") {
            Some(_) => Some(format!("{NAME}: option '{option}' requires an argument")),
            None => {
                let letter = option.trim_start_matches('-');
                Some(format!("{NAME}: option requires an argument -- '{letter}'"))
            }
        },
        Refusal::ValueUnexpected { option, .. } => {
            Some(format!("{NAME}: option '{option}' doesn't allow an argument"))
        }
        Refusal::Value(invalid) if invalid.field == "--dependency" => {
            let failed = "Batch job submission failed: Job dependency problem";
            Some(format!("{NAME}: error: {failed}"))
        }
        Refusal::Value(invalid) if invalid.field == "--array" => {
            let failed = "Batch job submission failed: Invalid job array specification";
            Some(format!("{NAME}: error: {failed}"))
        }
        Refusal::Value(invalid) => {
            Some(format!("{NAME}: error: Invalid {} specification", invalid.field))
        }
        Refusal::NoScript { what, .. } if what.contains("empty") => {
            Some(format!("{NAME}: error: Batch script is empty!"))
        }
        Refusal::NoScript { what, .. } if what.contains("DOS") => Some(format!(
            "{NAME}: error: Batch script contains DOS line breaks (\\r\\n)\n\
             {NAME}: error: instead of expected UNIX line breaks (\\n)."
        )),
        Refusal::NoScript { .. } => Some(format!(
            "{NAME}: error: This does not look like a batch script.  The first\n\
             {NAME}: error: line must start with #! followed by the path to an interpreter.\n\
             {NAME}: error: For instance: #!/bin/sh"
        )),
        _ => None,
    };
    let place = match &refused.origin {
        Origin::CommandLine | Origin::Request => String::new(),
        other => format!("{other}: "),
    };
    let ours = format!("{place}{}", refused.why);
    match slurms {
        // Behind Slurm's own words, ours are what helps.
        Some(slurms) => {
            let lines = ours.lines().map(|line| line.strip_prefix("hint: ").unwrap_or(line));
            let hints: Vec<String> = lines.map(|line| format!("{NAME}: hint: {line}")).collect();
            format!("{slurms}\n{}", hints.join("\n"))
        }
        None => Stop::error(NAME, ours).said,
    }
}

fn unknown(option: &str) -> String {
    let said = match option.strip_prefix("--") {
        Some(_) => format!("{NAME}: unrecognized option '{option}'"),
        None => format!("{NAME}: invalid option -- '{}'", option.trim_start_matches('-')),
    };
    format!("{said}\nTry \"{NAME} --help\" for more information")
}
