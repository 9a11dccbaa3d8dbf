//! Jobs a second from submission to end, with everything but the processes: each is submitted over
//! HTTP, journaled, placed, handed to an agent, reported started and reported ended.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use super::super::figures::Target;
use super::base::Base;
use super::figures::Figures;
use super::load;
use super::scratch::Scratch;

/// What is aimed at.
const AIM: Target = Target::AtLeast(500.0);

/// Agents that seem to launch.
const AGENTS: u32 = 16;

/// How long tasks seem to run: hardly.
const RUN_MS: u64 = 1;

pub(super) async fn measure(parent: &Path, count: u32, clients: u32) -> Result<Figures> {
    let folder = Scratch::below(parent)?;
    let base = Base::start(folder.path()).await?;
    let simulated = (1..=AGENTS).map(|number| base.agent(number, Some(RUN_MS)));
    let agents = base.run(simulated).await?;
    let client = base.client()?;
    let job = load::job(1)?;
    let (spent, begun) = (base.spent(), Instant::now());
    let took = load::submit(&client, &job, count, clients).await?;
    let submitted = begun.elapsed();
    load::ended(&client, count).await?;
    let elapsed = begun.elapsed();
    let failed = load::failed(&client, count).await?;
    let figures = Figures::of("starts")
        .count("jobs", count)
        .count("jobs_failed", failed)
        .count("clients", clients)
        .count("agents", AGENTS)
        .measure("starts_per_s", load::rate(count, elapsed), Some(AIM))
        .measure("submissions_per_s", load::rate(count, submitted), None)
        .spread("submission", took, [None; 2]);
    let figures = base.costs(spent, count, figures);
    agents.stop().await?;
    base.stop().await?;
    Ok(figures)
}
