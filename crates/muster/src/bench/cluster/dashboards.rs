//! Whether those who look slow down what decides: passes while nobody looks and while many
//! dashboards are open, in turns, on one server with simulated agents and jobs that come and go.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use muster_client::{Client, Watched};
use tokio::task::JoinSet;

use super::super::figures::Target;
use super::agents::arrive;
use super::base::Base;
use super::figures::Figures;
use super::metrics::Passes;
use super::scratch::Scratch;

/// How long tasks seem to run.
const RUN_MS: u64 = 30_000;

/// Passes with dashboards may take so much of the time of passes without.
const AIM: Option<Target> = Some(Target::Below(1.1));

/// Turns of each kind: what else the machine does falls on both.
const TURNS: u32 = 3;

pub(super) async fn measure(
    parent: &Path,
    (agents, arrivals, seconds): (u32, u32, u32),
    dashboards: u32,
) -> Result<Figures> {
    let folder = Scratch::below(parent)?;
    let base = Base::start(folder.path()).await?;
    let client = base.client()?;
    let simulated = (1..=agents).map(|number| base.agent(number, Some(RUN_MS)));
    let running = base.run(simulated).await?;
    let turn = Duration::from_secs(u64::from(seconds.div_ceil(2 * TURNS)));
    // The cluster fills while nobody measures.
    let all = seconds + u32::try_from(RUN_MS / 1000).unwrap_or(u32::MAX);
    let arriving = tokio::spawn(arrive(client.clone(), arrivals, all));
    tokio::time::sleep(Duration::from_millis(RUN_MS)).await;
    let (mut alone, mut watched) = (Passes::default(), Passes::default());
    let seen = Arc::new(AtomicU64::new(0));
    for _ in 0..TURNS {
        alone.add(Passes::read(base.url())?, after(turn, &base).await?);
        let looking = open(&base, dashboards, &seen).await?;
        watched.add(Passes::read(base.url())?, after(turn, &base).await?);
        drop(looking);
    }
    let submissions = arriving.await??;
    let glance = client.cluster().await?;
    running.stop().await?;
    base.stop().await?;
    let ratio = watched.mean_us() / alone.mean_us().max(f64::MIN_POSITIVE);
    Ok(Figures::of("dashboards")
        .count("dashboards", dashboards)
        .count("agents", agents)
        .count("gpus", glance.gpus)
        .count("jobs_ended", glance.ended)
        .count("pictures_seen", seen.load(Ordering::Relaxed))
        .measure("passes_alone_count", alone.count, None)
        .measure("passes_watched_count", watched.count, None)
        .measure("pass_alone_us", alone.mean_us(), None)
        .measure("pass_watched_us", watched.mean_us(), None)
        .measure("pass_ratio", ratio, AIM)
        .spread("submission", submissions, [None; 2]))
}

/// The passes when a time is over.
async fn after(turn: Duration, base: &Base) -> Result<Passes> {
    tokio::time::sleep(turn).await;
    Passes::read(base.url())
}

/// Opens dashboards and waits until each has its first picture. They close when the set is dropped.
async fn open(base: &Base, dashboards: u32, seen: &Arc<AtomicU64>) -> Result<JoinSet<()>> {
    let mut looking = JoinSet::new();
    let (ready, mut first) = tokio::sync::mpsc::channel(64);
    for _ in 0..dashboards {
        // Each has a connection of its own, as browsers do.
        let (client, seen, ready) = (base.client()?, Arc::clone(seen), ready.clone());
        looking.spawn(async move { look(client, seen, ready).await });
    }
    drop(ready);
    let begun = Instant::now();
    for _ in 0..dashboards {
        let wait = Duration::from_secs(120).saturating_sub(begun.elapsed());
        let got = tokio::time::timeout(wait, first.recv()).await;
        if !matches!(got, Ok(Some(()))) {
            bail!("a dashboard was shown no picture within two minutes");
        }
    }
    Ok(looking)
}

async fn look(client: Client, seen: Arc<AtomicU64>, ready: tokio::sync::mpsc::Sender<()>) {
    let mut watching = client.watch();
    let mut is_first = true;
    loop {
        if let Watched::Picture(_) = watching.next().await {
            seen.fetch_add(1, Ordering::Relaxed);
            if std::mem::take(&mut is_first) {
                // Who waits for it may have given up.
                let _ = ready.send(()).await;
            }
        }
    }
}
