//! Every reader of what comes from outside, with good input for each. A reader may refuse what it
//! is given in words; it must not panic, and what it accepts must hold what it promises.

use std::fmt::{Debug, Display};
use std::path::Path;
use std::str::FromStr;

use muster_agent::Settings;
use muster_agent::launch::Folder;
use muster_api::job_file::{Format, read_indexes};
use muster_api::settings::{self, Mistake};
use muster_api::{
    Announce, Directive, Endpoint, JobFile, Moment, Reports, Submission, TokenRequest, signal,
};
use muster_client::Credentials;
use muster_model::{
    Booking, ClusterSpec, Expression, GpuRequest, Invalid, Mib, MilliCpu, MilliGpu, Millis, Name,
    QueueName, TaskCount,
};
use muster_server::config::ServerFile;
use muster_server::entry::Entry;
use muster_sim::story::Story;
use muster_slurm::import::{self, Files};
use muster_slurm::request::Sources;
use muster_slurm::script::Script;
use muster_slurm::tool::TOOLS;
use muster_slurm::{Command, Request};
use muster_trace::{Cluster, Format as Trace, ReadOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::seeds::{
    AGENT, ANNOUNCE, CLUSTER, CLUSTER_IN_SERVER, DIRECTIVES, ENTRIES, JOBS_JSON, JOBS_TOML,
    JOBS_YAML, KEPT, REPORTS, REQUESTS, SERVER, SLURM_CONFS, SLURM_SCRIPTS, SLURM_WORDS, STORY,
    SUBMISSION, TRACES, WORDS,
};

/// More than this in a refusal is not read by anyone, and may be the whole of a hostile input.
const WORDS_MAX: usize = 8192;

/// A reader.
#[derive(Clone, Copy)]
pub(crate) struct Parser {
    /// What it reads.
    pub(crate) name: &'static str,
    /// Reads, and says whether it took it; panics where something does not hold.
    pub(crate) read: fn(&[u8]) -> bool,
    /// Good input.
    pub(crate) seeds: &'static [&'static str],
}

/// All of them.
pub(crate) const PARSERS: [Parser; 20] = [
    Parser { name: "job-yaml", read: |bytes| job(bytes, Format::Yaml), seeds: &JOBS_YAML },
    Parser { name: "job-toml", read: |bytes| job(bytes, Format::Toml), seeds: &JOBS_TOML },
    Parser { name: "job-json", read: |bytes| job(bytes, Format::Json), seeds: &JOBS_JSON },
    Parser { name: "server-file", read: server_file, seeds: &[SERVER, CLUSTER_IN_SERVER] },
    Parser { name: "agent-file", read: agent_file, seeds: &[AGENT] },
    Parser { name: "policy-file", read: policy_file, seeds: &[CLUSTER] },
    Parser { name: "story", read: story, seeds: &[STORY] },
    Parser { name: "trace", read: trace, seeds: &TRACES },
    Parser { name: "cluster-line", read: cluster_line, seeds: &["135x8:H100/rack=16/block=2"] },
    Parser { name: "journal-entry", read: entry, seeds: &ENTRIES },
    Parser { name: "submission", read: submission, seeds: &[SUBMISSION] },
    Parser { name: "announce", read: announce, seeds: &[ANNOUNCE] },
    Parser { name: "reports", read: json::<Reports>, seeds: &[REPORTS] },
    Parser { name: "directive", read: json::<Directive>, seeds: &DIRECTIVES },
    Parser { name: "requests", read: requests, seeds: &REQUESTS },
    Parser { name: "kept-files", read: kept_files, seeds: &KEPT },
    Parser { name: "words", read: words, seeds: &WORDS },
    Parser { name: "slurm-script", read: slurm_script, seeds: &SLURM_SCRIPTS },
    Parser { name: "slurm-words", read: slurm_words, seeds: &SLURM_WORDS },
    Parser { name: "slurm-conf", read: slurm_conf, seeds: &SLURM_CONFS },
];

fn job(bytes: &[u8], format: Format) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match JobFile::read(text, format) {
        Err(error) => is_told(&error),
        Ok(file) => match file.into_job("user-a") {
            Err(errors) => are_told(&errors),
            Ok(job) => is_right(&job),
        },
    }
}

fn submission(bytes: &[u8]) -> bool {
    let Ok(job) = serde_json::from_slice::<Submission>(bytes) else { return false };
    job.program.validate().map_or_else(|errors| are_told(&errors), |()| is_right(&job))
}

fn is_right(job: &Submission) -> bool {
    assert_eq!(job.program.validate(), Ok(()), "what was read can be started");
    judged(job.spec.validate(&ClusterSpec::default()))
}

fn server_file(bytes: &[u8]) -> bool {
    file(bytes, ServerFile::read)
}

fn agent_file(bytes: &[u8]) -> bool {
    file(bytes, Settings::read)
}

fn policy_file(bytes: &[u8]) -> bool {
    file(bytes, |text| {
        let check = |spec: &ClusterSpec| spec.validate().err().unwrap_or_default();
        settings::read::<ClusterSpec>(text, check)
    })
}

/// A settings file is refused with reasons, or written and read as the same.
fn file<T: PartialEq + Debug + Serialize + ToSchema>(
    bytes: &[u8],
    read: impl Fn(&str) -> Result<T, Vec<Mistake>>,
) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match read(text) {
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "a refusal says why");
            mistakes.iter().all(is_told)
        }
        Ok(value) => {
            let written = settings::write(&value).expect("what was read can be written");
            assert_eq!(read(&written), Ok(value), "what was written is read: {written}");
            true
        }
    }
}

