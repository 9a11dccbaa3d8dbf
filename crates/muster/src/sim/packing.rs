//! `muster sim packing`: pods that never leave, under one policy after the other.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use muster_sim::packing::{Experiment, Figures, Filled, Policy};
use muster_trace::cluster::TRACES_FOLDER;
use muster_trace::{Cluster, Format, ReadOptions, Trace};

/// Fill a cluster with pods that come in random order and never leave
///
/// The experiment of fragmentation gradient descent (ATC '23): how much of the GPUs is given away
/// when requests reach 130 % of them. The published rules run as they were published; `muster` is
/// the engine with its default policy.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster sim packing --pods pods.csv --nodes nodes.csv \
                        --policy best-fit,fgd,muster --seeds 10")]
pub(crate) struct Packing {
    /// The pods: a list in the form of Alibaba's trace of 2023
    #[arg(long, value_name = "FILE")]
    pods: PathBuf,

    /// The nodes: a list, or any other cluster
    #[arg(long, value_name = "FILE")]
    nodes: String,

    /// Policies, separated by commas: random, dot-product, gpu-clustering, gpu-packing, best-fit,
    /// fgd, muster, muster-fillers
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    policy: Vec<Policy>,

    /// How many orders of arrival, each from a seed of its own
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    /// The first seed
    #[arg(long, default_value_t = 42)]
    seed: u64,

    /// Requests that arrive, in percent of the GPUs
    #[arg(long, value_name = "PERCENT", default_value_t = 130)]
    arrived: u32,

    /// Let the pods arrive as they are listed, each once; lists with a column `seq` do anyway
    #[arg(long)]
    as_listed: bool,

    /// The folder with the public traces, for clusters known by name
    #[arg(long, value_name = "FOLDER", default_value = TRACES_FOLDER)]
    traces: PathBuf,

    /// Print an array with one JSON object per policy
    #[arg(long)]
    json: bool,
}

impl Packing {
    pub(crate) fn run(&self) -> Result<()> {
        let options = ReadOptions { format: Some(Format::Alibaba2023), ..ReadOptions::default() };
        let pods = Trace::open(&self.pods, &options)?;
        let cluster = Cluster::find(&self.nodes, &self.traces)?;
        let is_ordered = self.as_listed || has_order(&self.pods)?;
        let arrived = (!is_ordered).then_some(self.arrived);
        let experiment = Experiment::new(&pods, &cluster, arrived)?;
        let mut all = Vec::new();
        if !self.json {
            println!("policy          allocated %   std  fragmented %  seeds");
        }
        for &policy in &self.policy {
            let fill = |index: u64| experiment.fill(policy, self.seed.wrapping_add(index));
            let runs = (0..self.seeds).map(fill).collect::<Result<Vec<Filled>, _>>()?;
            let figures = Figures::of(policy, &runs);
            if !self.json {
                println!("{}", row(&figures));
            }
            all.push(figures);
        }
        if self.json {
            println!("{}", serde_json::to_string(&all).context("cannot print the figures")?);
        }
        Ok(())
    }
}

fn row(figures: &Figures) -> String {
    format!(
        "{:<15} {:>11.2} {:>5.2} {:>13.2} {:>6}",
        figures.policy,
        figures.allocated_percent_mean,
        figures.allocated_percent_std,
        figures.fragmented_percent_mean,
        figures.seeds
    )
}

/// Whether a list says in which order its pods arrive: it then numbers them.
fn has_order(path: &Path) -> Result<bool> {
    let cannot = || format!("cannot open {}", path.display());
    let mut header = Vec::new();
    BufReader::new(File::open(path).with_context(cannot)?).read_until(b'\n', &mut header)?;
    Ok(header.split(|byte| *byte == b',').any(|column| column == b"seq"))
}
