//! Thousands of agents on one server while jobs arrive: whether leases hold, and how long people
//! wait who look. The agents are in this process and launch nothing; each has its own connections.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use muster_client::{Client, JobFilter};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use super::super::figures::Target;
use super::super::meter::Meter;
use super::base::Base;
use super::figures::Figures;
use super::load;
use super::scratch::Scratch;

/// What is aimed at, in milliseconds.
const AIM: Option<Target> = Some(Target::Below(100.0));

/// How long tasks seem to run: long enough that thousands of GPUs are busy.
const RUN_MS: u64 = 30_000;

/// GPUs of the jobs, in turn.
const GPUS: [u32; 6] = [1, 1, 1, 2, 4, 8];

/// How often someone looks at everything.
const LOOK: Duration = Duration::from_millis(200);

/// What the readers of one measurement waited for.
#[derive(Default)]
struct Reads {
    jobs: Meter,
    nodes: Meter,
    cluster: Meter,
    all: Meter,
    unseen: u64,
}

pub(super) async fn measure(
    parent: &Path,
    agents: u32,
    arrivals: u32,
    seconds: u32,
) -> Result<Figures> {
    let folder = Scratch::below(parent)?;
    let base = Base::start(folder.path()).await?;
    let client = base.client()?;
    let lost = Arc::new(AtomicU64::new(0));
    let watching = tokio::spawn(watch(client.clone(), Arc::clone(&lost)));
    let begun = Instant::now();
    let simulated = (1..=agents).map(|number| base.agent(number, Some(RUN_MS)));
    let running = base.run(simulated).await?;
    let joined = begun.elapsed();
    let span = Duration::from_secs(u64::from(seconds));
    let begun = Instant::now();
    let arriving = tokio::spawn(arrive(client.clone(), arrivals, seconds));
    let reads = read(&client, begun + span).await?;
    let took = arriving.await??;
    let elapsed = begun.elapsed();
    let glance = client.cluster().await?;
    let submitted = u32::try_from(took.steps()).unwrap_or(u32::MAX);
    watching.abort();
    running.stop().await?;
    base.stop().await?;
    Ok(Figures::of("agents")
        .count("agents", agents)
        .count("gpus", glance.gpus)
        .measure("join_all_s", joined.as_secs_f64(), None)
        .measure("watched_s", elapsed.as_secs_f64(), None)
        .count("jobs_submitted", submitted)
        .measure("arrivals_per_s", load::rate(submitted, elapsed), None)
        .count("jobs_active_at_end", glance.active)
        .count("jobs_ended", glance.ended)
        .measure("nodes_lost_count", lost.load(Ordering::Relaxed) as f64, Some(Target::AtMost(0.0)))
        .measure("nodes_unseen_max_count", reads.unseen as f64, Some(Target::AtMost(0.0)))
        .spread("submission", took, [None; 2])
        .spread("read", reads.all, [None, AIM])
        .spread("read_jobs", reads.jobs, [None, AIM])
        .spread("read_nodes", reads.nodes, [None, AIM])
        .spread("read_cluster", reads.cluster, [None, AIM]))
}

/// Submits so many jobs a second, each when it is due, whether or not earlier ones were answered.
pub(super) async fn arrive(client: Client, arrivals: u32, seconds: u32) -> Result<Meter> {
    let jobs: Vec<_> = GPUS.into_iter().map(load::job).collect::<Result<_>>()?;
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / arrivals);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut submitting = JoinSet::new();
    for job in jobs.iter().cycle().take((arrivals * seconds) as usize) {
        ticks.tick().await;
        let (client, job) = (client.clone(), job.clone());
        submitting.spawn(async move {
            let begun = Instant::now();
            client.submit(&job).await?;
            Ok::<Duration, muster_client::Error>(begun.elapsed())
        });
    }
    let mut meter = Meter::default();
    while let Some(took) = submitting.join_next().await {
        meter.add(took??);
    }
    Ok(meter)
}

/// Looks at jobs, nodes and the cluster again and again, as dashboards do.
async fn read(client: &Client, until: Instant) -> Result<Reads> {
    let page = JobFilter { most: Some(100), ..JobFilter::default() };
    let mut reads = Reads::default();
    let mut ticks = tokio::time::interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while Instant::now() < until {
        ticks.tick().await;
        let begun = Instant::now();
        client.jobs(&page).await?;
        let jobs = begun.elapsed();
        client.nodes().await?;
        let nodes = begun.elapsed().saturating_sub(jobs);
        let glance = client.cluster().await?;
        let cluster = begun.elapsed().saturating_sub(jobs + nodes);
        reads.jobs.add(jobs);
        reads.nodes.add(nodes);
        reads.cluster.add(cluster);
        [jobs, nodes, cluster].into_iter().for_each(|took| reads.all.add(took));
        reads.unseen = reads.unseen.max(glance.nodes_unseen);
    }
    Ok(reads)
}

/// Counts the times that sight of a node was lost.
async fn watch(client: Client, lost: Arc<AtomicU64>) {
    let mut events = client.event_stream(Some(0));
    while let Ok(event) = events.next().await {
        lost.fetch_add(u64::from(event.kind == "node-lost"), Ordering::Relaxed);
    }
}
