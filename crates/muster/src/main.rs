//! The one binary of Muster. Each subcommand has a file of its own; this one only chooses.

mod agent;
mod bench;
mod launch;
mod sim;
mod story;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Muster calls GPUs together: all of a gang at once, or none.
#[derive(Debug, Parser)]
#[command(name = "muster", version, about, propagate_version = true)]
struct Muster {
    #[command(subcommand)]
    command: Command,
}

/// What Muster can do.
#[derive(Debug, Subcommand)]
enum Command {
    Agent(agent::Agent),
    Bench(bench::Bench),
    #[command(hide = true)]
    Launch(launch::Launch),
    #[command(hide = true)]
    LaunchExec(launch::LaunchExec),
    Sim(Box<sim::Sim>),
    Story(story::Story),
    Trace(trace::Trace),
}

fn main() -> ExitCode {
    let done = match Muster::parse().command {
        Command::Agent(agent) => agent.run(),
        Command::Bench(bench) => bench.run(),
        Command::Launch(launch) => launch.run(),
        Command::LaunchExec(launch) => launch.run(),
        Command::Sim(sim) => sim.run(),
        Command::Story(story) => story.run(),
        Command::Trace(trace) => trace.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Muster;

    #[test]
    fn command_line_is_well_formed() {
        Muster::command().debug_assert();
    }
}
