//! Jobs a second from submission to end, each a real process of one agent on this machine.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use super::base::Base;
use super::figures::Figures;
use super::load;
use super::scratch::Scratch;

pub(super) async fn measure(parent: &Path, count: u32, clients: u32) -> Result<Figures> {
    let folder = Scratch::below(parent)?;
    let base = Base::start(folder.path()).await?;
    let agents = base.run(std::iter::once(base.agent(1, None))).await?;
    let client = base.client()?;
    let job = load::job(1)?;
    let (spent, begun) = (base.spent(), Instant::now());
    load::submit(&client, &job, count, clients).await?;
    load::ended(&client, count).await?;
    let elapsed = begun.elapsed();
    let failed = load::failed(&client, count).await?;
    let figures = Figures::of("processes")
        .count("jobs", count)
        .count("jobs_failed", failed)
        .count("clients", clients)
        .measure("jobs_per_s", load::rate(count, elapsed), None);
    let figures = base.costs(spent, count, figures);
    agents.stop().await?;
    base.stop().await?;
    Ok(figures)
}
