//! Jobs that only hold their places, for `srun` outside of a job and for `salloc`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use muster_api::view::{JobState, Outcome};
use muster_api::{JobDetail, Program, Runs, Submission};
use muster_client::{EventFilter, Events, JOB_CREDENTIALS, Order};
use muster_slurm::values::{Base, Export};
use muster_slurm::{Reading, Request};
use tokio::signal::unix::{SignalKind, signal};

use super::Stop;
use super::sbatch::{Script, Source, Submitted, prepare, refused};
use super::session::Session;
use crate::cli::person::Person;

/// Variables that stay behind: what opens the cluster's door does not belong into its journal.
/// A job is given its own.
const KEPT: [&str; 2] = ["MUSTER_TOKEN", JOB_CREDENTIALS];

/// A job that holds its places.
pub(super) struct Held {
    pub(super) id: u64,
    pub(super) detail: JobDetail,
}

/// What the other command said, by our own name.
pub(super) fn renamed(mut stop: Stop, command: &str) -> Stop {
    let lines = stop.said.lines().map(|line| match line.strip_prefix("sbatch: ") {
        Some(rest) => format!("{command}: {rest}"),
        None => line.replace("\"sbatch --help\"", &format!("\"{command} --help\"")),
    });
    stop.said = lines.collect::<Vec<_>>().join("\n");
    let failed = match command {
        "salloc" => "Job submit/allocate failed",
        _ => "Unable to allocate resources",
    };
    stop.said = stop.said.replace("Batch job submission failed", failed);
    stop
}

/// The job that an allocation would be.
pub(super) async fn prepared(
    session: &Session,
    reading: &Reading,
    person: &Person,
    line: String,
) -> Result<Submitted, Stop> {
    let name = session.command;
    let slurm = session.client.slurm().await.map_err(|error| session.failed(error))?;
    let called = reading.rest.first().map(|word| word.rsplit('/').next().unwrap_or(word));
    let script =
        Script::none(called.unwrap_or(if name == "salloc" { "interactive" } else { name }));
    let source = Source { script: &script, person, line, clock: session.clock };
    let submitted = prepare(reading, &slurm, &source)?;
    if !reading.request.client.quiet {
        submitted.warnings.iter().for_each(|warning| eprintln!("{name}: warning: {warning}"));
    }
    Ok(submitted)
}

/// Gets an allocation, and waits for it.
pub(super) async fn allocate(
    session: &Session,
    request: &Request,
    submission: Submission,
) -> Result<Held, Stop> {
    let Submission { mut spec, program } = submission;
    let held = std::sync::Arc::make_mut(&mut spec);
    // Nobody waits any more for an allocation that comes a second time.
    held.requeue.when_lost = false;
    let program = Program {
        command: Vec::new(),
        script: None,
        output: None,
        error: None,
        input: None,
        image: None,
        container: None,
        environment: BTreeMap::new(),
        save: None,
        runs: Runs::Nowhere,
        ..(*program).clone()
    };
    let submission = Submission { spec, program: program.into() };
    let latest = EventFilter { most: Some(1), ..EventFilter::default() };
    let latest = session.client.events(&latest).await.map_err(|error| session.failed(error))?;
    let after = latest.last().map(|event| event.id);
    let accepted = session.client.submit(&submission).await;
    let id = accepted.map_err(|error| refused(session, error))?.id;
    let started = wait(session, id, after, request).await;
    if started.is_err() {
        let _ = session.client.order(id, Order::Cancel).await;
    }
    started
}

/// Waits until a job has its places. An interrupt gives it up, and so does the end of the time
/// that somebody is ready to wait.
async fn wait(
    session: &Session,
    id: u64,
    after: Option<u64>,
    request: &Request,
) -> Result<Held, Stop> {
    let name = session.command;
    // Who waits so little need not hear of it.
    let is_quiet = request.client.quiet || request.when.immediate_s.is_some();
    let mut patience = pin!(patience(request.when.immediate_s));
    let failed = |error: std::io::Error| Stop::error(name, error);
    let mut interrupts = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut ends = signal(SignalKind::terminate()).map_err(failed)?;
    let mut events = session.client.event_stream(Some(after.unwrap_or_default()));
    let mut is_told = false;
    loop {
        let detail = session.client.job(id).await.map_err(|error| session.failed(error))?;
        match detail.job.state {
            JobState::Running | JobState::Pausing | JobState::Resuming => {
                if is_told {
                    eprintln!("{name}: job {id} has been allocated resources");
                }
                return Ok(Held { id, detail });
            }
            JobState::Ended => return Err(ended(name, id, detail.job.outcome)),
            JobState::Waiting | JobState::Queued if !is_told && !is_quiet => {
                is_told = true;
                eprintln!("{name}: job {id} queued and waiting for resources");
            }
            _ => {}
        }
        tokio::select! {
            event = of_job(&mut events, id) => event.map_err(|error| session.failed(error))?,
            () = &mut patience => return Err(busy(name)),
            _ = interrupts.recv() => return Err(revoked(name, id)),
            _ = ends.recv() => return Err(revoked(name, id)),
        }
    }
}

/// Ends when `--immediate` gives up, and never without it.
async fn patience(immediate_s: Option<u32>) {
    match immediate_s {
        Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds.into())).await,
        None => std::future::pending().await,
    }
}

/// The next event of a job.
async fn of_job(events: &mut Events, id: u64) -> Result<(), muster_client::Error> {
    while events.next().await?.job != Some(id) {}
    Ok(())
}

fn busy(name: &str) -> Stop {
    Stop::error(name, "Unable to allocate resources: Requested nodes are busy")
}

fn revoked(name: &str, id: u64) -> Stop {
    Stop::plain(format!("{name}: Job allocation {id} has been revoked."), 1)
}

fn ended(name: &str, id: u64, outcome: Option<Outcome>) -> Stop {
    let how = outcome.map(|outcome| outcome.to_string()).unwrap_or_default();
    Stop::plain(format!("{name}: error: Job allocation {id} has been revoked: {how}"), 1)
}

/// The folder that a program starts in, which is asked for in the words of where somebody is.
pub(super) fn folder(asked: Option<&str>, person: &Person) -> String {
    let folder = Path::new(&person.directory).join(asked.unwrap_or("."));
    folder.components().collect::<PathBuf>().display().to_string()
}

/// The variables that travel with a program that is started from here.
pub(super) fn variables(export: Option<&Export>, person: &Person) -> BTreeMap<String, String> {
    let all = Export { base: Base::All, variables: Vec::new() };
    let export = export.unwrap_or(&all);
    let mut environment = match export.base {
        Base::All => person.environment.clone(),
        Base::None | Base::Nil | Base::Named => BTreeMap::new(),
    };
    for (name, value) in &export.variables {
        let value = value.clone().or_else(|| person.environment.get(name).cloned());
        environment.extend(value.map(|value| (name.clone(), value)));
    }
    environment.retain(|name, _| !KEPT.contains(&name.as_str()));
    environment
}
