//! `scontrol show`.

use muster_client::SlurmFilter;
use muster_slurm::report;
use muster_slurm::tool::Given;
use muster_slurm::values::Hostlist;

use super::{NAME, is_beginning, is_quiet};
use crate::slurm::choose::{self, Choice};
use crate::slurm::session::Session;
use crate::slurm::squeue::json_of;
use crate::slurm::{Ended, Stop, say};

pub(super) async fn run(given: &Given, words: &[String]) -> Ended {
    let Some((entity, rest)) = words.split_first() else {
        return Err(Stop::plain("too few arguments for keyword:show", 1));
    };
    // `show job=12` names it with a sign.
    let (entity, named) = match entity.split_once('=') {
        Some((entity, named)) => (entity, Some(named.to_owned())),
        None => (entity.as_str(), None),
    };
    let first = named.or_else(|| rest.first().cloned());
    match entity.to_ascii_lowercase().as_str() {
        "hostnames" | "hostname" => hostnames(first),
        "hostlist" => hostlist(first, false),
        "hostlistsorted" => hostlist(first, true),
        word if is_beginning(word, "jobs") || word == "jobid" => jobs(given, first).await,
        _ => Err(Stop::plain(format!("invalid entity:{entity} for keyword:show "), 1)),
    }
}

/// A list is one's own, or that of the job this runs in.
fn list(given: Option<String>) -> Result<Hostlist, Stop> {
    let text = given.or_else(|| std::env::var("SLURM_JOB_NODELIST").ok());
    let Some(text) = text else {
        return Err(Stop::plain("SLURM_JOB_NODELIST environment variable not set", 1));
    };
    text.parse().map_err(|_| Stop::plain(format!("Invalid hostlist: {text}"), 1))
}

fn hostnames(given: Option<String>) -> Ended {
    let list = list(given)?;
    say(&list.hosts().iter().map(|host| format!("{host}\n")).collect::<String>())
}

/// Names, or a file of them, as one list.
fn hostlist(given: Option<String>, is_sorted: bool) -> Ended {
    let Some(text) = given else {
        return Err(Stop::plain("too few arguments for keyword:show", 1));
    };
    let text = match text.starts_with('/') {
        true => std::fs::read_to_string(&text)
            .map_err(|error| Stop::error(NAME, format!("cannot read {text}: {error}")))?
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(","),
        false => text,
    };
    let list = list(Some(text))?;
    let mut hosts = list.hosts().to_vec();
    if is_sorted {
        hosts.sort_by_key(|host| natural(host));
        hosts.dedup();
    }
    say(&format!("{}\n", Hostlist::new(hosts)))
}

/// By the letters, and then by the number behind them.
fn natural(host: &str) -> (String, u64, String) {
    let letters = host.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = host[letters.len()..].parse().unwrap_or(0);
    (letters.to_owned(), number, host.to_owned())
}

async fn jobs(given: &Given, named: Option<String>) -> Ended {
    let session = Session::open(NAME)?;
    let words = named.map(|named| choose::jobs(&[named])).transpose();
    let words = words.map_err(|_| Stop::plain("Invalid job id specified", 1))?;
    let choice = Choice { jobs: words, ..Choice::default() };
    let states = match choice.jobs {
        Some(_) => Vec::new(),
        None => muster_api::view::JobState::ALIVE.to_vec(),
    };
    let filter = SlurmFilter { states, starts: choice.jobs.is_some(), ..SlurmFilter::default() };
    let found = choose::found(&session, &choice, filter).await?;
    if found.is_empty() && choice.jobs.is_some() {
        let said =
            if is_quiet(given) { "" } else { "slurm_load_jobs error: Invalid job id specified" };
        return Err(Stop::plain(said, 1));
    }
    let found = report::gathered(found);
    if given.has("json") {
        return say(&json_of(&found));
    }
    if found.is_empty() {
        return say("No jobs in the system\n");
    }
    let (now, offset) = (session.clock.now, session.clock.offset_s);
    let one_line = given.has("oneliner");
    let text: String =
        found.iter().map(|job| report::job_paragraph(job, now, offset, one_line)).collect();
    say(&text)
}
