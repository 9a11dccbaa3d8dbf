//! What `scontrol` asks of jobs.

use muster_api::SlurmView;
use muster_client::{Error, Order};
use muster_slurm::tool::Given;
use muster_slurm::values::JobWord;

use super::update::{Setting, setting};
use super::{NAME, is_quiet};
use crate::slurm::choose;
use crate::slurm::session::Session;
use crate::slurm::{Ended, Stop};

/// Holds, releases or requeues jobs.
pub(super) async fn order(given: &Given, keyword: &str, words: &[String]) -> Ended {
    if words.is_empty() {
        return Err(Stop::plain(format!("too few arguments for keyword:{keyword}"), 1));
    }
    let orders: &[Order] = match keyword {
        "hold" | "uhold" => &[Order::Hold],
        "release" => &[Order::Release],
        "requeue" => &[Order::Requeue],
        "requeuehold" => &[Order::Hold, Order::Requeue],
        _ => {
            let why = "jobs are paused by the scheduler alone\nhint: requeue it, or hold it";
            return Err(Stop::error(NAME, format!("{keyword} is not supported: {why}")));
        }
    };
    let jobs = choose::jobs(words).map_err(|_| Stop::plain("Invalid job id specified", 1))?;
    let session = Session::open(NAME)?;
    let mut code = 0;
    for word in &jobs {
        for id in numbers(&session, word).await? {
            if orders.contains(&Order::Requeue) && is_kept_from_requeueing(&session, id).await {
                if !is_quiet(given) {
                    let said = "Requested operation is presently disabled";
                    eprintln!("{said} for job {}", label(word));
                }
                code = 1;
                continue;
            }
            for &order in orders {
                let asked = session.client.order(id, order).await;
                if let Err(error) = asked {
                    let said = words_of(&error);
                    if !is_quiet(given) {
                        eprintln!("{said} for job {}", label(word));
                    }
                    code = 1;
                }
            }
        }
    }
    Ok(code)
}

/// Whether a job was submitted with `--no-requeue`. Who cannot be asked about is not kept.
async fn is_kept_from_requeueing(session: &Session, id: u64) -> bool {
    let Ok(detail) = session.client.job(id).await else { return false };
    let asked = detail.program.as_ref().and_then(|program| program.slurm.as_deref());
    asked.is_some_and(|asked| asked.words.iter().any(|word| word == "--no-requeue"))
}

fn label(word: &JobWord) -> String {
    word.job.to_string()
}

fn words_of(error: &Error) -> String {
    match error {
        Error::Refused(problem) if problem.status == 404 => "Invalid job id specified".to_owned(),
        Error::Refused(problem) if problem.status == 403 => "Access/permission denied".to_owned(),
        Error::Refused(problem) if problem.status == 422 => {
            "Job/step already completing or completed".to_owned()
        }
        Error::NoElement(_) => "Invalid job id specified".to_owned(),
        other => other.to_string(),
    }
}

/// The jobs that a word stands for; the server knows the elements of a whole array itself.
pub(super) async fn numbers(session: &Session, word: &JobWord) -> Result<Vec<u64>, Stop> {
    let Some(indexes) = &word.elements else { return Ok(vec![word.job]) };
    let mut numbers = Vec::new();
    for &index in indexes {
        let found = session.client.element(word.job, index).await;
        numbers.push(found.map_err(|error| Stop::plain(words_of(&error), 1))?);
    }
    Ok(numbers)
}

/// Changes a job; only what the cluster can change is taken.
pub(super) async fn update(words: &[String]) -> Ended {
    let mut id = None;
    let mut changes = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((name, value)) if is_job(name) => id = Some(value.to_owned()),
            Some((name, value)) => changes.push((name, value)),
            // `update job 12 ...` names it without a sign.
            None if is_job(word) => {}
            None => id = Some(word.clone()),
        }
    }
    let Some(id) = id else {
        return Err(Stop::plain("No valid entity in update command", 1));
    };
    let jobs = choose::jobs(&[id]).map_err(|_| Stop::plain("Invalid job id specified", 1))?;
    let session = Session::open(NAME)?;
    // Everything is looked at before anything is changed.
    let settings = changes.iter().map(|(name, value)| setting(name, value, session.clock));
    let settings = settings.collect::<Result<Vec<Setting>, Stop>>()?;
    let slurm = session.client.slurm().await.map_err(|error| session.failed(error))?;
    for setting in &settings {
        for word in &jobs {
            for number in numbers(&session, word).await? {
                let set = set(&session, &slurm, number, setting).await?;
                let said = |error| format!("{} for job {}", words_of(&error), label(word));
                set.map_err(|error| Stop::plain(said(error), 1))?;
            }
        }
    }
    Ok(0)
}

/// Sets something of one job; whether the server took it.
async fn set(
    session: &Session,
    slurm: &SlurmView,
    job: u64,
    setting: &Setting,
) -> Result<Result<(), Error>, Stop> {
    let patch = match setting {
        Setting::Order(order) => return Ok(session.client.order(job, *order).await),
        Setting::Patch(patch) => patch,
    };
    let detail = match session.client.job(job).await {
        Ok(detail) => detail,
        // An array has no page of its own; its first element is like all.
        Err(_) => match session.client.job(job.saturating_add(1)).await {
            Ok(detail) if detail.job.array == Some(job) => detail,
            Ok(_) => return Err(Stop::plain("Invalid job id specified", 1)),
            Err(error) => return Ok(Err(error)),
        },
    };
    let Some(spec) = detail.spec else {
        return Err(Stop::plain("Job/step already completing or completed", 1));
    };
    Ok(session.client.amend(job, &patch.of(&spec, slurm)?).await.map(drop))
}

fn is_job(name: &str) -> bool {
    ["job", "jobid"].iter().any(|word| word.eq_ignore_ascii_case(name))
}
