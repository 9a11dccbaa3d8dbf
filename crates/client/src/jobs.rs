//! Jobs: submitting them, asking about them, asking things of them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use muster_api::view::{ForeseenView, JobState, JobView, WhyView};
use muster_api::{Accepted, At, JobDetail, Moment, Submission};
use muster_model::JobSpec;
use reqwest::Method;

use crate::client::ANSWER;
use crate::{Client, Error, retry};

/// Which jobs to list, newest first.
#[derive(Clone, Debug, Default)]
pub struct JobFilter {
    /// In one of these states; any where none is named.
    pub states: Vec<JobState>,
    /// Of this user.
    pub user: Option<String>,
    /// In this queue.
    pub queue: Option<String>,
    /// Of this name.
    pub name: Option<String>,
    /// Elements of this array.
    pub array: Option<u64>,
    /// Of those that ended, only who did so since.
    pub ended_since: Option<Moment>,
    /// Also why those that wait do so, which the server has to think about.
    pub reasons: bool,
    /// At most so many; all where nothing is said.
    pub most: Option<usize>,
}

/// What can be asked of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// End it.
    Cancel,
    /// Do not start it.
    Hold,
    /// Let it start.
    Release,
    /// Start it again.
    Requeue,
}

impl Client {
    /// What would become of a job if it were submitted now; nothing is submitted.
    pub async fn foresee(&self, submission: &Submission) -> Result<ForeseenView, Error> {
        self.ask(self.request(Method::POST, &["foresee"], &[]).json(submission)).await
    }

    /// Submits a job. Tried again while the server cannot be reached: it is accepted once.
    pub async fn submit(&self, submission: &Submission) -> Result<Accepted, Error> {
        let key = key()?;
        let mut tries = 0;
        loop {
            let request = self.request(Method::POST, &["jobs"], &[]);
            let request = request.header("Idempotency-Key", &key).json(submission);
            tries += 1;
            match self.ask(request).await {
                Ok(accepted) => return Ok(accepted),
                Err(error) => match retry::pause(tries, &error) {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err(error),
                },
            }
        }
    }

    /// Jobs, newest first.
    pub async fn jobs(&self, filter: &JobFilter) -> Result<Vec<JobView>, Error> {
        let states: Vec<String> = filter.states.iter().map(ToString::to_string).collect();
        let query = [
            ("state", Some(states.join(",")).filter(|states| !states.is_empty())),
            ("user", filter.user.clone()),
            ("queue", filter.queue.clone()),
            ("name", filter.name.clone()),
            ("array", filter.array.map(|array| array.to_string())),
            ("ended_since", filter.ended_since.map(|moment| moment.to_string())),
            ("reasons", filter.reasons.then(|| "true".to_owned())),
        ];
        self.list(&["jobs"], &query, filter.most).await
    }

    /// All about one job.
    pub async fn job(&self, id: u64) -> Result<JobDetail, Error> {
        self.ask(self.request(Method::GET, &["jobs", &id.to_string()], &[])).await
    }

    /// Asks something of a job, or of all elements of an array.
    pub async fn order(&self, id: u64, order: Order) -> Result<(), Error> {
        self.tell(self.request(Method::POST, &["jobs", &id.to_string(), order.word()], &[])).await
    }

    /// Changes what was asked for: what the patch has of its `spec`, and nothing else.
    pub async fn amend(&self, id: u64, patch: &serde_json::Value) -> Result<JobSpec, Error> {
        let request = self.request(Method::PATCH, &["jobs", &id.to_string()], &[]);
        self.ask(request.json(patch)).await
    }

    /// Why a job is where it is, or was at a past moment.
    pub async fn why(&self, id: u64, at: Option<At>) -> Result<WhyView, Error> {
        let query = [("at", at.map(|at| at.to_string()))];
        self.ask(self.request(Method::GET, &["jobs", &id.to_string(), "why"], &query)).await
    }

    /// The job once it has ended, or as it is when the server would rather be asked again.
    pub async fn wait(&self, id: u64) -> Result<JobView, Error> {
        let request = self.request(Method::GET, &["jobs", &id.to_string(), "wait"], &[]);
        let response = self.send(request.timeout(ANSWER * 2)).await?;
        self.read(response).await
    }

    /// The job that is an element of an array, by its index there.
    pub async fn element(&self, array: u64, index: u32) -> Result<u64, Error> {
        // An array's elements have the numbers after its own, in the order of their indexes, so
        // the first one always exists and knows all indexes.
        let first = array.saturating_add(1);
        let none = || Error::NoElement(format!("{array} is not an array"));
        let detail = match self.job(first).await {
            Err(error) if error.is_unknown() => return Err(none()),
            answered => answered?,
        };
        let spec = detail.spec.as_ref().and_then(|spec| spec.array.as_ref());
        let indexes = match (spec, detail.job.array) {
            (Some(spec), Some(own)) if own == array => &spec.indexes,
            _ => return Err(none()),
        };
        let position = indexes.binary_search(&index).map_err(|_| {
            let (least, most) = (indexes.first(), indexes.last());
            let span = least.zip(most).map(|(least, most)| format!("; it has {least} to {most}"));
            let span = span.unwrap_or_default();
            Error::NoElement(format!("array {array} has no element {index}{span}"))
        })?;
        let position = u64::try_from(position).expect("positions are small");
        Ok(first + position)
    }
}

impl Order {
    /// The word for it, the same in addresses and commands.
    pub fn word(self) -> &'static str {
        match self {
            Order::Cancel => "cancel",
            Order::Hold => "hold",
            Order::Release => "release",
            Order::Requeue => "requeue",
        }
    }
}

/// A key that nobody else has: the server accepts a submission once for each.
fn key() -> Result<String, Error> {
    let path = Path::new("/dev/urandom");
    let mut bytes = [0_u8; 16];
    File::open(path)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(|cause| Error::File { act: "read", path: path.to_owned(), cause })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
