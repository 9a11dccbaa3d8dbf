//! `salloc`: holds an allocation while a command or a shell runs here.

use std::process::Stdio;

use muster_api::view::JobState;
use muster_client::Order;
use muster_slurm::options::Arguments;
use muster_slurm::request::Sources;
use muster_slurm::variables::{Job, Node, Variables};
use muster_slurm::{Command, Reading, Request, environment};
use tokio::signal::unix::{SignalKind, signal};

use super::allocate::{self, Held};
use super::sbatch::{all_refused, option_refused};
use super::session::Session;
use super::{Ended, Stop, VERSION, say};
use crate::cli::person::Person;

const NAME: &str = "salloc";

pub(super) async fn run(words: Vec<String>) -> Ended {
    run_as_salloc(words).await.map_err(|stop| allocate::renamed(stop, NAME))
}

async fn run_as_salloc(words: Vec<String>) -> Ended {
    let line = [&[NAME.to_owned()][..], &words].concat().join(" ");
    let arguments = Arguments::read(Command::Salloc, words).map_err(|it| option_refused(&it))?;
    let asks = |name: &str| arguments.settings.iter().any(|setting| setting.row.name == name);
    if asks("help") || asks("usage") {
        return say("Usage: salloc [OPTIONS] [command [args...]]\n");
    }
    if asks("version") {
        return say(&format!("{VERSION}\n"));
    }
    let person = Person::present().map_err(|error| Stop::error(NAME, format!("{error:#}")))?;
    let variable = |name: &str| person.environment.get(name).cloned();
    let environment = environment::settings(Command::Salloc, variable);
    let sources = Sources { environment, script: None, arguments };
    let reading = Request::read(Command::Salloc, sources).map_err(|it| all_refused(&it))?;
    let session = Session::open(NAME)?;
    let submitted = allocate::prepared(&session, &reading, &person, line).await?;
    let held = allocate::allocate(&session, &reading.request, submitted.submission).await?;
    let is_quiet = reading.request.client.quiet;
    if !is_quiet {
        eprintln!("{NAME}: Granted job allocation {}", held.id);
    }
    if reading.request.client.no_shell {
        return Ok(0);
    }
    let ran = beside(&session, &reading, &person, &held).await;
    let code = ran.as_ref().map_or(1, |code| *code);
    if !is_quiet {
        eprintln!("{NAME}: Relinquishing job allocation {}", held.id);
    }
    if session.client.end_job(held.id, i32::from(code)).await.is_err() {
        // It has ended by itself, or is about to.
        let _ = session.client.order(held.id, Order::Cancel).await;
    }
    ran
}

/// Runs the command or a shell with the variables of the allocation.
async fn beside(session: &Session, reading: &Reading, person: &Person, held: &Held) -> Ended {
    let shell = || person.environment.get("SHELL").cloned().unwrap_or("/bin/sh".to_owned());
    let (program, arguments) = match reading.rest.split_first() {
        Some((program, arguments)) => (program.clone(), arguments.to_vec()),
        None => (shell(), vec!["-i".to_owned()]),
    };
    let mut command = tokio::process::Command::new(&program);
    command.args(arguments).envs(told(reading, person, held)).stdin(Stdio::inherit());
    let mut child = command.spawn().map_err(|error| {
        Stop::error(NAME, format!("Unable to exec command \"{program}\": {error}"))
    })?;
    let failed = |error: std::io::Error| Stop::error(NAME, error);
    // The command hears them as well, and decides.
    let mut interrupts = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut ends = signal(SignalKind::terminate()).map_err(failed)?;
    let mut is_revoked = false;
    loop {
        tokio::select! {
            status = child.wait() => {
                use std::os::unix::process::ExitStatusExt;
                let status = status.map_err(failed)?;
                let signal = status.signal().map(|signal| 128 + signal);
                let code = status.code().or(signal).unwrap_or(1);
                return Ok(u8::try_from(code).unwrap_or(1));
            }
            job = session.client.wait(held.id), if !is_revoked => {
                if job.is_ok_and(|job| job.state == JobState::Ended) {
                    is_revoked = true;
                    eprintln!("{NAME}: Job allocation {} has been revoked.", held.id);
                    hang_up(&child);
                }
            }
            _ = interrupts.recv() => {}
            _ = ends.recv() => hang_up(&child),
        }
    }
}

fn hang_up(child: &tokio::process::Child) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok());
    if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::HUP);
    }
}

/// The variables of the allocation.
fn told(reading: &Reading, person: &Person, held: &Held) -> Variables {
    let detail = &held.detail;
    let slurm = detail.program.as_ref().and_then(|program| program.slurm.as_deref());
    let slurm = slurm.cloned().unwrap_or_default();
    let request = Request::from_words(Command::Sbatch, slurm.words.clone());
    let request = request.map_or_else(|_| reading.request.clone(), |it| it.request);
    let nodes: Vec<Node> = detail.job.nodes.iter().map(|name| node(held, name)).collect();
    let start_s = detail.job.started.map(|time| time.0.0 / 1000);
    let limit_s = detail.spec.as_ref().and_then(|spec| spec.timing.limit).map(|it| it.0 / 1000);
    let job = Job {
        id: held.id,
        element: None,
        name: request.identity.job_name.as_deref().unwrap_or(&detail.job.name),
        user: &person.name,
        ids: None,
        partition: &slurm.partition,
        account: &slurm.account,
        qos: &slurm.qos,
        cluster: &slurm.cluster,
        submitted_in: &slurm.directory,
        submitted_on: &slurm.host,
        nodes: &nodes,
        restarts: 0,
        start_s,
        end_s: start_s.zip(limit_s).map(|(start, limit)| start + limit),
        request: &request,
    };
    job.allocation()
}

/// What the allocation has on a node.
fn node(held: &Held, name: &str) -> Node {
    let attempt = held.detail.attempts.last();
    let places = attempt.into_iter().flat_map(|attempt| &attempt.places);
    let mut node = Node { name: name.to_owned(), cpus: 0, gpus: Vec::new() };
    let groups = held.detail.spec.as_ref().map(|spec| &spec.groups);
    for place in places.filter(|place| place.node == name) {
        let group = groups.and_then(|groups| groups.get(usize::from(place.group)));
        let cpus = group.map_or(0, |group| group.task.cpus.0.div_ceil(1000));
        node.cpus += u32::try_from(cpus).unwrap_or(u32::MAX);
        node.gpus.extend(&place.gpus);
    }
    node
}
