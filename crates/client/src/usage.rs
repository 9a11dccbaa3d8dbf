//! The accounting: what was used and by whom, what one job used, where GPU time is wasted.

use muster_api::Moment;
use muster_api::usage::{
    Bucket, IdlePreview, JobActivity, JobUsage, UsageBy, UsageReport, WasteReport,
};
use muster_model::Millis;
use reqwest::Method;

use crate::{Client, Error};

/// What to report on.
#[derive(Clone, Debug, Default)]
pub struct UsageQuestion {
    /// What to sum up by.
    pub by: UsageBy,
    /// From when; the server goes back a week where nothing is said.
    pub since: Option<Moment>,
    /// Until when; now where nothing is said.
    pub until: Option<Moment>,
    /// Tell it over time as well.
    pub bucket: Option<Bucket>,
    /// Only of this team.
    pub team: Option<String>,
    /// Only of this user.
    pub user: Option<String>,
    /// Only in this queue.
    pub queue: Option<String>,
    /// At most so many rows.
    pub limit: Option<usize>,
}

impl UsageQuestion {
    fn query(&self) -> [(&'static str, Option<String>); 8] {
        let moment = |moment: Option<Moment>| moment.map(|moment| moment.to_string());
        let bucket = self.bucket.map(|bucket| match bucket {
            Bucket::Hour => "hour".to_owned(),
            Bucket::Day => "day".to_owned(),
        });
        [
            ("by", Some(self.by.to_string())),
            ("since", moment(self.since)),
            ("until", moment(self.until)),
            ("bucket", bucket),
            ("team", self.team.clone()),
            ("user", self.user.clone()),
            ("queue", self.queue.clone()),
            ("limit", self.limit.map(|limit| limit.to_string())),
        ]
    }
}

impl Client {
    /// What was used, and by whom.
    pub async fn usage(&self, question: &UsageQuestion) -> Result<UsageReport, Error> {
        self.ask(self.request(Method::GET, &["usage"], &question.query())).await
    }

    /// Where GPU time was paid for and not of use.
    pub async fn waste(
        &self,
        since: Option<Moment>,
        until: Option<Moment>,
    ) -> Result<WasteReport, Error> {
        let query = [("since", since), ("until", until)]
            .map(|(name, moment)| (name, moment.map(|moment| moment.to_string())));
        self.ask(self.request(Method::GET, &["waste"], &query)).await
    }

    /// What a rule for idle jobs would have reclaimed.
    pub async fn idle(
        &self,
        (after, below_milli): (Millis, u32),
        since: Option<Moment>,
        until: Option<Moment>,
        queue: Option<&str>,
    ) -> Result<IdlePreview, Error> {
        let moment = |moment: Option<Moment>| moment.map(|moment| moment.to_string());
        let query = [
            ("after_ms", Some(after.0.to_string())),
            ("below_milli", Some(below_milli.to_string())),
            ("since", moment(since)),
            ("until", moment(until)),
            ("queue", queue.map(str::to_owned)),
        ];
        self.ask(self.request(Method::GET, &["idle"], &query)).await
    }

    /// What one job used.
    pub async fn job_usage(&self, job: u64) -> Result<JobUsage, Error> {
        self.ask(self.request(Method::GET, &["jobs", &job.to_string(), "usage"], &[])).await
    }

    /// How busy an attempt of a job kept its GPUs: the latest unless another is named.
    pub async fn activity(
        &self,
        job: u64,
        attempt: Option<u32>,
        limit: usize,
    ) -> Result<JobActivity, Error> {
        let query = [
            ("attempt", attempt.map(|attempt| attempt.to_string())),
            ("limit", Some(limit.to_string())),
        ];
        self.ask(self.request(Method::GET, &["jobs", &job.to_string(), "activity"], &query)).await
    }
}
