//! Makes a data directory with a past: jobs that have ended and jobs that are alive, all through
//! the journal and the history as a server writes them, without HTTP and agents in between.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use muster_api::Submission;
use muster_engine::command::{Command, Exit};
use muster_model::{ClusterSpec, JobId, NodeSpec};
use muster_server::upkeep::Upkeep;
use muster_server::{Answer, Driver, Entry, driver};

use super::load;

/// Nodes with 8 GPUs each.
const NODES: u32 = 100;

/// Jobs that are taken through their lives together: no more than there is room for.
const TOGETHER: u32 = 400;

/// A server's heart without its skin.
pub(super) struct Filled {
    start: driver::Start,
}

/// Fills a directory.
pub(super) async fn fill(data: &Path, finished: u32, live: u32) -> Result<Filled> {
    let start = driver::start(data, ClusterSpec::default(), Upkeep::default())?;
    let driver = &start.driver;
    let nodes = (1..=NODES).map(|number| Entry::Announced {
        spec: Box::new(NodeSpec::new(&format!("node-{number}"), "H100", 8)),
        address: "127.0.0.1".to_owned(),
        running: Vec::new(),
        instance: format!("instance-{number}"),
        number: 1,
    });
    driver.record(nodes.collect()).await?;
    let job = load::job(1)?;
    for (first, count) in pieces(finished) {
        let jobs = submit(driver, &job, first, count).await?;
        tell(driver, &jobs, |node, job, attempt| Command::Started { node, job, attempt }).await?;
        let exit = Exit::Code(0);
        tell(driver, &jobs, |node, job, attempt| Command::Ended { node, job, attempt, exit })
            .await?;
    }
    for (first, count) in pieces(live) {
        let jobs = submit(driver, &job, finished + first, count).await?;
        tell(driver, &jobs, |node, job, attempt| Command::Started { node, job, attempt }).await?;
    }
    Ok(Filled { start })
}

impl Filled {
    /// Stops as a server does that is told to.
    pub(super) async fn stop(self) -> Result<()> {
        let driver::Start { driver, running, .. } = self.start;
        drop(driver);
        let stopped = tokio::task::spawn_blocking(move || running.stop()).await?;
        stopped.map_err(anyhow::Error::msg)
    }
}

/// A number in pieces: how many came before, and how many come now.
fn pieces(count: u32) -> impl Iterator<Item = (u32, u32)> {
    let step = TOGETHER as usize;
    (0..count).step_by(step).map(move |first| (first, TOGETHER.min(count - first)))
}

async fn submit(driver: &Driver, job: &Submission, first: u32, count: u32) -> Result<Vec<JobId>> {
    let entry = |number: u32| {
        let job = Submission { spec: Arc::clone(&job.spec), program: Arc::clone(&job.program) };
        Entry::submitted(job, Some(format!("key-{}", first + number)), false)
    };
    let answers = driver.record((0..count).map(entry).collect()).await?;
    let accepted = answers.iter().map(|answer| match answer {
        Answer::Accepted { job, .. } => Ok(*job),
        other => bail!("a job was not accepted: {other:?}"),
    });
    accepted.collect()
}

/// Reports something of all jobs that have a place.
async fn tell(
    driver: &Driver,
    jobs: &[JobId],
    command: impl Fn(muster_model::NodeId, JobId, muster_model::Attempt) -> Command,
) -> Result<()> {
    let entries = {
        let control = driver.shared().read();
        let known = jobs.iter().filter_map(|job| control.job(*job));
        let reports = known.flat_map(|job| {
            let nodes = job.places.keys();
            nodes.map(|node| Entry::Told(command(*node, job.id, job.attempt))).collect::<Vec<_>>()
        });
        reports.collect()
    };
    driver.record(entries).await?;
    Ok(())
}
