//! The figures of one cluster size, for programs as JSON and for people beside their targets.

use std::fmt::Write as _;

use serde::Serialize;

use super::world::Counts;

/// Everything measured for one N. Costs are CPU time of the one thread, in microseconds.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Figures {
    pub(super) gpus: u32,
    pub(super) placements: u64,
    pub(super) placements_per_s: f64,
    pub(super) cpu_us_per_placement: f64,
    pub(super) step_cpu_us_p50: f64,
    pub(super) step_cpu_us_p99: f64,
    pub(super) step_cpu_us_p999: f64,
    pub(super) step_cpu_us_max: f64,
    /// The larger of placing and refusing; nothing where no block could hold the gang.
    pub(super) gang_1024_cpu_us: Option<f64>,
    pub(super) fill_placements_per_s: f64,
    pub(super) bytes_per_gpu: u64,
    pub(super) bytes_per_job: u64,
    pub(super) gang_1024_placed_cpu_us: Option<f64>,
    pub(super) gang_1024_refused_cpu_us: Option<f64>,
    pub(super) gang_1024_why_cpu_us: Option<f64>,
    pub(super) nodes: u32,
    pub(super) queues: u32,
    pub(super) pending: usize,
    pub(super) seed: u64,
    pub(super) steps: usize,
    pub(super) floor_placements: u64,
    pub(super) gpus_per_placement: f64,
    /// The part of the GPUs in use at the end of the churn.
    pub(super) utilization: f64,
    pub(super) virtual_hours: f64,
    /// What reading the clock adds to every step; it is in all the figures.
    pub(super) timer_overhead_us: f64,
    /// Equal in two runs that decided the same.
    pub(super) decisions: String,
    #[serde(flatten)]
    pub(super) pausing: Pausing,
}

/// How much work was paused for other work meanwhile.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Pausing {
    /// GPUs of the jobs that wait at the end.
    pub(super) gpus_waiting: u64,
    /// Jobs that were asked to give way, and those of them that were ended at once.
    pub(super) pauses: u64,
    pub(super) requeues: u64,
    /// Suspended jobs that were put back.
    pub(super) resumes: u64,
    /// Steps in which room was asked for, and rooms that a guarantee reclaimed, at least.
    pub(super) plans: u64,
    pub(super) reclaims: u64,
    /// Saves that were reported, each a step of its own.
    pub(super) saves: u64,
    /// Changes of the size of elastic jobs that nodes reported.
    pub(super) resizes: u64,
    pub(super) pauses_per_1000_placements: f64,
    pub(super) plans_per_1000_placements: f64,
    pub(super) reclaims_per_1000_placements: f64,
}

impl Pausing {
    pub(super) fn new(counts: &Counts) -> Pausing {
        let rate = |count: u64| count as f64 * 1_000.0 / counts.placements.max(1) as f64;
        Pausing {
            gpus_waiting: counts.milli_waiting / 1_000,
            pauses: counts.pauses,
            requeues: counts.requeues,
            resumes: counts.resumes,
            plans: counts.plans,
            reclaims: counts.reclaims,
            saves: counts.saves,
            resizes: counts.resizes,
            pauses_per_1000_placements: rate(counts.pauses),
            plans_per_1000_placements: rate(counts.plans),
            reclaims_per_1000_placements: rate(counts.reclaims),
        }
    }
}

/// How a figure must compare with its target.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    AtMost(f64),
    Below(f64),
    AtLeast(f64),
}

impl Target {
    fn is_met(self, figure: f64) -> bool {
        match self {
            Target::AtMost(most) => figure <= most,
            Target::Below(bound) => figure < bound,
            Target::AtLeast(least) => figure >= least,
        }
    }

    /// What is said of a figure, after it.
    pub(super) fn verdict(self, figure: f64) -> String {
        let met = if self.is_met(figure) { "met" } else { "missed" };
        format!("  {met}: {}", self.text())
    }

    fn text(self) -> String {
        match self {
            Target::AtMost(most) => format!("at most {most}"),
            Target::Below(bound) => format!("under {bound}"),
            Target::AtLeast(least) => format!("at least {least}"),
        }
    }
}

