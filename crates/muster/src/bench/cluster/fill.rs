//! Makes a data directory with a past: jobs that have ended and jobs that are alive, all through
//! the journal and the history as a server writes them, without HTTP and agents in between.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use muster_api::Submission;
use muster_engine::command::{Command, Exit};
use muster_model::{ClusterSpec, JobId, JobSpec, NodeSpec, QueueSpec};
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
    announce(driver, NODES).await?;
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

/// Fills a directory with nodes that all work and queues in each of which a gang waits.
pub(super) async fn crowd(data: &Path, nodes: u32, queues: u32) -> Result<Filled> {
    let start = driver::start(data, ClusterSpec::default(), Upkeep::default())?;
    let driver = &start.driver;
    announce(driver, nodes).await?;
    let name = |number: u32| format!("queue-{:04}", number % queues);
    for (first, count) in pieces(queues) {
        let queue = |number: u32| QueueSpec::new(&name(first + number));
        let set = |number| Entry::Told(Command::QueueSet { queue: queue(number) });
        driver.record((0..count).map(set).collect()).await?;
    }
    let plain = load::job(8)?;
    let in_queue = |tasks: u32, number: u32| {
        let user = plain.spec.user.as_str();
        let spec = JobSpec::gang("bench", tasks, 8).user(user).queue(&name(number));
        Submission { spec: Arc::new(spec), program: Arc::clone(&plain.program) }
    };
    for (first, count) in pieces(nodes) {
        let jobs = submit_each(driver, first, count, |number| in_queue(1, number)).await?;
        tell(driver, &jobs, |node, job, attempt| Command::Started { node, job, attempt }).await?;
    }
    for (first, count) in pieces(queues) {
        submit_each(driver, nodes + first, count, |number| in_queue(2, number)).await?;
    }
    Ok(Filled { start })
}

/// Nodes come, with 8 GPUs each.
async fn announce(driver: &Driver, nodes: u32) -> Result<()> {
    let entry = |number: u32| Entry::Announced {
        spec: Box::new(NodeSpec::new(&format!("node-{number}"), "H100", 8)),
        address: "127.0.0.1".to_owned(),
        running: Vec::new(),
        instance: format!("instance-{number}"),
        number: 1,
    };
    for (first, count) in pieces(nodes) {
        driver.record((first + 1..=first + count).map(entry).collect()).await?;
    }
    Ok(())
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
    let copy = |_| Submission { spec: Arc::clone(&job.spec), program: Arc::clone(&job.program) };
    submit_each(driver, first, count, copy).await
}

/// Submits so many jobs, each by its number.
async fn submit_each(
    driver: &Driver,
    first: u32,
    count: u32,
    job: impl Fn(u32) -> Submission,
) -> Result<Vec<JobId>> {
    let entry = |number: u32| Entry::submitted(job(number), Some(format!("key-{number}")), false);
    let answers = driver.record((first..first + count).map(entry).collect()).await?;
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
