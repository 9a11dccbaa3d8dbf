//! `muster jobs`: the jobs of the cluster, newest first.

use std::io::IsTerminal;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use muster_api::Moment;
use muster_api::view::{JobState, JobView};
use muster_client::{Client, JobFilter};
use muster_model::Millis;

use super::connect::Connect;
use super::person::Person;
use super::print;
use super::show::{job, table, time};

/// How often `--watch` looks again.
const LOOK: Duration = Duration::from_secs(2);

/// List jobs: those that wait and run, or all
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster jobs
  muster jobs --mine --all
  muster jobs --state running,queued --queue research --json")]
pub(crate) struct Jobs {
    /// Also those that have ended
    #[arg(long, short)]
    all: bool,

    /// Only those in these states, such as running,queued
    #[arg(long, value_name = "STATES", value_delimiter = ',', value_parser = read_state)]
    state: Vec<JobState>,

    /// Only those of this user
    #[arg(long)]
    user: Option<String>,

    /// Only your own
    #[arg(long, conflicts_with = "user")]
    mine: bool,

    /// Only those in this queue
    #[arg(long)]
    queue: Option<String>,

    /// Only those of this name
    #[arg(long)]
    name: Option<String>,

    /// Only the elements of this array
    #[arg(long, value_name = "ID")]
    array: Option<u64>,

    /// Also those that ended within this time, such as 2h
    #[arg(long, value_name = "TIME")]
    since: Option<Millis>,

    /// At most so many, the newest; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// Look again every two seconds
    #[arg(long, conflicts_with = "json")]
    watch: bool,

    /// Print a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Jobs {
    pub(crate) async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        let filter = self.filter()?;
        let is_terminal = std::io::stdout().is_terminal();
        loop {
            let (jobs, is_more) = self.ask(&client, &filter).await?;
            if self.json {
                print::json(&jobs)?;
            } else {
                let text = job::table(&jobs, time::now()).text(table::width());
                // Back to the top of an empty screen, as far as a terminal is looking.
                let clear = if self.watch && is_terminal { "\x1b[H\x1b[2J" } else { "" };
                print::text(&format!("{clear}{text}"))?;
            }
            if is_more {
                eprintln!("hint: these are the newest {}; --limit 0 lists all", jobs.len());
            }
            if !self.watch {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    fn filter(&self) -> Result<JobFilter> {
        let mut states = self.state.clone();
        if states.is_empty() && !self.all && self.array.is_none() && self.since.is_none() {
            states = JobState::ALIVE.to_vec();
        }
        let user = if self.mine { Some(Person::present()?.name) } else { self.user.clone() };
        let now = time::now();
        let since = |span: Millis| Moment(muster_model::Time(now.0.saturating_sub(span.0)));
        Ok(JobFilter {
            states,
            user,
            queue: self.queue.clone(),
            name: self.name.clone(),
            array: self.array,
            ended_since: self.since.map(since),
            // Among all jobs of a large cluster nobody reads them, and they are dear.
            reasons: self.limit > 0,
            // One more than is shown, to see whether there is more.
            most: (self.limit > 0).then(|| self.limit.saturating_add(1)),
        })
    }

    /// Jobs, and whether there are more than were wanted.
    async fn ask(&self, client: &Client, filter: &JobFilter) -> Result<(Vec<JobView>, bool)> {
        let mut jobs = client.jobs(filter).await?;
        let is_more = self.limit > 0 && jobs.len() > self.limit;
        if is_more {
            jobs.truncate(self.limit);
        }
        Ok((jobs, is_more))
    }
}

fn read_state(word: &str) -> Result<JobState, String> {
    let known = JobState::ALIVE.into_iter().chain([JobState::Ended]);
    let words: Vec<String> = known.clone().map(|state| state.to_string()).collect();
    let found = known.into_iter().find(|state| state.to_string() == word);
    found.ok_or_else(|| format!("expected one of {}", words.join(", ")))
}
