//! `squeue`: the jobs that wait and run.

mod json;

pub(super) use json::{jobs as json_of, meta};

use std::time::Duration;

use muster_api::Moment;
use muster_api::view::JobState;
use muster_client::SlurmFilter;
use muster_model::Time;
use muster_slurm::report::{self, JobFacts, Sorting, StepFacts};
use muster_slurm::tool::{Given, SQUEUE};
use muster_slurm::values::JobWord;
use muster_slurm::words::format::{self, Field, Format, squeue};
use muster_slurm::words::{State, time};

use super::choose::{self, Choice};
use super::people::People;
use super::session::{self, Session};
use super::{Ended, Stop, asked_about, say};
use crate::cli::login_name;

const NAME: &str = "squeue";

/// How long a job is known to `squeue` after its end, as Slurm's `MinJobAge`.
const KNOWN_MS: u64 = 300_000;

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SQUEUE.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SQUEUE, &given) {
        return say(&text);
    }
    let pause = given.value("iterate").map(|text| {
        let seconds: Option<u64> = text.parse().ok().filter(|&seconds| seconds > 0);
        seconds.map(Duration::from_secs)
    });
    let choice = choice(&given)?;
    let format = columns(&given)?;
    let mut session = Session::open(NAME)?;
    loop {
        session.clock = session::clock();
        once(&session, &given, &choice, &format).await?;
        match pause {
            None => return Ok(0),
            Some(None) => return Err(Stop::error(NAME, "--iterate must be a positive integer")),
            Some(Some(pause)) => tokio::time::sleep(pause).await,
        }
    }
}

async fn once(
    session: &Session,
    given: &Given,
    choice: &Choice,
    format: &Format,
) -> Result<(), Stop> {
    let is_start = given.has("start");
    let now = session.clock.now;
    let since = Moment(Time(now.0.saturating_sub(KNOWN_MS)));
    let wants_ended =
        choice.states.as_ref().is_none_or(|it| it.iter().any(|state| state.is_over()));
    let states = if wants_ended || choice.jobs.is_some() { Vec::new() } else { alive() };
    let filter = SlurmFilter {
        states,
        user: choice.users.as_ref().filter(|users| users.len() == 1).map(|users| users[0].clone()),
        ended_since: Some(since),
        starts: is_start,
        steps: given.has("steps"),
        ..SlurmFilter::default()
    };
    let by_number = Choice { jobs: choice.jobs.clone(), ..Choice::default() };
    let mut jobs = choose::found(session, &by_number, filter).await?;
    jobs.retain(|job| job.ended.is_none_or(|ended| ended >= since.0));
    if jobs.is_empty() && choice.jobs.as_ref().is_some_and(|words| words.len() == 1) {
        return Err(Stop::plain("slurm_load_jobs error: Invalid job id specified", 1));
    }
    jobs.retain(|job| choice.wants(job) && (!is_start || job.state == State::Pending));
    if !given.has("array") && variable("SQUEUE_ARRAY").is_none_or(|text| text.is_empty()) {
        jobs = report::gathered(jobs);
    }
    let order = given.value("sort").map(str::to_owned).or_else(|| variable("SQUEUE_SORT"));
    let usual = || if is_start { Sorting::by_start() } else { Sorting::default() };
    order.map_or_else(usual, |text| Sorting::read(&text)).sort(&mut jobs, now);
    print(session, given, format, &jobs)
}

