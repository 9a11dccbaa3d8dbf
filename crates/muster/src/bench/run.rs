//! `muster bench engine`: the phases in order, for one cluster size after the other.

use anyhow::Result;
use clap::Args;

use super::PENDING;
use super::churn::{Backlog, Churn, Churned};
use super::figures::{Figures, Pausing};
use super::gang::{self, GangCosts};
use super::layout::{Layout, Load, QUEUES};
use super::world::World;
use super::{clock, fill, looks, memory, reclaim};

/// Placements measured for each size unless asked otherwise: enough that the p99.9 of all steps
/// rests on more than a hundred of them.
const PLACEMENTS: u64 = 20_000;

/// Placements made before measuring begins, as a multiple of those measured: until then the
/// queue still holds too many small jobs, and nobody has waited long enough for the floor.
const WARM_UP: u64 = 3;

/// In an overloaded cluster so many times its GPUs are waited for.
const OVERLOAD: u64 = 3;

const MILLIS_PER_HOUR: f64 = 3_600_000.0;

/// Fill and churn a synthetic cluster and say what each decision of the engine costs
///
/// 8-GPU nodes in racks, blocks and zones; gangs of 1 to 1,024 GPUs, five classes, 200 queues.
/// All costs are CPU time of the engine's one thread. Prints one table, or with --json one JSON
/// object on a line, for each size.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster bench engine --gpus 1000,8000,100000 --json")]
pub(crate) struct BenchEngine {
    /// Sizes of the cluster
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "1000,8000,100000",
        value_parser = clap::value_parser!(u32).range(8..=1_000_000)
    )]
    gpus: Vec<u32>,

    /// Seed of the workload; the same seed makes the same decisions
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON object per size
    #[arg(long)]
    json: bool,

    /// Placements to measure in the churn
    #[arg(long, default_value_t = PLACEMENTS)]
    placements: u64,

    /// Jobs that wait throughout the churn, at least; 20,000 unless it is an overload
    #[arg(long, conflicts_with = "reclaim")]
    pending: Option<usize>,

    /// Let three times the capacity wait, of all classes, most of it ready to be paused
    #[arg(long)]
    overload: bool,

    /// Measure instead how long a guarantee's claim on borrowed GPUs takes to decide
    #[arg(long, conflicts_with_all = ["overload", "placements"])]
    reclaim: bool,

    /// Measure instead what looks at a busy cluster cost beside its steps
    #[arg(long, conflicts_with_all = ["overload", "reclaim"])]
    looks: bool,

    /// Claims to measure for each size of claim
    #[arg(long, default_value_t = reclaim::ROUNDS, requires = "reclaim")]
    rounds: u32,
}

impl BenchEngine {
    pub(crate) fn run(&self) -> Result<()> {
        let load = if self.overload { Load::Overload } else { Load::Usual };
        for &gpus in &self.gpus {
            if self.reclaim {
                reclaim::run(gpus, self.seed, self.rounds, self.json)?;
                continue;
            }
            if self.looks {
                let layout = Layout::new(gpus);
                let backlog = self.backlog(layout);
                let figures = looks::measure(layout, self.seed, backlog, self.placements)?;
                match self.json {
                    true => println!("{}", serde_json::to_string(&figures)?),
                    false => print!("{}", figures.table()),
                }
                continue;
            }
            let figures = self.measure(Layout::with_load(gpus, load))?;
            if self.json {
                println!("{}", serde_json::to_string(&figures)?);
            } else {
                print!("{}", figures.table());
            }
        }
        Ok(())
    }

    fn measure(&self, layout: Layout) -> Result<Figures> {
        let (seed, pending) = (self.seed, self.pending.unwrap_or(PENDING));
        let say = |what: &str| eprintln!("{} GPUs: {what}", layout.gpus());
        say("memory");
        let bytes = memory::measure_apart(layout, seed, pending)?;
        say("fill");
        let fill_placements_per_s = fill::placements_per_second(layout, seed)?;
        say("churn");
        let mut churn = Churn::begin(World::new(layout, seed), layout, seed, self.backlog(layout))?;
        churn.run(self.placements * WARM_UP, "warming up")?;
        let churned = churn.run(self.placements, "measuring")?;
        let decisions = churn.world.decisions();
        say("gang");
        let gang = match gang::fits(layout) {
            true => Some(gang::costs(layout, seed, &mut churn)?),
            false => None,
        };
        Ok(Figures {
            gang_1024_cpu_us: gang.map(GangCosts::larger),
            fill_placements_per_s,
            bytes_per_gpu: bytes.bytes_per_gpu,
            bytes_per_job: bytes.bytes_per_job,
            gang_1024_placed_cpu_us: gang.map(|costs| costs.placed),
            gang_1024_refused_cpu_us: gang.map(|costs| costs.refused),
            gang_1024_why_cpu_us: gang.map(|costs| costs.why),
            seed,
            timer_overhead_us: clock::overhead() as f64 / 1_000.0,
            decisions,
            ..of_churn(layout, churned)
        })
    }

    fn backlog(&self, layout: Layout) -> Backlog {
        match layout.load() {
            Load::Usual => Backlog { jobs: self.pending.unwrap_or(PENDING), gpus: 0 },
            Load::Overload => Backlog {
                jobs: self.pending.unwrap_or(0),
                gpus: u64::from(layout.gpus()) * OVERLOAD,
            },
        }
    }
}

/// The figures that the churn gives.
fn of_churn(layout: Layout, churned: Churned) -> Figures {
    let Churned { counts, pending, virtual_time, meter } = churned;
    let (steps, cpu_us) = (meter.steps(), meter.total_us());
    let placements_per_s = meter.per_second(counts.placements);
    let spread = meter.spread();
    let placements = counts.placements.max(1) as f64;
    Figures {
        gpus: layout.gpus(),
        placements: counts.placements,
        placements_per_s,
        cpu_us_per_placement: cpu_us / placements,
        step_cpu_us_p50: spread.p50,
        step_cpu_us_p99: spread.p99,
        step_cpu_us_p999: spread.p999,
        step_cpu_us_max: spread.max,
        nodes: layout.nodes(),
        queues: QUEUES,
        pending,
        steps,
        floor_placements: counts.floor_placements,
        gpus_per_placement: counts.milli_placed as f64 / 1_000.0 / placements,
        utilization: counts.milli_busy as f64 / 1_000.0 / f64::from(layout.gpus()),
        virtual_hours: virtual_time.0 as f64 / MILLIS_PER_HOUR,
        pausing: Pausing::new(&counts),
        ..Figures::default()
    }
}
