//! Steps of jobs, and the end of jobs that only hold their places.

use muster_api::EndRequest;
use muster_api::step::{StepRequest, StepState, StepView};
use reqwest::Method;

use crate::client::ANSWER;
use crate::{Client, Error};

impl Client {
    /// Starts a step in a running job. It may have to wait for others.
    pub async fn start_step(&self, job: u64, step: &StepRequest) -> Result<StepView, Error> {
        let request = self.request(Method::POST, &["jobs", &job.to_string(), "steps"], &[]);
        self.ask(request.json(step)).await
    }

    /// The steps of a job, also once it has ended.
    pub async fn steps(&self, job: u64) -> Result<Vec<StepView>, Error> {
        self.ask(self.request(Method::GET, &["jobs", &job.to_string(), "steps"], &[])).await
    }

    /// A step once it is not as it was known, or as it is when the server would rather be asked
    /// again.
    pub async fn wait_step(&self, known: &StepView) -> Result<StepView, Error> {
        let (job, step) = (known.job.to_string(), known.step.to_string());
        let state = match known.state {
            StepState::Waiting => "waiting",
            StepState::Running => "running",
            StepState::Ended => "ended",
        };
        let query =
            [("state", Some(state.to_owned())), ("ends", Some(known.ends.len().to_string()))];
        let request = self.request(Method::GET, &["jobs", &job, "steps", &step, "wait"], &query);
        let response = self.send(request.timeout(ANSWER * 2)).await?;
        self.read(response).await
    }

    /// Ends a step: its tasks are asked, and forced after a while.
    pub async fn end_step(&self, job: u64, step: u32) -> Result<(), Error> {
        let (job, step) = (job.to_string(), step.to_string());
        let request = self.request(Method::POST, &["jobs", &job, "steps", &step, "signal"], &[]);
        self.tell(request.json(&serde_json::json!({}))).await
    }

    /// Ends a job that only holds its places.
    pub async fn end_job(&self, job: u64, code: i32) -> Result<(), Error> {
        let request = self.request(Method::POST, &["jobs", &job.to_string(), "end"], &[]);
        self.tell(request.json(&EndRequest { code })).await
    }
}
