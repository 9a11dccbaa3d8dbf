//! `srun`: runs a program in the places of a job, its own or one that is there, and carries its
//! streams.

mod listen;
mod output;
mod request;
mod terminal;
mod watch;

use muster_api::step::StepRequest;
use muster_slurm::options::Arguments;
use muster_slurm::request::Sources;
use muster_slurm::{Command, Reading, Request, environment};

use super::allocate::{self, Held};
use super::sbatch::{all_refused, foretell, option_refused};
use super::session::Session;
use super::{Ended, Stop, VERSION, say};
use crate::cli::person::Person;
use listen::Listening;
use watch::Watching;

const NAME: &str = "srun";

pub(super) async fn run(words: Vec<String>) -> Ended {
    run_as_srun(words).await.map_err(|stop| allocate::renamed(stop, NAME))
}

async fn run_as_srun(words: Vec<String>) -> Ended {
    let line = [&[NAME.to_owned()][..], &words].concat().join(" ");
    let arguments = Arguments::read(Command::Srun, words).map_err(|it| option_refused(&it))?;
    let asks = |name: &str| arguments.settings.iter().any(|setting| setting.row.name == name);
    if asks("help") || asks("usage") {
        return say("Usage: srun [OPTIONS] executable [args...]\n");
    }
    if asks("version") {
        return say(&format!("{VERSION}\n"));
    }
    let person = Person::present().map_err(|error| Stop::error(NAME, format!("{error:#}")))?;
    let variable = |name: &str| person.environment.get(name).cloned();
    let environment = environment::settings(Command::Srun, variable);
    let sources = Sources { environment, script: None, arguments };
    let reading = Request::read(Command::Srun, sources).map_err(|it| all_refused(&it))?;
    if reading.rest.is_empty() {
        return Err(Stop::plain("srun: fatal: No command given to execute.", 1));
    }
    let session = Session::open(NAME)?;
    if let Some(job) = reading.request.step.job {
        return step(&session, &reading, &person, (job, false)).await;
    }
    let submitted = allocate::prepared(&session, &reading, &person, line).await?;
    if reading.request.client.test_only {
        return foretell(&session, &submitted).await;
    }
    let held = allocate::allocate(&session, &reading.request, submitted.submission).await?;
    // The job ends with its step, also where nobody is left to say so.
    let ended = step(&session, &reading, &person, (held.id, true)).await;
    let code = match &ended {
        Ok(code) => i32::from(*code),
        Err(_) => 1,
    };
    end(&session, &held, code).await;
    ended
}

/// The job ends as its only step has.
async fn end(session: &Session, held: &Held, code: i32) {
    if let Err(error) = session.client.end_job(held.id, code).await {
        // It may have ended by itself: it was cancelled, or its time was over.
        if !matches!(error, muster_client::Error::Refused(_)) {
            eprintln!("{NAME}: error: cannot end job {}: {error}", held.id);
        }
    }
}

/// Runs one step to its end.
async fn step(
    session: &Session,
    reading: &Reading,
    person: &Person,
    (job, ends_job): (u64, bool),
) -> Ended {
    let mut request = StepRequest { ends_job, ..request::of(reading, person)? };
    let is_terminal = reading.request.step.pty;
    let listening = Listening::open(session.client.url()).await;
    let listening = listening.map_err(|error| Stop::error(NAME, format!("{error:#}")))?;
    let mut listener = listening.listener();
    request::input(&reading.request, &mut listener);
    let terminal = is_terminal.then(terminal::Raw::size).flatten();
    listener.terminal = terminal.or(is_terminal.then_some(terminal::USUAL));
    request.streams.listener = Some(listener.into());
    let started = session.client.start_step(job, &request).await;
    let view = started.map_err(|error| refused(session, &error))?;
    // From here on the terminal is the program's.
    let raw = if is_terminal { terminal::Raw::take() } else { None };
    let watching = Watching::new(session, &reading.request, listening, view, is_terminal);
    let ended = watching.run().await;
    drop(raw);
    ended
}

fn refused(session: &Session, error: &muster_client::Error) -> Stop {
    let muster_client::Error::Refused(problem) = error else {
        return Stop::error(session.command, error);
    };
    let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    let words = match problem.errors.first().map(|wrong| wrong.field.as_str()) {
        Some("job") => "Unable to create step for job: Invalid job id specified",
        Some("tasks") => "Unable to create step for job: More processors requested than permitted",
        Some("immediate") => "Unable to create step for job: Requested nodes are busy",
        _ => "Unable to create step for job",
    };
    Stop::error(session.command, format!("{words}: {problem}{hint}"))
}
