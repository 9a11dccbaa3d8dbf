//! `cargo xtask soak`: the random tests with cases nobody has seen. `cargo xtask test` draws the
//! same cases for everyone, so that what it finds is the change at hand.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::Args;

use crate::cargo;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to begin, to repeat a run; by the clock unless given
    #[arg(long)]
    seed: Option<u64>,
    /// Cases of each property, and seeds of each simulation
    #[arg(long, default_value_t = 1000)]
    cases: u64,
}

/// Runs the random tests; `false` when one of them failed.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let seed = options.seed.unwrap_or_else(by_the_clock);
    eprintln!("soak: `cargo xtask soak --seed {seed} --cases {}` repeats this run", options.cases);
    let status = cargo()
        .args(["test", "--workspace", "--locked", "--no-fail-fast"])
        .env("PROPTEST_RNG_SEED", seed.to_string())
        .env("PROPTEST_CASES", options.cases.to_string())
        .env("MUSTER_SEEDS", format!("{seed}..{}", seed + options.cases))
        .current_dir(root)
        .status()
        .context("cannot start cargo test")?;
    Ok(status.success())
}

fn by_the_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
