//! `scontrol show`.

use muster_client::SlurmFilter;
use muster_slurm::report;
use muster_slurm::tool::Given;
use muster_slurm::values::Hostlist;
use muster_slurm::words::State;
use muster_slurm::words::time::stamp;

use super::{NAME, is_beginning, is_quiet};
use crate::slurm::choose::{self, Choice};
use crate::slurm::nodes;
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
        word if is_beginning(word, "nodes") || word == "nodename" => nodes(given, first).await,
        word if is_beginning(word, "partitions") || word == "partitionname" => {
            partitions(given, first).await
        }
        word if is_beginning(word, "steps") || word == "stepid" => steps(given, first).await,
        word if is_beginning(word, "config") => config().await,
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
    let is_named = choice.jobs.is_some();
    let filter =
        SlurmFilter { states, starts: is_named, attempts: is_named, ..SlurmFilter::default() };
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

/// The steps that run: one, those of a job, or all.
async fn steps(given: &Given, named: Option<String>) -> Ended {
    const NONE: &str = "Invalid job id specified";
    let session = Session::open(NAME)?;
    let words = named.map(|named| choose::jobs(&[named])).transpose();
    let words = words.map_err(|_| Stop::plain(NONE, 1))?;
    let choice = Choice { jobs: words, ..Choice::default() };
    let states = muster_api::view::JobState::ALIVE.to_vec();
    let filter = SlurmFilter { states, steps: true, ..SlurmFilter::default() };
    let found = choose::found(&session, &choice, filter).await?;
    let called = choice.jobs.iter().flatten().next().and_then(|word| word.step.clone());
    let (offset, one_line) = (session.clock.offset_s, given.has("oneliner"));
    let mut text = String::new();
    for job in found.iter().filter(|job| job.state == State::Running) {
        for step in report::step::running(job) {
            if called.as_ref().is_none_or(|word| report::step::is_called(step, word)) {
                text.push_str(&report::step::paragraph(job, step, offset, one_line));
            }
        }
    }
    if text.is_empty() && choice.jobs.is_some() {
        let said = if is_quiet(given) { "" } else { NONE };
        return Err(Stop::plain(said, 1));
    }
    say(if text.is_empty() { "No job steps in the system\n" } else { &text })
}

async fn nodes(given: &Given, named: Option<String>) -> Ended {
    let session = Session::open(NAME)?;
    let (partitions, nodes) = nodes::found(&session).await?;
    let wanted: Option<Hostlist> = named.map(|named| list(Some(named))).transpose()?;
    let mut text = String::new();
    let mut code = 0;
    let names: Vec<String> = match wanted {
        Some(list) => list.hosts().to_vec(),
        None => nodes.iter().map(|node| node.name.clone()).collect(),
    };
    for name in names {
        let Some(node) = nodes.iter().find(|node| node.name == name) else {
            text.push_str(&format!("Node {name} not found\n"));
            code = 1;
            continue;
        };
        let own = partitions.iter().filter(|partition| partition.nodes.contains(&node.name));
        let own: Vec<&str> = own.map(|partition| partition.name.as_str()).collect();
        text.push_str(&report::node_paragraph(node, &own, given.has("oneliner")));
    }
    say(&text)?;
    Ok(code)
}

async fn partitions(given: &Given, named: Option<String>) -> Ended {
    let session = Session::open(NAME)?;
    let (partitions, nodes) = nodes::found(&session).await?;
    let is_wanted = |name: &str| named.as_ref().is_none_or(|named| named == name);
    let found = partitions.iter().filter(|partition| is_wanted(&partition.name));
    let text: String = found
        .map(|partition| report::partition_paragraph(partition, &nodes, given.has("oneliner")))
        .collect();
    if let (true, Some(named)) = (text.is_empty(), named) {
        return Err(Stop::plain(format!("Partition {named} not found"), 1));
    }
    say(&text)
}

/// What tools look for in Slurm's own configuration.
async fn config() -> Ended {
    let session = Session::open(NAME)?;
    let slurm = session.client.slurm().await.map_err(|error| session.failed(error))?;
    let now = stamp(session.clock.now, session.clock.offset_s);
    let lines = [
        ("AccountingStorageType", "accounting_storage/muster".to_owned()),
        ("ClusterName", slurm.cluster),
        ("MaxArraySize", muster_model::bound::ARRAY_LENGTH_MAX.to_string()),
        ("PreemptMode", "REQUEUE".to_owned()),
        ("SelectType", "select/muster".to_owned()),
        ("SLURM_VERSION", "22.05.8".to_owned()),
        ("SlurmctldHost[0]", session.client.url().to_owned()),
    ];
    let lines = lines.map(|(name, value)| format!("{name:<23} = {value}\n"));
    say(&format!("Configuration data as of {now}\n{}\n", lines.concat()))
}
