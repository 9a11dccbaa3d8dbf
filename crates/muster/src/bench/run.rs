//! `muster bench engine`: the phases in order, for one cluster size after the other.

use anyhow::Result;
use clap::Args;

use super::PENDING;
use super::churn::Churn;
use super::figures::Figures;
use super::gang::{self, GangCosts};
use super::layout::{Layout, QUEUES};
use super::world::World;
use super::{clock, fill, memory};

/// Placements measured for each size unless asked otherwise: enough that the p99.9 of all steps
/// rests on more than a hundred of them.
const PLACEMENTS: u64 = 20_000;

/// Placements made before measuring begins, as a multiple of those measured: until then the
/// queue still holds too many small jobs, and nobody has waited long enough for the floor.
const WARM_UP: u64 = 3;

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

    /// Jobs that wait throughout the churn
    #[arg(long, default_value_t = PENDING)]
    pending: usize,
}

impl BenchEngine {
    pub(crate) fn run(&self) -> Result<()> {
        for &gpus in &self.gpus {
            let figures = self.measure(Layout::new(gpus))?;
            if self.json {
                println!("{}", serde_json::to_string(&figures)?);
            } else {
                print!("{}", figures.table());
            }
        }
        Ok(())
    }

    fn measure(&self, layout: Layout) -> Result<Figures> {
        let (seed, pending) = (self.seed, self.pending);
        let say = |what: &str| eprintln!("{} GPUs: {what}", layout.gpus());
        say("memory");
        let bytes = memory::measure_apart(layout, seed, pending)?;
        say("fill");
        let fill_placements_per_s = fill::placements_per_second(layout, seed)?;
        say("churn");
        let mut churn = Churn::begin(World::new(layout, seed), layout, seed, pending)?;
        churn.run(self.placements * WARM_UP, "warming up")?;
        let churned = churn.run(self.placements, "measuring")?;
        let decisions = churn.world.decisions();
        say("gang");
        let gang = match gang::fits(layout) {
            true => Some(gang::costs(layout, seed, &mut churn)?),
            false => None,
        };
        let meter = churned.meter;
        let (steps, cpu_us) = (meter.steps(), meter.total_us());
        let placements_per_s = meter.per_second(churned.placements);
        let spread = meter.spread();
        Ok(Figures {
            gpus: layout.gpus(),
            placements: churned.placements,
            placements_per_s,
            cpu_us_per_placement: cpu_us / churned.placements.max(1) as f64,
            step_cpu_us_p50: spread.p50,
            step_cpu_us_p99: spread.p99,
            step_cpu_us_p999: spread.p999,
            step_cpu_us_max: spread.max,
            gang_1024_cpu_us: gang.map(GangCosts::larger),
            fill_placements_per_s,
            bytes_per_gpu: bytes.bytes_per_gpu,
            bytes_per_job: bytes.bytes_per_job,
            gang_1024_placed_cpu_us: gang.map(|costs| costs.placed),
            gang_1024_refused_cpu_us: gang.map(|costs| costs.refused),
            gang_1024_why_cpu_us: gang.map(|costs| costs.why),
            nodes: layout.nodes(),
            queues: QUEUES,
            pending,
            seed,
            steps,
            floor_placements: churned.floor_placements,
            gpus_per_placement: churned.gpus_placed as f64 / churned.placements.max(1) as f64,
            utilization: churned.gpus_busy as f64 / f64::from(layout.gpus()),
            virtual_hours: churned.virtual_time.0 as f64 / MILLIS_PER_HOUR,
            timer_overhead_us: clock::overhead() as f64 / 1_000.0,
            decisions,
        })
    }
}
