//! The published figures, where the public traces lie beside the checkout: they come out again.
//! Where they are absent, each test says so and passes.

use std::path::{Path, PathBuf};

use muster_sim::bound::{Pool, Work};
use muster_sim::packing::{Experiment, Figures as Packed, Policy};
use muster_sim::published::{Figures, Rule, Setting};
use muster_trace::{Cluster, Gpus, ReadOptions, Trace};

/// The folder, or a loud word that there is none.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join(muster_trace::cluster::TRACES_FOLDER);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no public traces in {}: nothing was checked", folder.display());
    None
}

fn open(folder: &Path, file: &str) -> Trace {
    Trace::open(&folder.join(file), &ReadOptions::default()).expect("a public trace is readable")
}

#[test]
fn fifo_and_sjf_on_venus_come_out_as_published() {
    let Some(folder) = folder() else { return };
    let cluster = Cluster::find("venus", &folder).unwrap();
    let setting = Setting::new(&open(&folder, "venus/jobs.csv"), &cluster).unwrap();
    let published = [
        (Rule::Fifo, 65_721.0, 53_951.0, [106_182.0, 75_871.0, 17_764.0]),
        (Rule::Sjf, 21_095.0, 9_326.0, [17_351.0, 9_624.0, 6_254.0]),
    ];
    for (rule, jct, queue, pools) in published {
        let figures = Figures::of(&setting, rule, &setting.run(rule));
        assert!((figures.mean_jct_s - jct).abs() < 1.0, "{rule}: {}", figures.mean_jct_s);
        assert!((figures.mean_queue_s - queue).abs() < 1.0, "{rule}: {}", figures.mean_queue_s);
        for (pool, queue) in ["vcEwI", "vcWoR", "vcKeu"].into_iter().zip(pools) {
            let found = figures.pools.iter().find(|figures| figures.pool == pool).unwrap();
            assert!((found.mean_queue_s - queue).abs() < 1.0, "{rule}: {found:?}");
        }
        assert!(figures.bound_mean_jct_s < jct);
    }
}

#[test]
fn the_bounds_of_philly_are_those_of_the_design() {
    let Some(folder) = folder() else { return };
    let trace = open(&folder, "philly/jobs.csv");
    let work = |job: &muster_trace::Job| Work {
        release_ms: job.submit.0,
        duration_ms: job.duration.0,
        gpus: match job.gpus {
            Gpus::Whole(gpus) => gpus,
            Gpus::Share(_) => panic!("Philly has whole GPUs"),
        },
    };
    let works: Vec<Work> = trace.jobs.iter().map(work).collect();
    for (gpus, bounds) in [(512, [13_136, 1_832, 8_319]), (400, [13_136, 7_236, 13_699])] {
        let pool = Pool { gpus, works: works.clone() };
        let found = [pool.by_duration(), pool.by_fast_machine(), pool.by_busy_time()];
        for (found, wanted) in found.into_iter().zip(bounds) {
            let wanted = f64::from(wanted);
            assert!((found / 1000.0 - wanted).abs() < wanted * 0.001, "{gpus}: {found} {wanted}");
        }
    }
}

#[test]
fn best_fit_and_packing_on_alibaba_come_out_as_published() {
    let Some(folder) = folder() else { return };
    let pods = open(&folder, "alibaba-2023/pods_default.csv");
    let cluster = Cluster::find("alibaba-2023", &folder).unwrap();
    let experiment = Experiment::new(&pods, &cluster, Some(130)).unwrap();
    for (policy, percent) in [(Policy::BestFit, 93.08), (Policy::GpuPacking, 92.0)] {
        let runs: Vec<_> = (42..44).map(|seed| experiment.fill(policy, seed).unwrap()).collect();
        let found = Packed::of(policy, &runs).allocated_percent_mean;
        // Two seeds of the ten: their standard deviation is 0.3 points at most.
        assert!((found - percent).abs() < 1.0, "{policy}: {found}");
    }
}
