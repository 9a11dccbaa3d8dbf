//! `muster sim published`: the baselines of others by their published rules.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use muster_sim::published::{Figures, Rule, Setting};
use muster_trace::Cluster;
use muster_trace::cluster::TRACES_FOLDER;
use serde::Serialize;

use crate::trace::reading::Reading;

/// Run published baselines by their own rules, in a simulator that is not Muster's engine
///
/// FIFO and SJF block at the head of the line; SRTF decides every second and Tiresias every 60 s,
/// both by count; a preemption costs 40 s of work, above 8 GPUs 60 s. Pools share nothing.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster sim published --trace jobs.csv --cluster venus \
                        --policy fifo,sjf,srtf,tiresias")]
pub(crate) struct Published {
    /// The trace; gzip and Zstandard are unpacked
    #[arg(long, value_name = "FILE")]
    trace: PathBuf,

    #[command(flatten)]
    reading: Reading,

    /// The cluster: a line such as 64x8:V100, a file, or a known one such as venus
    #[arg(long)]
    cluster: String,

    /// The folder with the public traces, for clusters known by name
    #[arg(long, value_name = "FOLDER", default_value = TRACES_FOLDER)]
    traces: PathBuf,

    /// Rules, separated by commas: fifo, sjf, srtf, tiresias, edf
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    policy: Vec<Rule>,

    /// Show each pool too
    #[arg(long)]
    pools: bool,

    /// Print an array with one JSON object per rule
    #[arg(long)]
    json: bool,
}

/// The figures of one run, for programs.
#[derive(Debug, Serialize)]
struct Run<'a> {
    trace: &'a str,
    cluster: &'a str,
    #[serde(flatten)]
    figures: Figures,
}

impl Published {
    pub(crate) fn run(&self) -> Result<()> {
        let trace = self.reading.read(&self.trace)?;
        let cluster = Cluster::find(&self.cluster, &self.traces)?;
        let setting = Setting::new(&trace, &cluster)?;
        let run = |&rule: &Rule| Run {
            trace: &trace.name,
            cluster: &cluster.name,
            figures: Figures::of(&setting, rule, &setting.run(rule)),
        };
        if self.json {
            let runs: Vec<Run<'_>> = self.policy.iter().map(run).collect();
            println!("{}", serde_json::to_string(&runs).context("cannot print the figures")?);
            return Ok(());
        }
        println!("{HEAD}");
        for rule in &self.policy {
            let figures = run(rule).figures;
            println!("{}", row(&figures));
            for pool in figures.pools.iter().filter(|_| self.pools) {
                println!(
                    "  {:<8} {:>12.0} {:>12.0} {:>48} {:>12.0}  {} nodes, {} jobs",
                    pool.pool,
                    pool.mean_jct_s,
                    pool.mean_queue_s,
                    pool.preemptions,
                    pool.bound_mean_jct_s,
                    pool.nodes,
                    pool.jobs
                );
            }
        }
        Ok(())
    }
}

const HEAD: &str = "policy     mean JCT s mean queue s    p50 JCT s    p90 JCT s    p99 JCT s  \
                    preemptions      bound s  deadlines met";

fn row(figures: &Figures) -> String {
    let met = figures.deadlines_met_share.map(|met| format!("{:>13.1} %", met * 100.0));
    format!(
        "{:<10} {:>10.0} {:>12.0} {:>12} {:>12} {:>12} {:>12} {:>12.0} {}",
        figures.policy,
        figures.mean_jct_s,
        figures.mean_queue_s,
        figures.p50_jct_s,
        figures.p90_jct_s,
        figures.p99_jct_s,
        figures.preemptions,
        figures.bound_mean_jct_s,
        met.unwrap_or_else(|| format!("{:>15}", "-"))
    )
}
