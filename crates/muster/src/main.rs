//! The one binary of Muster. Each subcommand has a file of its own; this one only chooses.

mod agent;
mod bench;
mod cli;
mod config;
mod launch;
mod serve;
mod sim;
mod slurm;
mod start;
mod stop;
mod story;
mod trace;
mod up;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

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
    #[command(flatten)]
    Cluster(cli::Command),
    Up(up::Up),
    Server(serve::Serve),
    Agent(agent::Agent),
    Config(config::Config),
    Bench(bench::Bench),
    #[command(hide = true)]
    Launch(launch::Launch),
    #[command(hide = true)]
    LaunchExec(launch::LaunchExec),
    #[command(hide = true)]
    LaunchSay(launch::LaunchSay),
    Sim(Box<sim::Sim>),
    Slurm(slurm::Slurm),
    Story(story::Story),
    Trace(trace::Trace),
}

/// The whole command line.
pub(crate) fn command() -> clap::Command {
    cli::help::grouped(Muster::command())
}

fn main() -> ExitCode {
    // Every task starts two launchers: they go without what only people and networks need.
    if let Some(launched) = launch::asked(std::env::args_os().skip(1)) {
        return launched.map_or_else(|error| failed(&error), |()| ExitCode::SUCCESS);
    }
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    provider.install_default().expect("nobody else has installed a TLS provider yet");
    if let Some(code) = slurm::called(std::env::args_os()) {
        return code;
    }
    let said = command().get_matches();
    let muster = Muster::from_arg_matches(&said).unwrap_or_else(|error| error.exit());
    let done = |()| ExitCode::SUCCESS;
    let code = match muster.command {
        Command::Cluster(command) => command.run(),
        Command::Up(up) => up.run().map(done),
        Command::Server(server) => server.run().map(done),
        Command::Agent(agent) => agent.run().map(done),
        Command::Config(config) => config.run().map(done),
        Command::Bench(bench) => bench.run().map(done),
        Command::Launch(launch) => launch.run().map(done),
        Command::LaunchExec(launch) => launch.run().map(done),
        Command::LaunchSay(launch) => launch.run().map(done),
        Command::Sim(sim) => sim.run().map(done),
        Command::Slurm(slurm) => slurm.run(),
        Command::Story(story) => story.run().map(done),
        Command::Trace(trace) => trace.run().map(done),
    };
    code.unwrap_or_else(|error| failed(&error))
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    cli::hint(error).iter().for_each(|hint| eprintln!("hint: {hint}"));
    ExitCode::from(if error.is::<cli::Usage>() { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    #[test]
    fn command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