/// A script gives a request that is the same when it is written as words and read again.
fn slurm_script(bytes: &[u8]) -> bool {
    let read = Script::read(bytes).and_then(|script| {
        Request::read(Command::Sbatch, Sources { script: Some(script), ..Sources::default() })
    });
    match read {
        Err(refused) => {
            assert!(!refused.is_empty(), "a refusal says why");
            refused.iter().all(is_told)
        }
        Ok(reading) => {
            let words = reading.request.to_words();
            let again = Request::from_words(Command::Sbatch, words);
            assert_eq!(again.map(|it| it.request), Ok(reading.request), "words say all");
            true
        }
    }
}

/// The words of every command, one on a line.
fn slurm_words(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let words = || text.lines().map(str::to_owned);
    let requests = Command::ALL.map(|command| Request::from_words(command, words()).is_ok());
    let tools = TOOLS.map(|tool| match tool.read(words()) {
        Ok(_) => true,
        Err(said) => !is_told(&said),
    });
    requests.into_iter().chain(tools).any(|is_taken| is_taken)
}

/// The files of a cluster, all four in one text.
fn slurm_conf(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let text = text.to_owned();
    let (gres, topology, accounts) = (text.clone(), text.clone(), text.clone());
    let read = import::read(&Files { slurm: text, gres, topology, accounts });
    assert!(read.topology.domains.values().all(|it| it.len() == read.topology.levels.len()));
    !read.nodes.is_empty()
}

fn story(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    Story::read("a.story", text).map_or_else(|error| is_told(&error), |_| true)
}

fn trace(bytes: &[u8]) -> bool {
    let formats = Trace::ALL.into_iter().map(Some).chain([None]);
    let read = formats.map(|format| {
        let options = ReadOptions { format, ..ReadOptions::default() };
        muster_trace::Trace::read("a", bytes, &options).is_ok()
    });
    read.fold(false, |before, is_read| before | is_read)
}

/// What names a file would be read as one; only lines are read here.
fn cluster_line(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    Cluster::find(&text.replace('.', ""), Path::new("nowhere")).is_ok()
}

fn entry(bytes: &[u8]) -> bool {
    let Ok(entry) = Entry::decode(1, 1, bytes) else { return false };
    let again = Entry::decode(1, 1, &entry.encode());
    assert_eq!(again.ok(), Some(entry), "what was written is read");
    true
}

fn announce(bytes: &[u8]) -> bool {
    let Ok(announce) = serde_json::from_slice::<Announce>(bytes) else { return false };
    judged(announce.spec.validate(&ClusterSpec::default()))
}

/// A message is refused, or written and read as the same.
fn json<T: PartialEq + Debug + Serialize + DeserializeOwned>(bytes: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<T>(bytes) else { return false };
    let written = serde_json::to_vec(&value).expect("messages are plain data");
    let again: T = serde_json::from_slice(&written).expect("what was written is read");
    assert_eq!(value, again);
    true
}

fn requests(bytes: &[u8]) -> bool {
    let token = serde_json::from_slice::<TokenRequest>(bytes).is_ok();
    let booking = serde_json::from_slice::<Booking>(bytes).ok();
    let booking = booking.map(|booking| judged(booking.validate(&ClusterSpec::default())));
    let cluster = serde_json::from_slice::<ClusterSpec>(bytes).ok();
    let cluster = cluster.map(|cluster| judged(cluster.validate()));
    token || booking.or(cluster).unwrap_or(false)
}

fn kept_files(bytes: &[u8]) -> bool {
    let endpoint = serde_json::from_slice::<Endpoint>(bytes).is_ok();
    let Ok(text) = std::str::from_utf8(bytes) else { return endpoint };
    endpoint | Credentials::parse(text).is_some() | Folder::parse(text).is_some()
}

fn words(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let quantities = word::<Millis>(text)
        | word::<Mib>(text)
        | word::<MilliGpu>(text)
        | word::<MilliCpu>(text)
        | word::<GpuRequest>(text)
        | word::<TaskCount>(text);
    let names = word::<Name>(text) | word::<QueueName>(text);
    let expression = text.parse::<Expression>();
    let expression = expression.map_or_else(|error| is_told(&error), |_| true);
    if let Some(number) = signal::number(text) {
        assert_eq!(signal::number(&signal::name(number)), Some(number));
    }
    let array = read_indexes(text);
    if let Ok(array) = &array {
        assert!(array.indexes.is_sorted() && array.indexes.len() <= 1_000_000);
    }
    let moment = text.parse::<Moment>();
    if let Ok(moment) = moment {
        assert_eq!(moment.to_string().parse(), Ok(moment), "what is printed is read");
    }
    quantities | names | expression | array.is_ok() | moment.is_ok()
}

/// A word is refused with what would do, or printed and read as the same.
fn word<T: FromStr<Err = Invalid> + Display + PartialEq + Debug>(text: &str) -> bool {
    match text.parse::<T>() {
        Ok(value) => {
            assert_eq!(value.to_string().parse(), Ok(value), "what is printed is read");
            true
        }
        Err(error) => is_told(&error),
    }
}

/// Whether what was read is also right.
fn judged(verdict: Result<(), Vec<Invalid>>) -> bool {
    verdict.map_or_else(|errors| are_told(&errors), |()| true)
}

fn are_told(errors: &[Invalid]) -> bool {
    errors.iter().for_each(|error| _ = is_told(error));
    false
}

/// A refusal has words, and not the whole input in them. Always false: it is refused.
fn is_told(error: &impl Display) -> bool {
    let words = error.to_string();
    assert!(!words.is_empty() && words.len() < WORDS_MAX, "{} bytes of words", words.len());
    false
}
