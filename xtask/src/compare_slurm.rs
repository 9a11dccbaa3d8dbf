//! `cargo xtask compare-slurm`: the same jobs through a real Slurm and through Muster, on this
//! machine and in the same run, and the ratio of what comes out. Everything it starts it stops.

mod muster;
mod race;
mod slurm;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;

use crate::binary::build_release;
use muster::Muster;
use race::{Raced, race};
use slurm::{Slurm, Tuning};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Jobs of each race
    #[arg(long, default_value_t = 1_000)]
    jobs: u32,
    /// Clients that submit at the same time
    #[arg(long, default_value_t = 4)]
    clients: u32,
    /// Jobs that may run at the same time
    #[arg(long, default_value_t = 64)]
    slots: u32,
    /// Races; the figures are medians
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Install Debian's slurm-wlm and munge first
    #[arg(long)]
    install: bool,
    /// A binary of Muster, instead of building one
    #[arg(long, value_name = "FILE")]
    muster: Option<PathBuf>,
}

/// What came out, in jobs a second from the first submission to the last end.
#[derive(Debug, Default, Serialize)]
struct Comparison {
    slurm_version: String,
    jobs: u32,
    clients: u32,
    slots: u32,
    rounds: u32,
    slurm_single_jobs_per_s: f64,
    slurm_array_jobs_per_s: f64,
    slurm_tuned_single_jobs_per_s: f64,
    slurm_tuned_array_jobs_per_s: f64,
    muster_single_jobs_per_s: f64,
    muster_array_jobs_per_s: f64,
    muster_api_jobs_per_s: f64,
    /// Muster against whichever Slurm was faster.
    single_ratio: f64,
    array_ratio: f64,
    /// Jobs one by one over HTTP, against the faster Slurm's jobs one by one.
    api_ratio: f64,
}

/// Compares, and prints one JSON object.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    if options.install {
        install()?;
    }
    let version = slurm::version()?;
    let program = match &options.muster {
        Some(program) => program.clone(),
        None => build_release(root)?,
    };
    let (mut plain, mut tuned, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    let mut api = Vec::new();
    for round in 1..=options.rounds {
        eprintln!("round {round} of {}: Slurm as it comes", options.rounds);
        plain.push(of_slurm(options, Tuning::Plain)?);
        eprintln!("round {round}: Slurm tuned for throughput");
        tuned.push(of_slurm(options, Tuning::Throughput)?);
        eprintln!("round {round}: Muster");
        let muster = Muster::start(&program, options.slots)?;
        ours.push(race(&muster, options.jobs, options.clients)?);
        muster.stop()?;
        api.push(muster::over_http(&program, options.jobs)?);
    }
    let api = median(api);
    let single = |raced: &[Raced]| median(raced.iter().map(|raced| raced.single_per_s).collect());
    let array = |raced: &[Raced]| median(raced.iter().map(|raced| raced.array_per_s).collect());
    let comparison = Comparison {
        slurm_version: version,
        jobs: options.jobs,
        clients: options.clients,
        slots: options.slots,
        rounds: options.rounds,
        slurm_single_jobs_per_s: single(&plain),
        slurm_array_jobs_per_s: array(&plain),
        slurm_tuned_single_jobs_per_s: single(&tuned),
        slurm_tuned_array_jobs_per_s: array(&tuned),
        muster_single_jobs_per_s: single(&ours),
        muster_array_jobs_per_s: array(&ours),
        muster_api_jobs_per_s: api,
        single_ratio: single(&ours) / single(&plain).max(single(&tuned)),
        array_ratio: array(&ours) / array(&plain).max(array(&tuned)),
        api_ratio: api / single(&plain).max(single(&tuned)),
    };
    println!("{}", serde_json::to_string(&comparison)?);
    Ok(true)
}

/// The middle, or what lies between the two in the middle.
fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    let (low, high) = ((all.len() - 1) / 2, all.len() / 2);
    f64::midpoint(all[low], all[high])
}

fn of_slurm(options: &Options, tuning: Tuning) -> Result<Raced> {
    let slurm = Slurm::start(options.slots, tuning)?;
    let raced = race(&slurm, options.jobs, options.clients)?;
    slurm.stop()?;
    Ok(raced)
}

fn install() -> Result<()> {
    for arguments in [&["update"][..], &["install", "-y", "slurm-wlm", "munge"]] {
        let mut command = Command::new("apt-get");
        command.args(arguments).stdout(std::io::stderr());
        if !command.status().context("cannot start apt-get")?.success() {
            bail!("apt-get {} failed\nhint: its messages are above", arguments.join(" "));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn half_of_the_rounds_are_on_either_side_of_the_median() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
    }
}
