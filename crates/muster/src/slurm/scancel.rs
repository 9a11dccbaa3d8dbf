//! `scancel`: ends or signals jobs and steps.

use std::io::{BufRead, Write};

use muster_api::signal;
use muster_api::view::JobState;
use muster_client::{Error, Hears, Order, SlurmFilter};
use muster_slurm::report::JobFacts;
use muster_slurm::tool::{Given, SCANCEL};
use muster_slurm::values::JobWord;

use super::choose::{self, Choice};
use super::people::People;
use super::session::Session;
use super::{Ended, Stop, asked_about, say};
use crate::cli::login_name;

const NAME: &str = "scancel";

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SCANCEL.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SCANCEL, &given) {
        return say(&text);
    }
    let signal = given.value("signal").map(|name| {
        signal::number(name).ok_or_else(|| Stop::plain(format!("Unknown job signal: {name}"), 1))
    });
    let signal = signal.transpose()?;
    let jobs = (!given.rest.is_empty()).then(|| choose::jobs(&given.rest)).transpose();
    let jobs = jobs.map_err(|word| Stop::error(NAME, format!("Invalid job id {word}")))?;
    let choice = choice(&given, jobs)?;
    let chooses = has_filter(&given);
    if choice.jobs.is_none() && !chooses {
        return Err(Stop::error(NAME, "No job identification provided"));
    }
    let session = Session::open(NAME)?;
    let cancel = Cancel { session: &session, given: &given, signal };
    match &choice.jobs {
        Some(words) if !chooses && !given.has("interactive") => cancel.words(words).await,
        _ => cancel.chosen(&choice).await,
    }
}

fn has_filter(given: &Given) -> bool {
    let filters = ["account", "me", "name", "jobname", "nodelist", "partition", "qos"];
    let more = ["reservation", "state", "user", "wckey"];
    filters.iter().chain(&more).any(|name| given.has(name))
}

fn choice(given: &Given, jobs: Option<Vec<JobWord>>) -> Result<Choice, Stop> {
    let people = People::here();
    let me = login_name().map_err(|error| Stop::error(NAME, format!("{error:#}")))?;
    let states = given.list("state").map(|words| choose::states(&words)).transpose();
    let states =
        states.map_err(|word| Stop::error(NAME, format!("Invalid job state specified: {word}")))?;
    let one = |name: &str| given.value(name).map(|value| vec![value.to_owned()]);
    Ok(Choice {
        jobs,
        users: choose::users(given, &people, &me),
        names: one("name").or_else(|| one("jobname")),
        partitions: given.list("partition"),
        accounts: given.list("account"),
        qos: given.list("qos"),
        states: states.flatten(),
        nodes: choose::nodes(NAME, given, "nodelist")?,
        reservations: one("reservation"),
        duplicates: false,
    })
}

struct Cancel<'a> {
    session: &'a Session,
    given: &'a Given,
    signal: Option<u8>,
}

impl Cancel<'_> {
    /// Jobs that are named are ended without a look at them.
    async fn words(&self, words: &[JobWord]) -> Ended {
        let mut code = 0;
        for word in words {
            let ids = match &word.elements {
                None => vec![(word.job, word.job.to_string())],
                Some(indexes) => {
                    let mut ids = Vec::new();
                    for &index in indexes {
                        let label = format!("{}_{index}", word.job);
                        match self.session.client.element(word.job, index).await {
                            Ok(id) => ids.push((id, label)),
                            Err(error) => code = code.max(self.told(&label, Err(error))),
                        }
                    }
                    ids
                }
            };
            for (id, label) in ids {
                code = code.max(self.one(id, &label, word.step.as_deref()).await);
            }
        }
        Ok(code)
    }

    /// Jobs that are described are looked for first.
    async fn chosen(&self, choice: &Choice) -> Ended {
        let filter = SlurmFilter { states: JobState::ALIVE.to_vec(), ..SlurmFilter::default() };
        let jobs = choose::found(self.session, choice, filter).await?;
        let mut code = 0;
        for job in jobs {
            if self.given.has("interactive") && !confirmed(&job) {
                continue;
            }
            code = code.max(self.one(job.id, &job.label(), None).await);
        }
        Ok(code)
    }

    async fn one(&self, id: u64, label: &str, step: Option<&str>) -> u8 {
        let client = &self.session.client;
        let step = step.and_then(|step| step.parse::<u32>().ok());
        let hears = match (self.given.has("full"), self.given.has("batch")) {
            (true, _) => Hears::All,
            (_, true) => Hears::First,
            _ => Hears::Steps,
        };
        if self.given.has("verbose") {
            match (step, self.signal) {
                (Some(step), _) => eprintln!("{NAME}: Terminating step {label}.{step}"),
                (None, Some(number)) => {
                    eprintln!("{NAME}: Signal {number} to job {label}");
                }
                (None, None) => eprintln!("{NAME}: Terminating job {label}"),
            }
        }
        let asked = match (step, self.signal) {
            (Some(step), Some(number)) => client.signal_step(id, step, number).await,
            (Some(step), None) => client.end_step(id, step).await,
            (None, None) => client.order(id, Order::Cancel).await,
            (None, Some(number)) => client.signal(id, number, hears).await,
        };
        self.told(label, asked)
    }

    /// What is said about one job. What is over, or never was, is passed over in silence.
    fn told(&self, label: &str, asked: Result<(), Error>) -> u8 {
        let Err(error) = asked else { return 0 };
        let (words, code) = match &error {
            Error::Refused(problem) if matches!(problem.status, 404 | 409 | 422) => {
                ("Invalid job id specified".to_owned(), 0)
            }
            Error::NoElement(_) => ("Invalid job id specified".to_owned(), 0),
            Error::Refused(problem) if problem.status == 403 => {
                ("Access/permission denied".to_owned(), 1)
            }
            other => (other.to_string(), 1),
        };
        if code > 0 || self.given.has("verbose") {
            eprintln!("{NAME}: error: Kill job error on job id {label}: {words}");
        }
        code
    }
}

/// Asks a person; whoever says nothing says no.
fn confirmed(job: &JobFacts) -> bool {
    let label = job.label();
    print!("Cancel job_id={label} name={} partition={} [y/n]? ", job.name, job.partition);
    let flushed = std::io::stdout().flush();
    let mut line = String::new();
    let read = flushed.and_then(|()| std::io::stdin().lock().read_line(&mut line));
    read.is_ok() && line.trim_start().starts_with(['y', 'Y'])
}
