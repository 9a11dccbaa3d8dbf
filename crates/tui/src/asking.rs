//! Carries out what the state wants to know, and gives the answers as news.

use muster_api::Moment;
use muster_api::usage::UsageBy;
use muster_api::view::JobState;
use muster_client::{Client, Error, JobFilter, Order, UsageQuestion};
use muster_model::Time;

use crate::app::{Ask, Which};
use crate::data::{Failure, JobList, OneJob, Used};
use crate::news::News;

/// Jobs that hold GPUs or have ended, at most: more than anyone scrolls through.
const JOBS_MAX: usize = 1000;

/// Jobs that wait, at most: the server has to think about each of them.
const WAITING_MAX: usize = 200;

/// How far back the funnel goes, and the list of jobs that ended.
const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 86_400_000;

/// Asks.
pub(crate) async fn ask(client: &Client, ask: Ask, now: Time) -> News {
    match ask {
        Ask::Jobs(which) => News::Jobs(which, told(jobs(client, which, now).await)),
        Ask::Queues => News::Queues(told(client.queues().await)),
        Ask::Plan => News::Plan(told(client.plan().await.map(Box::new))),
        Ask::Used => News::Used(told(used(client, now).await.map(Box::new))),
        Ask::Job(id) => News::Job(id, told(job(client, id).await.map(Box::new))),
    }
}

/// Asks something of a job.
pub(crate) async fn order(client: &Client, job: u64, order: Order) -> News {
    News::Ordered(job, order, told(client.order(job, order).await))
}

fn told<T>(answer: Result<T, Error>) -> Result<T, Failure> {
    answer.map_err(|error| Failure::from(&error))
}

async fn jobs(client: &Client, which: Which, now: Time) -> Result<JobList, Error> {
    let (pending, active): (Vec<JobState>, Vec<JobState>) =
        JobState::ALIVE.into_iter().partition(|state| state.is_pending());
    let ended_since = Some(Moment(Time(now.0.saturating_sub(DAY_MS))));
    let filters = match which {
        Which::Running => vec![(active, false, JOBS_MAX, None)],
        Which::Waiting => vec![(pending, true, WAITING_MAX, None)],
        Which::Ended => vec![(vec![JobState::Ended], false, JOBS_MAX, ended_since)],
        // Apart, so that many that wait do not hide those that run.
        Which::Alive => {
            vec![(active, false, JOBS_MAX, None), (pending, true, WAITING_MAX, None)]
        }
    };
    let mut list = JobList::default();
    for (states, reasons, most, ended_since) in filters {
        // One more than is shown, to see whether there is more.
        let most_asked = Some(most + 1);
        let filter =
            JobFilter { states, reasons, ended_since, most: most_asked, ..JobFilter::default() };
        let mut some = client.jobs(&filter).await?;
        list.is_more |= some.len() > most;
        some.truncate(most);
        list.jobs.extend(some);
    }
    Ok(list)
}

async fn used(client: &Client, now: Time) -> Result<Used, Error> {
    let since = Some(Moment(Time(now.0.saturating_sub(HOUR_MS))));
    // By class there are few rows, and only the total is looked at.
    let question =
        UsageQuestion { by: UsageBy::Class, since, limit: Some(1), ..Default::default() };
    let report = client.usage(&question).await?;
    Ok(Used { since: report.since, until: report.until, funnel: report.total })
}

async fn job(client: &Client, id: u64) -> Result<OneJob, Error> {
    let detail = client.job(id).await?;
    // Without the answer to why there is still a lot to see.
    let why = told(client.why(id, None).await);
    Ok(OneJob { detail, why })
}
