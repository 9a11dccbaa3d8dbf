//! What tasks write, as a stream of bytes that goes on where it was when a connection breaks.

use muster_api::Problem;
use reqwest::{Method, Response};

use crate::{Client, Error, retry};

/// Which part of which log.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogOptions {
    /// The attempt; the latest where nothing is said.
    pub attempt: Option<u32>,
    /// The task, by its rank among all tasks of the job.
    pub task: u32,
    /// Standard error, where it is apart.
    pub error: bool,
    /// Bytes to leave out from the beginning, or, if negative, all but so many from the end.
    pub from: i64,
    /// Go on until the task has ended.
    pub follow: bool,
}

/// A log being read.
#[derive(Debug)]
pub struct Logs {
    client: Client,
    job: u64,
    options: LogOptions,
    stream: Option<Response>,
    has_begun: bool,
    failures: u32,
}

impl Client {
    /// What a task of a job has written.
    pub fn logs(&self, job: u64, options: LogOptions) -> Logs {
        let client = self.clone();
        Logs { client, job, options, stream: None, has_begun: false, failures: 0 }
    }
}

impl Logs {
    /// The next bytes; nothing at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        loop {
            match self.read().await {
                Ok(bytes) => return Ok(bytes),
                Err(error) => {
                    self.failures += 1;
                    self.stream = None;
                    let pause = retry::pause(self.failures, &error);
                    let pause = pause.filter(|_| self.can_go_on()).ok_or(error)?;
                    tokio::time::sleep(pause).await;
                }
            }
        }
    }

    /// Whether a new connection could begin where the old one broke off: not when bytes were
    /// counted from an end that has moved since.
    fn can_go_on(&self) -> bool {
        self.options.from >= 0 || !self.has_begun
    }

    async fn read(&mut self) -> Result<Option<Vec<u8>>, Error> {
        if self.stream.is_none() {
            self.stream = Some(self.client.send(self.request()).await?);
        }
        let stream = self.stream.as_mut().expect("the stream was just opened");
        let bytes = stream.chunk().await.map_err(|cause| self.client.unreachable(cause))?;
        let Some(bytes) = bytes else { return Ok(None) };
        (self.failures, self.has_begun) = (0, true);
        if self.options.from >= 0 {
            let read = i64::try_from(bytes.len()).expect("chunks are small");
            self.options.from = self.options.from.saturating_add(read);
        }
        Ok(Some(bytes.into()))
    }

    fn request(&self) -> reqwest::RequestBuilder {
        let LogOptions { attempt, task, error, from, follow } = self.options;
        let query = [
            ("attempt", attempt.map(|attempt| attempt.to_string())),
            ("task", Some(task.to_string())),
            ("error", Some(error.to_string())),
            ("from", Some(from.to_string())),
            ("follow", Some(follow.to_string())),
        ];
        self.client.request(Method::GET, &["jobs", &self.job.to_string(), "logs"], &query)
    }
}

impl Error {
    /// Whether the server has no such log, at least not now.
    pub fn is_no_log(&self) -> bool {
        matches!(self, Error::Refused(Problem { status: 404 | 409 | 410, .. }))
    }
}
