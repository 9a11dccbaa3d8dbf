//! `sbatch`: submits a script.

pub(super) mod choose;
mod contract;
mod foretell;
mod job;
mod refusal;
mod script;

pub(super) use foretell::foretell;
pub(super) use job::{Source, Submitted, prepare};
pub(super) use refusal::{option as option_refused, several as all_refused};
pub(super) use script::Script;

use muster_api::Accepted;
use muster_api::problem::BadValue;
use muster_api::view::{JobState, Outcome};
use muster_client::Error;
use muster_slurm::options::{self, Arguments};
use muster_slurm::request::Sources;
use muster_slurm::{Command, Request, environment};

use super::session::Session;
use super::{Ended, Stop, VERSION, say};
use crate::cli::person::Person;

const NAME: &str = "sbatch";

/// What Slurm says of what none of its nodes could run.
const NODE_CONFIGURATION: &str = "Requested node configuration is not available";

pub(super) async fn run(words: Vec<String>) -> Ended {
    let line = [&[NAME.to_owned()][..], &words].concat().join(" ");
    let arguments = Arguments::read(Command::Sbatch, words).map_err(|it| option_refused(&it))?;
    let asks = |name: &str| arguments.settings.iter().any(|setting| setting.row.name == name);
    if asks("help") || asks("usage") {
        return say(&help());
    }
    if asks("version") {
        return say(&format!("{VERSION}\n"));
    }
    let person = Person::present().map_err(|error| Stop::error(NAME, format!("{error:#}")))?;
    let script = Script::find(&arguments, &person)?;
    let sources = Sources {
        environment: environment::settings(Command::Sbatch, |name| {
            person.environment.get(name).cloned()
        }),
        script: script.directives()?,
        arguments,
    };
    let reading = Request::read(Command::Sbatch, sources).map_err(|it| all_refused(&it))?;
    let session = Session::open(NAME)?;
    let slurm = session.client.slurm().await.map_err(|error| session.failed(error))?;
    let is_quiet = reading.request.client.quiet;
    let source = Source { script: &script, person: &person, line, clock: session.clock };
    let client = &reading.request.client;
    let submitted = prepare(&reading, &slurm, &source)?;
    if !is_quiet {
        submitted.warnings.iter().for_each(|warning| eprintln!("{NAME}: warning: {warning}"));
    }
    if client.test_only {
        return foretell(&session, &submitted).await;
    }
    let accepted = session.client.submit(&submitted.submission).await;
    let accepted = accepted.map_err(|error| refused(&session, error))?;
    let told = match (client.parsable, is_quiet) {
        (true, _) => format!("{}\n", accepted.id),
        (false, true) => String::new(),
        (false, false) => format!("Submitted batch job {}\n", accepted.id),
    };
    say(&told)?;
    if client.wait { wait(&session, accepted).await } else { Ok(0) }
}

/// A refusal of the server, after Slurm's own words for it.
pub(super) fn refused(session: &Session, error: Error) -> Stop {
    let Error::Refused(problem) = &error else { return session.failed(error) };
    let said = if problem.detail.is_empty() { &problem.title } else { &problem.detail };
    // More of something than any node could have, or a model that none has.
    let is_of_nodes = |error: &BadValue| error.field.contains("].task.");
    let (said, hint) = match problem.errors.iter().any(is_of_nodes) {
        true => (NODE_CONFIGURATION, Some(said.clone())),
        false => (said.as_str(), error.hint()),
    };
    let hint = hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    Stop::error(NAME, format!("Batch job submission failed: {said}{hint}"))
}

/// Waits for the end of a job or of all elements; the highest exit code.
async fn wait(session: &Session, accepted: Accepted) -> Ended {
    let ids = match accepted.elements {
        0 => accepted.id..=accepted.id,
        elements => accepted.id + 1..=accepted.id + u64::from(elements),
    };
    let mut code = 0;
    for id in ids {
        let job = loop {
            // One answer may come before the end: the server does not wait for ever.
            let job = session.client.wait(id).await.map_err(|error| session.failed(error))?;
            if job.state == JobState::Ended {
                break job;
            }
        };
        let own = match (job.outcome, job.exit_code) {
            (Some(Outcome::Completed), _) => 0,
            (_, Some(code)) => u8::try_from(code).unwrap_or(1),
            _ => 1,
        };
        code = code.max(own);
    }
    Ok(code)
}

/// The options by how they are treated.
fn help() -> String {
    let mut text = "Usage: sbatch [OPTIONS] script [args]\n\nOptions:\n".to_owned();
    for row in options::of(Command::Sbatch) {
        let letter = row.letter.map_or("    ".to_owned(), |letter| format!("-{letter}, "));
        let note = match row.kind {
            options::Kind::Placement | options::Kind::Behaviour => "",
            options::Kind::Accepted(_) => "  (without effect)",
            options::Kind::Unsupported(_) => "  (refused)",
        };
        text.push_str(&format!("  {letter}--{}{note}\n", row.name));
    }
    text
}

#[cfg(test)]
mod tests;
