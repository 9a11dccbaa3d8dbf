//! The variables of the environment that mean options, and what they mean.
//!
//! The environment itself belongs to whoever calls: it is asked by name through a function.

mod table;

use crate::command::Command;
use crate::error::Origin;
use crate::options::{Setting, Takes, by_name};

pub use table::{Variable, variables};

/// The settings that the environment of a command makes, where `lookup` says what a variable holds.
///
/// ```
/// use muster_slurm::{Command, environment};
///
/// let lookup = |name: &str| (name == "SBATCH_TIMELIMIT").then(|| "10".to_owned());
/// let settings = environment::settings(Command::Sbatch, lookup);
/// assert_eq!(settings[0].row.name, "time");
/// ```
pub fn settings(command: Command, lookup: impl Fn(&str) -> Option<String>) -> Vec<Setting> {
    let mut settings = Vec::new();
    // Inside a job its name is there for programs to see; a step has another.
    let is_step = command == Command::Srun && lookup("SLURM_JOB_ID").is_some();
    for variable in variables(command) {
        if is_step && variable.option == "job-name" {
            continue;
        }
        let Some(text) = lookup(&variable.name) else { continue };
        let row =
            by_name(command, variable.option).expect("the table names options of its command");
        let value = match row.takes {
            Takes::Nothing if is_on(&text) => None,
            Takes::Nothing => continue,
            Takes::MaybeValue if text.is_empty() => None,
            Takes::MaybeValue | Takes::Value => Some(text),
        };
        let origin = Origin::Environment(variable.name);
        settings.push(Setting { row, value, origin });
    }
    wait_for_switches(command, &lookup, &mut settings);
    settings
}

/// Whether a variable switches an option on that takes no value: it is empty, says yes, or is a
/// number other than zero.
fn is_on(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.is_empty() || text == "yes" || (is_number && text.bytes().any(|byte| byte != b'0'))
}

/// How long to wait for few switches has a variable of its own.
fn wait_for_switches(
    command: Command,
    lookup: &impl Fn(&str) -> Option<String>,
    settings: &mut [Setting],
) {
    let Some(wait) = lookup(&format!("{}_WAIT4SWITCH", table::prefix(command))) else { return };
    for setting in settings.iter_mut().filter(|setting| setting.row.name == "switches") {
        let count = setting.value.take().unwrap_or_default();
        let is_alone = !count.contains('@');
        setting.value = Some(if is_alone { format!("{count}@{wait}") } else { count });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: Command, pairs: &[(&str, &str)]) -> Vec<(&'static str, Option<String>)> {
        let lookup = |name: &str| {
            let found = pairs.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        settings(command, lookup).into_iter().map(|it| (it.row.name, it.value)).collect()
    }

    #[test]
    fn every_variable_means_an_option_of_its_command() {
        for command in Command::ALL {
            for variable in variables(command) {
                assert!(by_name(command, variable.option).is_some(), "{variable:?}");
            }
        }
    }

    #[test]
    fn commands_look_at_their_own_variables() {
        let pairs = [("SBATCH_ACCOUNT", "a"), ("SALLOC_ACCOUNT", "b"), ("SLURM_ACCOUNT", "c")];
        for (command, account) in Command::ALL.into_iter().zip(["a", "c", "b"]) {
            assert_eq!(of(command, &pairs), [("account", Some(account.to_owned()))]);
        }
    }

    #[test]
    fn options_without_a_value_are_switched_on_and_off() {
        for (text, is_on) in
            [("", true), ("yes", true), ("1", true), ("10", true), ("no", false), ("0", false)]
        {
            let found = of(Command::Sbatch, &[("SBATCH_OVERCOMMIT", text)]);
            assert_eq!(found.len(), usize::from(is_on), "{text}");
        }
        assert_eq!(of(Command::Sbatch, &[("SBATCH_EXCLUSIVE", "")]), [("exclusive", None)]);
    }

    #[test]
    fn the_later_of_two_names_wins() {
        let pairs = [("SRUN_EXPORT_ENV", "NONE"), ("SLURM_EXPORT_ENV", "ALL")];
        let found = of(Command::Srun, &pairs);
        assert_eq!(found.last(), Some(&("export", Some("NONE".to_owned()))));
    }

    #[test]
    fn a_step_does_not_take_the_name_of_its_job() {
        let pairs = [("SLURM_JOB_NAME", "train"), ("SLURM_JOB_ID", "12")];
        assert_eq!(of(Command::Srun, &pairs), [("jobid", Some("12".to_owned()))]);
        assert_eq!(of(Command::Srun, &pairs[..1]), [("job-name", Some("train".to_owned()))]);
    }

    #[test]
    fn the_wait_for_switches_joins_their_number() {
        let pairs = [("SBATCH_REQ_SWITCH", "1"), ("SBATCH_WAIT4SWITCH", "10:00")];
        assert_eq!(of(Command::Sbatch, &pairs), [("switches", Some("1@10:00".to_owned()))]);
        assert_eq!(of(Command::Sbatch, &pairs[1..]), []);
    }
}
