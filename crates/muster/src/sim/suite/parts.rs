//! The parts of the suite: what is run in each, and the rows it gives.

use std::str::FromStr;

use anyhow::Result;
use muster_sim::published::{Figures, Rule, Setting};
use muster_sim::replay::{Cost, Options, Rules};
use muster_trace::{Job, Mix, Recipe};

use super::super::number::whole;
use super::super::setup::replay;
use super::cases::{self, Case, DEADLINES, ITP, PHILLY, VENUS};
use super::lab::Lab;
use super::packed;
use super::row::{Aim, Row, Unit};

/// The names of the parts, in the order in which they run.
pub(super) const NAMES: [&str; 7] =
    ["reproduce", "beat", "made-up", "packing", "deadlines", "starvation", "speed"];

/// A baseline comes out as published within so many percent.
const REPRODUCED: f64 = 2.0;

/// The default policy takes at most so many times as long as SRTF, which knows every run time.
const OF_SRTF: f64 = 1.30;

/// What no gang schedule of Venus can beat, by the price bound of the design.
const VENUS_PRICE_BOUND: f64 = 11_979.0;

/// One of the parts, by its place among the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part(usize);

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let found = NAMES.iter().position(|name| *name == text);
        found.map(Part).ok_or_else(|| format!("expected one of {}", NAMES.join(", ")))
    }
}

impl Part {
    pub(super) fn word(self) -> &'static str {
        NAMES[self.0]
    }

    pub(super) fn run(self, lab: &mut Lab) -> Result<Vec<Row>> {
        match self.word() {
            "reproduce" => reproduce(lab),
            "beat" => beat(lab),
            "made-up" => made_up(lab),
            "packing" => packed::rows(lab),
            "deadlines" => deadlines(lab),
            "starvation" => starvation(lab),
            _ => speed(lab),
        }
    }
}

fn reproduce(lab: &mut Lab) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for case in cases::all() {
        let Some(trace) = lab.trace(case.name, case.file)? else { continue };
        let setting = Setting::new(&trace, &lab.cluster(case.cluster)?)?;
        for &(rule, jct, queue) in case.rules {
            let figures = Figures::of(&setting, rule, &setting.run(rule));
            let aim = |of| Aim::Within { of, percent: REPRODUCED };
            let row = |what: &str, ours: f64, of: f64| {
                let what = format!("{}: {rule}, {what}", case.name);
                Row::new("reproduce", what, (Unit::Seconds, ours), aim(of)).published("", of)
            };
            let bound = figures.bound_mean_jct_s;
            rows.push(row("mean JCT", figures.mean_jct_s, jct).bound(bound));
            rows.extend(queue.map(|queue| row("mean wait", figures.mean_queue_s, queue)));
        }
    }
    Ok(rows)
}

fn beat(lab: &mut Lab) -> Result<Vec<Row>> {
    let mut rows = venus(lab)?;
    if let Some(run) = lab.default_run(&PHILLY)? {
        rows.push(
            Row::new(
                "beat",
                format!("{}: mean JCT", PHILLY.name),
                (Unit::Seconds, run.figures.mean_jct_s),
                Aim::AtMost(20_000.0),
            )
            .published("SRTF", PHILLY.srtf)
            .published("Tiresias", PHILLY.tiresias)
            .bound(run.figures.bound_mean_jct_s),
        );
    }
    for case in ITP {
        let Some(run) = lab.default_run(&case)? else { continue };
        let (jct, bound) = (run.figures.mean_jct_s, run.figures.bound_mean_jct_s);
        rows.extend(against("beat", case.name, (jct, bound), (case.tiresias, case.srtf)));
    }
    Ok(rows)
}

