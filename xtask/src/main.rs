//! The entry of `cargo xtask`: reads the command line and hands over to one file per command.
//! Nothing is decided here except the exit code: 0 when all is well, 1 when it is not.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

mod binary;
mod browsed;
mod compare_slurm;
mod fuzz;
mod instructions;
mod paint;
mod prerequisites;
mod screenshots;
mod soak;
mod steps;
mod storm;
mod tidy;
mod up;
mod web;

/// The commands of this repository, the same for people and for continuous integration.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run every check: format, clippy, tidy, tests, documentation
    Test,
    /// Check only the rules on the source tree
    Tidy,
    /// Build the release binary and show what it can do so far
    Up,
    /// Build the dashboard where its sources changed
    Web,
    /// Take the pictures of the dashboard that the documentation shows
    Screenshots(screenshots::Options),
    /// Measure how long the map of the dashboard takes to draw
    Paint(paint::Options),
    /// Run the random tests with cases nobody has seen
    Soak(soak::Options),
    /// Feed the readers of what comes from outside with inputs made to break them
    Fuzz(fuzz::Options),
    /// Kill processes of a cluster at random while thousands of jobs run
    Storm(storm::Options),
    /// Count the instructions of fixed cases (needs valgrind) and compare with the record
    Instructions(instructions::Options),
    /// Run the same jobs through a real Slurm and through Muster, and print the ratio
    CompareSlurm(compare_slurm::Options),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments.command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command; `false` means that it worked and found something wrong.
fn run(command: &Command) -> Result<bool> {
    let root = repository_root()?;
    match command {
        Command::Test => steps::run(&root),
        Command::Tidy => tidy::run(&root),
        Command::Up => up::run(&root),
        Command::Web => web::build(&root).map(|()| true),
        Command::Screenshots(options) => screenshots::run(&root, options),
        Command::Paint(options) => paint::run(&root, options),
        Command::Soak(options) => soak::run(&root, options),
        Command::Fuzz(options) => fuzz::run(&root, options),
        Command::Storm(options) => storm::run(&root, options),
        Command::Instructions(options) => instructions::run(&root, options),
        Command::CompareSlurm(options) => compare_slurm::run(&root, options),
    }
}

/// The folder above this crate. Cargo says at run time where the crate lies; the place it was
/// compiled in is the fallback for a binary started by hand.
fn repository_root() -> Result<PathBuf> {
    let manifest_folder = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest_folder
        .parent()
        .map(Path::to_path_buf)
        .context("cannot find the repository: run this as `cargo xtask` inside it")
}

/// The cargo that started us, so that every step uses one and the same toolchain.
fn cargo() -> std::process::Command {
    std::process::Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
