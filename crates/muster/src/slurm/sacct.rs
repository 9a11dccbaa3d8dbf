//! `sacct`: what jobs were and are, one line for each and for their steps.

use muster_api::Moment as ApiMoment;
use muster_api::view::JobState;
use muster_client::SlurmFilter;
use muster_model::Time;
use muster_slurm::report::{self, AccountRow, JobFacts};
use muster_slurm::tool::{Given, SACCT};
use muster_slurm::values::{Clock, Day, Moment};
use muster_slurm::words::format::{self, Field, Separators, sacct};

use super::choose::{self, Choice};
use super::people::People;
use super::session::Session;
use super::squeue::json_of;
use super::{Ended, Stop, asked_about, say};
use crate::cli::login_name;

const NAME: &str = "sacct";

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SACCT.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SACCT, &given) {
        return say(&text);
    }
    if given.has("helpformat") {
        return say(&names_of_fields());
    }
    let session = Session::open(NAME)?;
    let choice = choice(&given)?;
    let format = columns(&given)?;
    let (from, until) = span(&given, &choice, session.clock)?;
    let is_alive = choice.states.as_ref().is_some_and(|it| it.iter().all(|state| !state.is_over()));
    let filter = SlurmFilter {
        states: if is_alive { JobState::ALIVE.to_vec() } else { Vec::new() },
        user: choice.users.as_ref().filter(|users| users.len() == 1).map(|users| users[0].clone()),
        ended_since: from.map(ApiMoment),
        steps: !given.has("allocations"),
        attempts: true,
        ..SlurmFilter::default()
    };
    let mut jobs = choose::found(&session, &choice, filter).await?;
    jobs.retain(|job| {
        let ended_in = from.is_none_or(|from| job.ended.is_none_or(|ended| ended >= from));
        ended_in && until.is_none_or(|until| job.started.unwrap_or(job.submitted) <= until)
    });
    if !given.has("array") {
        jobs = report::gathered(jobs);
    }
    jobs.sort_by_key(AccountRow::order);
    if given.has("json") {
        return say(&json_of(&jobs));
    }
    let rows = rows(&jobs, &choice, !given.has("allocations"));
    print(&given, &format, &rows, &session)
}

/// The lines that are wanted: all of a job, or the steps that were named.
fn rows<'a>(jobs: &'a [JobFacts], choice: &Choice, with_steps: bool) -> Vec<AccountRow<'a>> {
    let mut rows = Vec::new();
    for job in jobs {
        let words = choice.jobs.iter().flatten().filter(|word| choose::is_meant(word, job));
        let steps: Vec<Option<&str>> = words.map(|word| word.step.as_deref()).collect();
        let is_whole = steps.is_empty() || steps.contains(&None);
        let all = report::account_rows(job, with_steps || !is_whole);
        rows.extend(
            all.into_iter()
                .filter(|row| is_whole || steps.iter().flatten().any(|step| row.is_step(step))),
        );
    }
    rows
}

fn print(
    given: &Given,
    format: &format::Accounting,
    rows: &[AccountRow<'_>],
    session: &Session,
) -> Ended {
    let (now, offset) = (session.clock.now, session.clock.offset_s);
    let separators = match given.last(&["parsable", "parsable2"]) {
        Some("parsable") => Separators::After,
        Some(_) => Separators::Between,
        None => Separators::Columns,
    };
    let cells: Vec<_> =
        rows.iter().map(|row| move |field: &Field| row.value(field, now, offset)).collect();
    let lines = format.table(!given.has("noheader"), separators, &cells);
    let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if let Some(delimiter) = given.value("delimiter").filter(|_| separators != Separators::Columns)
    {
        text = text.replace('|', delimiter);
    }
    say(&text)
}

fn choice(given: &Given) -> Result<Choice, Stop> {
    let people = People::here();
    let me = login_name().map_err(|error| Stop::error(NAME, format!("{error:#}")))?;
    let jobs = given.list("jobs").map(|words| choose::jobs(&words)).transpose();
    let jobs = jobs.map_err(|word| Stop::error(NAME, format!("Invalid job id: {word}")))?;
    let states = given.list("state").map(|words| choose::states(&words)).transpose();
    let states = states.map_err(|word| Stop::error(NAME, format!("unknown job state: {word}")))?;
    let named = given.list("user").or_else(|| given.list("uid"));
    let named = named.map(|users| users.iter().map(|user| people.name(user).to_owned()).collect());
    // Jobs by number are shown to all; of the rest one's own, but for who looks after all.
    let is_root = people.numbers(&me).0 == 0;
    let own = (jobs.is_none() && !given.has("allusers") && !is_root).then(|| vec![me]);
    Ok(Choice {
        jobs,
        users: named.or(own).filter(|_| !given.has("allusers")),
        names: given.list("name"),
        partitions: given.list("partition"),
        accounts: given.list("accounts"),
        qos: given.list("qos"),
        states: states.flatten(),
        nodes: choose::nodes(NAME, given, "nodelist")?,
        reservations: given.list("reservation"),
        duplicates: given.has("duplicates"),
    })
}

/// From when until when: since midnight, unless jobs are named.
fn span(
    given: &Given,
    choice: &Choice,
    clock: Clock,
) -> Result<(Option<Time>, Option<Time>), Stop> {
    let read = |name: &str| {
        let Some(text) = given.value(name) else { return Ok(None) };
        let moment: Moment = text.parse().map_err(|error| Stop::error(NAME, error))?;
        Ok(Some(past(moment, clock)))
    };
    let midnight = Moment::At { day: Day::Today, second: 0 }.resolve(clock);
    let from = read("starttime")?.or_else(|| choice.jobs.is_none().then_some(midnight));
    Ok((from, read("endtime")?))
}

/// A time without its date lies in the past here.
fn past(moment: Moment, clock: Clock) -> Time {
    match moment {
        Moment::At { day: Day::Next, second } => {
            Moment::At { day: Day::Today, second }.resolve(clock)
        }
        other => other.resolve(clock),
    }
}

fn columns(given: &Given) -> Result<format::Accounting, Stop> {
    let own = given.list("format").map(|names| names.join(","));
    let own = own.or_else(|| std::env::var("SACCT_FORMAT").ok());
    let usual = match given.last(&["brief", "long"]) {
        Some("brief") => sacct::BRIEF,
        Some(_) => sacct::LONG,
        None => sacct::LIST,
    };
    let text = own.unwrap_or_else(|| usual.to_owned());
    format::accounting(&text, sacct::FIELDS).map_err(|error| Stop::error(NAME, error))
}

/// The names of all columns, four to a line.
fn names_of_fields() -> String {
    let names: Vec<&str> = sacct::FIELDS.iter().map(|field| field.name).collect();
    let lines = names.chunks(4).map(|names| {
        let cells: Vec<String> = names.iter().map(|name| format!("{name:<19}")).collect();
        format!("{}\n", cells.join(" ").trim_end())
    });
    lines.collect()
}
