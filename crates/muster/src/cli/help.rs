//! `muster --help` in groups, so that two dozen commands can be taken in at a glance.

use std::fmt::Write as _;

use clap::Command;

/// Every command, by what it is for.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Start", &["up", "server", "agent", "config"]),
    (
        "Jobs",
        &[
            "submit", "run", "jobs", "job", "logs", "activity", "why", "change", "cancel", "hold",
            "release", "requeue",
        ],
    ),
    ("Cluster", &["status", "top", "nodes", "queues", "classes", "events", "alerts", "usage"]),
    ("Operators", &["node", "policy", "reserve", "token", "audit", "journal"]),
    ("Slurm", &["slurm"]),
    ("Experiments", &["sim", "trace", "story", "bench"]),
    ("This tool", &["login", "completions", "schema", "help"]),
];

/// The same command line, with its commands in groups.
pub(crate) fn grouped(command: Command) -> Command {
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let width = command.get_subcommands().map(|one| one.get_name().len()).max().unwrap_or(0);
    for (heading, names) in GROUPS {
        writeln!(text, "\n{heading}:").expect("a string takes all text");
        for name in names {
            let found = command.get_subcommands().find(|one| one.get_name() == *name);
            let about = found.and_then(Command::get_about).map(ToString::to_string);
            let about = about.unwrap_or_else(|| "Print help, also for a command".to_owned());
            writeln!(text, "  {name:<width$}  {about}").expect("a string takes all text");
        }
    }
    text.push_str("\nOptions:\n{options}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = crate::command();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        let mut known: Vec<&str> = shown.map(Command::get_name).collect();
        known.push("help");
        grouped.sort_unstable();
        known.sort_unstable();
        assert_eq!(grouped, known);
    }

    #[test]
    fn help_reads_well() {
        let help = crate::command().term_width(100).render_help().to_string();
        insta::assert_snapshot!(help);
    }
}
