//! Many clients that submit, and the wait for what they submitted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use muster_api::view::Outcome;
use muster_api::{Program, Submission};
use muster_client::{Client, JobFilter};
use muster_model::JobSpec;
use tokio::task::JoinSet;

use super::super::meter::Meter;
use super::base::LOOK;

/// The longest that nothing may end while something is alive.
const STUCK: Duration = Duration::from_secs(120);

/// A job with one task of so many GPUs that runs `true`.
pub(super) fn job(gpus: u32) -> Result<Submission> {
    let user = crate::cli::login_name()?;
    let spec = JobSpec::gang("bench", 1, gpus).user(&user);
    let program = Program {
        command: vec!["true".to_owned()],
        directory: Some("/".to_owned()),
        environment: [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into(),
        ..Program::default()
    };
    Ok(Submission { spec: Arc::new(spec), program: Arc::new(program) })
}

/// Submits a job so many times, by so many clients at the same time. Returns how long each took.
pub(super) async fn submit(
    client: &Client,
    job: &Submission,
    count: u32,
    clients: u32,
) -> Result<Meter> {
    let taken = Arc::new(AtomicU32::new(0));
    let mut submitting = JoinSet::new();
    for _ in 0..clients {
        let (client, job, taken) = (client.clone(), job.clone(), Arc::clone(&taken));
        submitting.spawn(async move {
            let mut meter = Meter::default();
            while taken.fetch_add(1, Ordering::Relaxed) < count {
                let begun = Instant::now();
                client.submit(&job).await?;
                meter.add(begun.elapsed());
            }
            Ok::<Meter, muster_client::Error>(meter)
        });
    }
    let mut all = Meter::default();
    while let Some(done) = submitting.join_next().await {
        all.absorb(done??);
    }
    Ok(all)
}

/// Waits until so many jobs have ended.
pub(super) async fn ended(client: &Client, count: u32) -> Result<()> {
    let mut last = (0, Instant::now());
    loop {
        let now = client.cluster().await?.ended;
        if now >= u64::from(count) {
            return Ok(());
        }
        if now > last.0 {
            last = (now, Instant::now());
        } else if last.1.elapsed() > STUCK {
            bail!("{now} of {count} jobs have ended, and no more do");
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// How many jobs did not complete; only the newest are looked at.
pub(super) async fn failed(client: &Client, count: u32) -> Result<u64> {
    /// More are not worth the reading.
    const LOOKED_AT: u32 = 5_000;
    let most = usize::try_from(count.min(LOOKED_AT)).ok();
    let jobs = client.jobs(&JobFilter { most, ..JobFilter::default() }).await?;
    let is_bad = |outcome: Option<Outcome>| outcome != Some(Outcome::Completed);
    Ok(jobs.iter().filter(|job| is_bad(job.outcome)).count() as u64)
}

/// So many in such a time, a second.
pub(super) fn rate(count: u32, time: Duration) -> f64 {
    f64::from(count) / time.as_secs_f64().max(1e-9)
}
