//! The cluster and its jobs in Slurm's words.

use muster_api::view::JobState;
use muster_api::{Moment, SlurmJobView, SlurmView};
use reqwest::Method;

use crate::{Client, Error};

/// Numbers of jobs that go into one request: its address stays shorter than what servers read.
const NUMBERS: usize = 500;

/// Which jobs to list for Slurm's commands, newest first.
#[derive(Clone, Debug, Default)]
pub struct SlurmFilter {
    /// These jobs, or all elements of these arrays; any where nothing is said.
    pub jobs: Option<Vec<u64>>,
    /// In one of these states; any where none is named.
    pub states: Vec<JobState>,
    /// Of this user.
    pub user: Option<String>,
    /// Of those that ended, only who did so since.
    pub ended_since: Option<Moment>,
    /// Also when those that wait will probably start, which the server has to think about.
    pub starts: bool,
    /// Also their steps.
    pub steps: bool,
    /// Also their attempts.
    pub attempts: bool,
}

impl Client {
    /// Partitions, QOS and accounts.
    pub async fn slurm(&self) -> Result<SlurmView, Error> {
        self.ask(self.request(Method::GET, &["slurm"], &[])).await
    }

    /// Jobs with what Slurm's commands show of them. What was asked for comes with the first job
    /// of each submission on a page, and is put beside all others here.
    pub async fn slurm_jobs(&self, filter: &SlurmFilter) -> Result<Vec<SlurmJobView>, Error> {
        let states: Vec<String> = filter.states.iter().map(ToString::to_string).collect();
        let mut found = Vec::new();
        let chunks: Vec<Option<&[u64]>> = match &filter.jobs {
            None => vec![None],
            Some(numbers) => numbers.chunks(NUMBERS).map(Some).collect(),
        };
        for chunk in chunks {
            let numbers = chunk.map(|numbers| {
                let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                words.join(",")
            });
            let query = [
                ("jobs", numbers),
                ("state", Some(states.join(",")).filter(|states| !states.is_empty())),
                ("user", filter.user.clone()),
                ("ended_since", filter.ended_since.map(|moment| moment.to_string())),
                ("starts", filter.starts.then(|| "true".to_owned())),
                ("steps", filter.steps.then(|| "true".to_owned())),
                ("attempts", filter.attempts.then(|| "true".to_owned())),
            ];
            found.extend(self.list(&["slurm", "jobs"], &query, None).await?);
        }
        fill_in(&mut found);
        Ok(found)
    }
}

fn fill_in(jobs: &mut [SlurmJobView]) {
    let mut known = std::collections::BTreeMap::new();
    for job in jobs.iter() {
        if let (Some(spec), Some(program)) = (&job.spec, &job.program) {
            known.insert(job.submission, (spec.clone(), program.clone()));
        }
    }
    for job in jobs {
        if let Some((spec, program)) = known.get(&job.submission) {
            job.spec.get_or_insert_with(|| spec.clone());
            job.program.get_or_insert_with(|| program.clone());
        }
    }
}

/// Which processes of a job hear a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hears {
    /// Its script and all its steps.
    All,
    /// Its script alone.
    First,
    /// Its steps alone.
    Steps,
}

impl Client {
    /// Sends a signal to the processes of a job.
    pub async fn signal(&self, id: u64, signal: u8, hears: Hears) -> Result<(), Error> {
        let to = match hears {
            Hears::All => "all",
            Hears::First => "first",
            Hears::Steps => "steps",
        };
        let body = serde_json::json!({ "signal": signal, "to": to });
        let path = ["jobs", &id.to_string(), "signal"];
        self.tell(self.request(Method::POST, &path, &[]).json(&body)).await
    }

    /// Sends a signal to one step of a job.
    pub async fn signal_step(&self, id: u64, step: u32, signal: u8) -> Result<(), Error> {
        let path = ["jobs", &id.to_string(), "steps", &step.to_string(), "signal"];
        let body = serde_json::json!({ "signal": signal });
        self.tell(self.request(Method::POST, &path, &[]).json(&body)).await
    }
}