/// A mean JCT against Tiresias, and against SRTF.
fn against(
    part: &'static str,
    name: &str,
    (jct, bound): (f64, f64),
    (tiresias, srtf): (f64, f64),
) -> [Row; 2] {
    let seconds = (Unit::Seconds, jct);
    let row = Row::new(part, format!("{name}: mean JCT"), seconds, Aim::Below(tiresias));
    let row = row.published("Tiresias", tiresias).bound(bound);
    let what = format!("{name}: mean JCT, of SRTF's");
    let ratio = Row::new(part, what, (Unit::Ratio, jct / srtf), Aim::AtMost(OF_SRTF));
    [row, ratio.published("SRTF", 1.0).bound(bound / srtf)]
}

fn venus(lab: &mut Lab) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let name = VENUS.name;
    let seconds = |what: &str, ours: f64, aim: Aim| {
        Row::new("beat", format!("{name}: {what}"), (Unit::Seconds, ours), aim)
    };
    if let Some(run) = lab.default_run(&VENUS)? {
        let figures = &run.figures;
        let row = seconds("mean JCT", figures.mean_jct_s, Aim::AtMost(12_700.0));
        let row = row.published("SRTF", VENUS.srtf).published("Lucid (shares)", 12_887.0);
        rows.push(row.published("Tiresias", VENUS.tiresias).bound(figures.bound_mean_jct_s));
        let row = seconds("mean wait", figures.mean_queue_s, Aim::AtMost(930.0));
        let row = row.published("SRTF", 830.0).published("Lucid (shares)", 916.0);
        rows.push(row.published("Tiresias", 2_916.0));
        let wait = (Unit::Hours, figures.p999_queue_s / 3_600.0);
        rows.push(Row::new("beat", format!("{name}: p99.9 wait"), wait, Aim::AtMost(41.0)));
    }
    // The aim is with moves, which the engine makes of what may be paused alone.
    if let Some(run) = lab.run(&VENUS, |options| options.rules.policy.pausing.on = false)? {
        let what = "mean JCT, no preemption or moves";
        let row = seconds(what, run.figures.mean_jct_s, Aim::AtMost(13_950.0));
        rows.push(row.bound(run.figures.bound_mean_jct_s));
    }
    if let Some(run) = lab.run(&VENUS, |options| options.cost = Cost::Measured)? {
        let what = "mean JCT, suspends as measured";
        rows.push(seconds(what, run.figures.mean_jct_s, Aim::Told).bound(VENUS_PRICE_BOUND));
    }
    let merged = Case { name: "Venus, one pool", cluster: "venus-merged", ..VENUS };
    if let Some(run) = lab.run(&merged, |_| {})? {
        let row = seconds("mean JCT, as one pool", run.figures.mean_jct_s, Aim::Told);
        rows.push(row.bound(run.figures.bound_mean_jct_s));
    }
    Ok(rows)
}

/// Workloads that nobody could tune to, and whoever has no trace can run.
fn made_up(lab: &mut Lab) -> Result<Vec<Row>> {
    const JOBS: u64 = 6_000;
    const GPUS: u32 = 256;
    const SEED: u64 = 11;
    const LOAD_PERCENT: u32 = 115;
    let mut rows = Vec::new();
    let cluster = lab.cluster("32x8:H100")?;
    for mix in Mix::ALL {
        let recipe = Recipe { load_percent: LOAD_PERCENT, ..Recipe::new(mix, JOBS, GPUS, SEED) };
        let trace = recipe.make()?;
        let setting = Setting::new(&trace, &cluster)?;
        let mean = |rule| Figures::of(&setting, rule, &setting.run(rule)).mean_jct_s;
        let baselines = (mean(Rule::Tiresias), mean(Rule::Srtf));
        let options = Options { check: false, ..Options::new(Rules::muster()) };
        let figures = replay(&trace, &cluster, &options)?.run.figures;
        let name = format!("mix {mix}, {JOBS} jobs, 32×8");
        let ours = (figures.mean_jct_s, figures.bound_mean_jct_s);
        rows.extend(against("made-up", &name, ours, baselines));
    }
    Ok(rows)
}

