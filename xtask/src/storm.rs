//! `cargo xtask storm`: kills servers, agents, launchers and whole clusters at random, seeded
//! moments while thousands of jobs run, and judges what became of them. What it does and what must
//! hold is left to `crates/muster/tests/storm`; the test run has a small one.

use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;

use crate::cargo;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Which storm: who is killed when, and which jobs are submitted
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Jobs of one task
    #[arg(long, default_value_t = 5000)]
    jobs: u64,
    /// Jobs of several tasks over several nodes
    #[arg(long, default_value_t = 200)]
    gangs: u64,
    /// How often somebody is killed
    #[arg(long, default_value_t = 50)]
    kills: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lets the storm pass; `false` when something did not hold.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let Options { seed, jobs, gangs, kills, json } = options;
    let mut command = cargo();
    command.args(["test", "--quiet", "--locked", "--package", "muster", "--test", "storm", "--"]);
    for (name, number) in [("seed", seed), ("jobs", jobs), ("gangs", gangs), ("kills", kills)] {
        command.arg(format!("--{name}")).arg(number.to_string());
    }
    if *json {
        command.arg("--json");
    }
    let status = command.current_dir(root).status().context("cannot start cargo test")?;
    Ok(status.success())
}
