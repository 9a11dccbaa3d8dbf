//! Submissions a second, each on disk before it is answered. The jobs are held, so that nothing
//! but submitting is measured.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use muster_api::Submission;

use super::super::figures::Target;
use super::base::Base;
use super::figures::Figures;
use super::load;
use super::scratch::Scratch;

/// What is aimed at.
const AIM: Target = Target::AtLeast(1_000.0);

pub(super) async fn measure(parent: &Path, count: u32, clients: u32) -> Result<Figures> {
    let folder = Scratch::below(parent)?;
    let base = Base::start(folder.path()).await?;
    let client = base.client()?;
    let job = load::job(1)?;
    let held = Submission { spec: Arc::new(job.spec.as_ref().clone().hold()), ..job };
    let (spent, begun) = (base.spent(), Instant::now());
    let took = load::submit(&client, &held, count, clients).await?;
    let elapsed = begun.elapsed();
    let known = client.cluster().await?.pending;
    ensure!(known == u64::from(count), "{count} jobs were submitted, {known} are known");
    let figures = Figures::of("submit")
        .count("jobs", count)
        .count("clients", clients)
        .measure("submissions_per_s", load::rate(count, elapsed), Some(AIM))
        .spread("submission", took, [None; 2]);
    let figures = base.costs(spent, count, figures);
    base.stop().await?;
    Ok(figures)
}