impl Figures {
    /// A table with the target beside each figure and whether it is met.
    pub(super) fn table(&self) -> String {
        let mut text = format!(
            "{} GPUs in {} nodes, {} queues, {} jobs waiting, seed {}\n",
            self.gpus, self.nodes, self.queues, self.pending, self.seed
        );
        for (name, figure, target) in self.rows() {
            let Some(figure) = figure else {
                let _ = writeln!(text, "  {name:<28}{:>12}  the cluster is too small", "-");
                continue;
            };
            let verdict = target.map_or_else(String::new, |target| target.verdict(figure));
            let _ = writeln!(text, "  {name:<28}{figure:>12.1}{verdict}");
        }
        let _ = writeln!(
            text,
            "  {} placements of {:.1} GPUs in {} steps and {:.1} virtual hours, {} by the floor",
            self.placements,
            self.gpus_per_placement,
            self.steps,
            self.virtual_hours,
            self.floor_placements
        );
        let paused = &self.pausing;
        let _ = writeln!(
            text,
            "  {} jobs paused ({} ended at once, {} put back) in {} plans, {} of them reclaims; {} \
             GPUs waiting",
            paused.pauses,
            paused.requeues,
            paused.resumes,
            paused.plans,
            paused.reclaims,
            paused.gpus_waiting
        );
        let busy = self.utilization * 100.0;
        let _ = writeln!(text, "  {busy:.1}% of GPUs in use; decisions {}", self.decisions);
        text
    }

    fn rows(&self) -> [(&'static str, Option<f64>, Option<Target>); 14] {
        use Target::{AtLeast, AtMost, Below};
        let (gpu, job) = (self.bytes_per_gpu as f64, self.bytes_per_job as f64);
        [
            ("placements_per_s", Some(self.placements_per_s), None),
            ("cpu_us_per_placement", Some(self.cpu_us_per_placement), Some(AtMost(50.0))),
            ("step_cpu_us_p50", Some(self.step_cpu_us_p50), None),
            ("step_cpu_us_p99", Some(self.step_cpu_us_p99), Some(Below(200.0))),
            ("step_cpu_us_p999", Some(self.step_cpu_us_p999), Some(Below(1_000.0))),
            ("step_cpu_us_max", Some(self.step_cpu_us_max), None),
            ("gang_1024_cpu_us", self.gang_1024_cpu_us, Some(Below(1_000.0))),
            ("gang_1024_placed_cpu_us", self.gang_1024_placed_cpu_us, None),
            ("gang_1024_refused_cpu_us", self.gang_1024_refused_cpu_us, None),
            ("gang_1024_why_cpu_us", self.gang_1024_why_cpu_us, None),
            ("fill_placements_per_s", Some(self.fill_placements_per_s), Some(AtLeast(100_000.0))),
            ("bytes_per_gpu", Some(gpu), Some(Below(1_024.0))),
            ("bytes_per_job", Some(job), Some(Below(2_048.0))),
            ("timer_overhead_us", Some(self.timer_overhead_us), None),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::Figures;

    #[test]
    fn the_json_has_every_promised_key() {
        let json = serde_json::to_value(Figures::default()).unwrap();
        for key in [
            "gpus",
            "placements",
            "placements_per_s",
            "cpu_us_per_placement",
            "step_cpu_us_p50",
            "step_cpu_us_p99",
            "step_cpu_us_p999",
            "step_cpu_us_max",
            "gang_1024_cpu_us",
            "fill_placements_per_s",
            "bytes_per_gpu",
            "bytes_per_job",
        ] {
            assert!(json.get(key).is_some(), "{key}");
        }
    }

    #[test]
    fn the_table_says_which_targets_are_met_and_which_are_missed() {
        let figures = Figures {
            cpu_us_per_placement: 50.0,
            step_cpu_us_p99: 200.0,
            fill_placements_per_s: 99_999.0,
            gang_1024_cpu_us: Some(10.0),
            ..Figures::default()
        };
        let table = figures.table();
        let row = |name: &str| table.lines().find(|line| line.contains(name)).unwrap().to_owned();
        assert!(row("cpu_us_per_placement").ends_with("50.0  met: at most 50"), "{table}");
        assert!(row("step_cpu_us_p99 ").ends_with("200.0  missed: under 200"), "{table}");
        assert!(row("fill_placements_per_s").ends_with("missed: at least 100000"), "{table}");
        assert!(row("gang_1024_cpu_us").ends_with("10.0  met: under 1000"), "{table}");
    }

    #[test]
    fn a_gang_that_no_block_could_hold_has_no_figure() {
        let table = Figures::default().table();
        let row = table.lines().find(|line| line.contains("gang_1024_cpu_us")).unwrap();
        assert!(row.ends_with("-  the cluster is too small"), "{table}");
        let json = serde_json::to_value(Figures::default()).unwrap();
        assert!(json["gang_1024_cpu_us"].is_null());
    }
}