fn print(session: &Session, given: &Given, format: &Format, jobs: &[JobFacts]) -> Result<(), Stop> {
    let (now, offset) = (session.clock.now, session.clock.offset_s);
    if given.has("json") {
        return say(&json::jobs(jobs)).map(drop);
    }
    let has_header = !given.has("noheader");
    let mut lines = Vec::new();
    if has_header && (given.has("long") || given.has("iterate")) {
        lines.push(time::date(now, offset));
    }
    if given.has("steps") {
        let running = jobs.iter().filter(|job| job.state == State::Running);
        let named = choose::jobs(&given.list("steps").unwrap_or_default());
        let named =
            named.map_err(|word| Stop::error(NAME, format!("Invalid job_step id: {word}")))?;
        let rows: Vec<_> = running
            .flat_map(|job| report::step::running(job).into_iter().map(move |step| (job, step)))
            .filter(|(job, step)| named.is_empty() || is_named(&named, job, *step))
            .map(|(job, step)| {
                move |field: &Field| report::step_value(job, step, field, now, offset)
            })
            .collect();
        lines.extend(format.table(has_header, &rows));
    } else {
        let row = |job| move |field: &Field| report::queue_value(job, field, now, offset);
        let rows: Vec<_> = jobs.iter().map(row).collect();
        lines.extend(format.table(has_header, &rows));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    say(&text).map(drop)
}

/// Whether a step is one of those that were named; a job without a step stands for all of its.
fn is_named(words: &[JobWord], job: &JobFacts, step: Option<&StepFacts>) -> bool {
    let is_called = |word: &str| report::step::is_called(step, word);
    let mut meant = words.iter().filter(|word| choose::is_meant(word, job));
    meant.any(|word| word.step.as_deref().is_none_or(is_called))
}

fn choice(given: &Given) -> Result<Choice, Stop> {
    let people = People::here();
    let me = login_name().map_err(|error| Stop::error(NAME, format!("{error:#}")))?;
    let list = |option: &str, name: &str| {
        given.list(option).or_else(|| {
            variable(name).map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>())
        })
    };
    let jobs = given.list("jobs").map(|words| choose::jobs(&words)).transpose();
    let jobs = jobs.map_err(|word| Stop::error(NAME, format!("Invalid job id: {word}")))?;
    let states = match list("states", "SQUEUE_STATES") {
        Some(words) => choose::states(&words).map_err(|word| unknown_state(&word))?,
        None => Some(State::all().filter(|state| !state.is_over()).collect()),
    };
    let users = choose::users(given, &people, &me);
    // In a container not even one's own name is known.
    let is_nobody = |user: &&String| **user != me && !people.knows(user);
    for user in users.iter().flatten().filter(is_nobody) {
        eprintln!("{NAME}: error: Invalid user: {user}");
    }
    Ok(Choice {
        jobs,
        users,
        names: list("name", "SQUEUE_NAMES"),
        partitions: list("partition", "SQUEUE_PARTITION"),
        accounts: list("account", "SQUEUE_ACCOUNT"),
        qos: list("qos", "SQUEUE_QOS"),
        states,
        nodes: choose::nodes(NAME, given, "nodelist")?,
        reservations: given.list("reservation"),
        duplicates: false,
    })
}

fn unknown_state(word: &str) -> Stop {
    let words: Vec<&str> = State::all().map(State::word).collect();
    let known = format!("Valid job states include: {}", words.join(","));
    Stop::error(NAME, format!("Invalid job state specified: {word}\n{known}"))
}

fn columns(given: &Given) -> Result<Format, Stop> {
    let refused = |error| Stop::error(NAME, error);
    let fields = if given.has("steps") { squeue::STEPS } else { squeue::FIELDS };
    let long = given.value("Format").map(str::to_owned);
    let short = given.value("format").map(str::to_owned);
    let has_own = long.is_some() || short.is_some();
    let usual = given.has("long") || given.has("start") || given.has("steps");
    let asks = |name: &str| variable(name).filter(|_| !has_own && !usual);
    if let Some(text) = long.or_else(|| asks("SQUEUE_FORMAT2")) {
        return format::field_list(&text, fields).map_err(refused);
    }
    let text = short.or_else(|| asks("SQUEUE_FORMAT")).unwrap_or_else(|| {
        let usual = match (given.has("steps"), given.has("start"), given.has("long")) {
            (true, _, _) => squeue::STEP_LIST,
            (_, true, _) => squeue::START,
            (_, _, true) => squeue::LONG,
            _ => squeue::LIST,
        };
        usual.to_owned()
    });
    format::percent(&text, fields).map_err(refused)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn alive() -> Vec<JobState> {
    JobState::ALIVE.to_vec()
}
