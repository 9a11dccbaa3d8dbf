//! `muster bench cluster`: what a whole cluster does on this machine, over HTTP, through the
//! journal and, where it says so, with real processes. Chooses what is measured; each
//! measurement has a file of its own.

mod agents;
mod base;
mod dashboards;
mod figures;
mod fill;
mod latency;
mod load;
mod machine;
mod metrics;
mod processes;
mod restart;
mod scratch;
mod starts;
mod submit;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

pub(super) use figures::Figures;
pub(super) use scratch::Scratch;

/// Start clusters on this machine and say what they can do
///
/// Every measurement starts a server in a process and a data directory of its own. Clients and
/// simulated agents are in this process, so they share the machine with what is measured. Prints
/// one table, or with --json one JSON object on a line, for each measurement.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster bench cluster --only latency,submit --json")]
pub(crate) struct BenchCluster {
    /// What to measure [default: all of it]
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    only: Vec<What>,

    /// Print one JSON object per measurement
    #[arg(long)]
    json: bool,

    /// The folder under which data directories are made [default: that for temporary files]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    #[command(flatten)]
    sizes: Sizes,
}

/// How much of it.
#[derive(Clone, Copy, Debug, Args)]
struct Sizes {
    /// Jobs one after the other, for the latency
    #[arg(long, default_value_t = 200, value_name = "N")]
    latency_jobs: u32,

    /// Jobs that are submitted and held
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    submissions: u32,

    /// Jobs whose launch is simulated
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    starts: u32,

    /// Jobs that are real processes
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    processes: u32,

    /// Clients that submit at the same time
    #[arg(
        long,
        default_value_t = 64,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1000)
    )]
    clients: u32,

    /// Simulated agents, with 8 GPUs each
    #[arg(
        long,
        default_value_t = 2_000,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    agents: u32,

    /// Jobs that arrive in a second while agents are watched
    #[arg(
        long,
        default_value_t = 100,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    arrivals: u32,

    /// For how many seconds agents are watched
    #[arg(
        long,
        default_value_t = 60,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=3600)
    )]
    seconds: u32,

    /// Dashboards that are open while passes are compared
    #[arg(
        long,
        default_value_t = 200,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=2000)
    )]
    dashboards: u32,

    /// Nodes that all work while metrics are read, with 8 GPUs each
    #[arg(
        long,
        default_value_t = 2_000,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=20_000)
    )]
    nodes: u32,

    /// Queues while metrics are read, with a gang that waits in each
    #[arg(
        long,
        default_value_t = 1_000,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=9_999)
    )]
    queues: u32,

    /// Jobs that have ended when a server is started again
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    finished: u32,

    /// Jobs that are alive when a server is started again
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    live: u32,
}

/// The measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// From submitting a job to its running, one at a time, with real processes
    Latency,
    /// Durable submissions a second
    Submit,
    /// Jobs a second through the journal, with simulated launch
    Starts,
    /// Jobs a second with real processes
    Processes,
    /// Thousands of agents on one server
    Agents,
    /// Passes while nobody looks and while many dashboards are open
    Dashboards,
    /// Reading the metrics of many nodes and queues, beside passes
    Metrics,
    /// Starting a server on what an earlier one left
    Restart,
}

impl BenchCluster {
    pub(crate) fn run(&self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let all = What::value_variants();
        let wanted = if self.only.is_empty() { all } else { &self.only };
        for what in all.iter().filter(|what| wanted.contains(what)) {
            eprintln!("measuring {}", what.word());
            let machine_load = machine::load();
            let measured = runtime.block_on(self.measure(*what));
            let figures = measured.with_context(|| format!("cannot measure {}", what.word()))?;
            let figures = figures.measure("machine_load", machine_load, None);
            if self.json {
                println!("{}", serde_json::to_string(&figures)?);
            } else {
                print!("{}", figures.table());
            }
        }
        Ok(())
    }

    async fn measure(&self, what: What) -> Result<Figures> {
        let parent = self.data.clone().unwrap_or_else(std::env::temp_dir);
        let sizes = &self.sizes;
        match what {
            What::Latency => latency::measure(&parent, sizes.latency_jobs).await,
            What::Submit => submit::measure(&parent, sizes.submissions, sizes.clients).await,
            What::Starts => starts::measure(&parent, sizes.starts, sizes.clients).await,
            What::Processes => processes::measure(&parent, sizes.processes, sizes.clients).await,
            What::Agents => {
                let (agents, arrivals, seconds) = (sizes.agents, sizes.arrivals, sizes.seconds);
                agents::measure(&parent, agents, arrivals, seconds).await
            }
            What::Dashboards => {
                let load = (sizes.agents, sizes.arrivals, sizes.seconds);
                dashboards::measure(&parent, load, sizes.dashboards).await
            }
            What::Metrics => metrics::measure(&parent, sizes.nodes, sizes.queues).await,
            What::Restart => restart::measure(&parent, sizes.finished, sizes.live).await,
        }
    }
}

impl What {
    fn word(self) -> String {
        let value = self.to_possible_value().expect("no measurement is hidden");
        value.get_name().to_owned()
    }
}
