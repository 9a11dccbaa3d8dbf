//! An idle cluster of one machine: how long after submitting a job is it known to run? One job at
//! a time, each a real process, seen by a client that listens to events.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use muster_api::view::Outcome;
use tokio::sync::mpsc;

use super::super::figures::Target;
use super::super::meter::Meter;
use super::base::Base;
use super::figures::Figures;
use super::load;
use super::scratch::Scratch;

/// What is aimed at, in milliseconds.
const AIMS: [Option<Target>; 2] = [Some(Target::Below(20.0)), Some(Target::Below(100.0))];

/// Jobs that come first and are not counted: connections are made with them.
const WARM_UP: u32 = 5;

/// Events that may wait: far more than one job has.
const EVENTS_WAITING: usize = 1024;

pub(super) async fn measure(parent: &Path, jobs: u32) -> Result<Figures> {
    let folder = Scratch::below(parent)?;
    let base = Base::start(folder.path()).await?;
    let agents = base.run(std::iter::once(base.agent(1, None))).await?;
    let client = base.client()?;
    let (teller, mut running) = mpsc::channel(EVENTS_WAITING);
    let mut events = client.event_stream(Some(0));
    let listening = tokio::spawn(async move {
        while let Ok(event) = events.next().await {
            if event.kind == "job-running"
                && teller.send((event.job, Instant::now())).await.is_err()
            {
                return;
            }
        }
    });
    let job = load::job(1)?;
    let (mut until_accepted, mut until_running, mut until_ended) =
        (Meter::default(), Meter::default(), Meter::default());
    let spent = base.spent();
    for number in 0..WARM_UP + jobs {
        let begun = Instant::now();
        let id = client.submit(&job).await?.id;
        let accepted = begun.elapsed();
        let seen = loop {
            let (of, at) = running.recv().await.context("the events ended")?;
            if of == Some(id) {
                break at;
            }
        };
        let view = client.wait(id).await?;
        let ended = begun.elapsed();
        if view.outcome != Some(Outcome::Completed) {
            bail!("job {id} did not complete: {:?}", view.outcome);
        }
        if number >= WARM_UP {
            until_accepted.add(accepted);
            until_running.add(seen.duration_since(begun));
            until_ended.add(ended);
        }
    }
    listening.abort();
    let figures = Figures::of("latency")
        .count("jobs", jobs)
        .spread("submit_to_running", until_running, AIMS)
        .spread("submit_to_accepted", until_accepted, [None; 2])
        .spread("submit_to_ended", until_ended, [None; 2]);
    let figures = base.costs(spent, WARM_UP + jobs, figures);
    agents.stop().await?;
    base.stop().await?;
    Ok(figures)
}