fn deadlines(lab: &mut Lab) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (name, file, cluster, [edf, tiresias, chronus]) in DEADLINES {
        let Some(trace) = lab.trace(name, file)? else { continue };
        let case = Case { name, file, cluster, rules: &[], tiresias: 0.0, srtf: 0.0 };
        let Some(run) = lab.run(&case, |options| options.deadlines = true)? else { continue };
        let can = |job: &&Job| job.deadline.is_some_and(|due| job.submit + job.duration <= due);
        let due = trace.jobs.iter().filter(|job| job.deadline.is_some()).count();
        let bound = trace.jobs.iter().filter(can).count() as f64 * 100.0 / due.max(1) as f64;
        let met = run.figures.deadlines_met_share.unwrap_or_default() * 100.0;
        let best = edf.max(tiresias).max(chronus);
        rows.push(
            Row::new("deadlines", name, (Unit::Percent, met), Aim::Above(best))
                .published("EDF", edf)
                .published("Tiresias", tiresias)
                .published("Chronus", chronus)
                .bound(bound),
        );
    }
    Ok(rows)
}

fn starvation(lab: &mut Lab) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for case in cases::all() {
        let Some(run) = lab.default_run(&case)? else { continue };
        let without = |options: &mut Options| options.rules.policy.floor.share_ppm = 0;
        let Some(bare) = lab.run(&case, without)? else { continue };
        let hours = |seconds: f64| (Unit::Hours, seconds / 3_600.0);
        let row = |what: &str, ours| {
            Row::new("starvation", format!("{}: {what}", case.name), ours, Aim::Told)
        };
        rows.extend(promises(lab, &case)?);
        rows.push(row("longest gap", hours(run.figures.max_gap_s)));
        rows.push(row("longest gap, no floor", hours(bare.figures.max_gap_s)));
        let cost = run.figures.mean_jct_s / bare.figures.mean_jct_s.max(1.0);
        rows.push(row("mean JCT, of no floor's", (Unit::Ratio, cost)));
    }
    Ok(rows)
}

/// Every job that begins to wait asks when it will have started at the latest.
fn promises(lab: &mut Lab, case: &Case) -> Result<Option<Row>> {
    let Some(trace) = lab.trace(case.name, case.file)? else { return Ok(None) };
    let cluster = lab.cluster(case.cluster)?;
    let options = Options { check: false, promises: true, ..Options::new(Rules::muster()) };
    let promises = replay(&trace, &cluster, &options)?.replayed.promises.unwrap_or_default();
    let told = whole(promises.told as f64);
    let what = format!("{}: starts later than told, of {told}", case.name);
    let broken = (Unit::Count, promises.broken as f64);
    Ok(Some(Row::new("starvation", what, broken, Aim::AtMost(0.0))))
}

fn speed(lab: &mut Lab) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (case, limit) in [(VENUS, 2.0), (PHILLY, 5.0)] {
        let Some(run) = lab.default_run(&case)? else { continue };
        let what = format!("{}, {} jobs: CPU", case.name, run.figures.jobs);
        rows.push(Row::new("speed", what, (Unit::CpuSeconds, run.cpu_s), Aim::AtMost(limit)));
        if let Some(peak) = run.peak_mb {
            let what = format!("{}: memory", case.name);
            rows.push(Row::new("speed", what, (Unit::Mib, peak), Aim::AtMost(500.0)));
        }
    }
    if !lab.million {
        lab.leave_out("a million made-up jobs on 100,000 GPUs: --million runs it");
        return Ok(rows);
    }
    let trace = Recipe::new(Mix::Philly, 1_000_000, 100_000, 1).make()?;
    let cluster = lab.cluster("12500x8:H100")?;
    let options = Options { check: false, ..Options::new(Rules::muster()) };
    let run = replay(&trace, &cluster, &options)?.run;
    let what = "1,000,000 made-up jobs on 100,000 GPUs: CPU";
    rows.push(Row::new("speed", what, (Unit::CpuSeconds, run.cpu_s), Aim::AtMost(300.0)));
    Ok(rows)
}
