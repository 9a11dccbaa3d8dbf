//! `muster trace make`: a workload from a seed.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use muster_trace::{Mix, Recipe, Written};

/// Make up a workload with published marginals
///
/// The same options give the same jobs on every machine.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster trace make --mix llm --jobs 20000 --gpus 1024 busy.csv")]
pub(crate) struct Make {
    /// The kinds of jobs: philly (2017, nearly all single GPUs) or llm (few huge gangs and many
    /// short evaluations)
    #[arg(long)]
    mix: Mix,

    /// How many jobs
    #[arg(long)]
    jobs: u64,

    /// GPUs of the cluster that the jobs are to load; no job asks for more than a quarter of them
    #[arg(long)]
    gpus: u32,

    /// GPU time that arrives, in percent of what these GPUs have
    #[arg(long, default_value_t = 80)]
    load: u32,

    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The file to write: .csv or .jsonl, with .gz behind for gzip
    #[arg(value_name = "OUT")]
    output: PathBuf,
}

impl Make {
    pub(crate) fn run(&self) -> Result<()> {
        Written::by_name(&self.output)?;
        let recipe = Recipe::new(self.mix, self.jobs, self.gpus, self.seed);
        let trace = Recipe { load_percent: self.load, ..recipe }.make()?;
        trace.save(&self.output)?;
        eprintln!("{}: {} jobs written, {}", self.output.display(), self.jobs, trace.name);
        Ok(())
    }
}
