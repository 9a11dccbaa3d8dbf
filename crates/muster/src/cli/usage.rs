//! `muster usage`: what was paid for, what computed, and who used it.

mod chart;
mod csv;
mod figure;
mod page;
mod table;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use muster_api::Moment;
use muster_api::usage::{Bucket, UsageBy};
use muster_client::UsageQuestion;
use muster_model::{Millis, Time};

use super::connect::Connect;
use super::show::table::width;
use super::show::time;
use super::{Usage as Misuse, print};

/// Reports over more than this show days, shorter ones hours.
const HOURLY: Millis = Millis::hours(72);

/// Report what was used, by whom, and what it cost
#[derive(Debug, Args)]
pub(crate) struct Usage {
    /// What to sum up by
    #[arg(long, value_enum, default_value_t = By::Team)]
    by: By,

    /// From when: a span back from the end such as 30d, a day, or a moment; a week if left out
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,

    /// Until when: a span back from now, a day, or a moment; now if left out
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,

    /// Only of this team
    #[arg(long)]
    team: Option<String>,

    /// Only of this user
    #[arg(long)]
    user: Option<String>,

    /// Only in this queue
    #[arg(long)]
    queue: Option<String>,

    /// At most so many rows; the rest is summed up in one
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// List the jobs that wasted most instead
    #[arg(long, conflicts_with_all = ["by", "csv", "html", "team", "user", "queue"])]
    waste: bool,

    /// Show instead what a rule would have reclaimed from jobs that were idle for so long
    #[arg(long, value_name = "SPAN",
          conflicts_with_all = ["by", "csv", "html", "team", "user", "waste"])]
    idle: Option<Millis>,

    /// Idle is who is busy for less than so many percent of its time
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, requires = "idle")]
    below: f64,

    /// Print CSV, with GPU-hours
    #[arg(long, conflicts_with_all = ["json", "html"])]
    csv: bool,

    /// Print JSON, with GPU-milliseconds and millionths of the currency
    #[arg(long, conflicts_with = "html")]
    json: bool,

    /// Write a page for the browser that needs nothing from elsewhere
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    connect: Connect,
}

/// What the command line may sum up by.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Team,
    User,
    Job,
    Class,
    Model,
    Queue,
    Node,
}

impl From<By> for UsageBy {
    fn from(by: By) -> UsageBy {
        match by {
            By::Team => UsageBy::Team,
            By::User => UsageBy::User,
            By::Job => UsageBy::Job,
            By::Class => UsageBy::Class,
            By::Model => UsageBy::Model,
            By::Queue => UsageBy::Queue,
            By::Node => UsageBy::Node,
        }
    }
}

impl Usage {
    pub(crate) async fn run(&self) -> Result<()> {
        let now = time::now();
        let until = self.until.as_deref().map(|text| when(text, now)).transpose()?;
        let end = until.map_or(now, |Moment(until)| until);
        let since = self.since.as_deref().map(|text| when(text, end)).transpose()?;
        let client = self.connect.client()?;
        if self.waste {
            let report = client.waste(since, until).await?;
            return match self.json {
                true => print::json(&report),
                false => print::text(&table::waste(&report, width())),
            };
        }
        if let Some(after) = self.idle {
            let rule = (after, thousandths(self.below)?);
            let preview = client.idle(rule, since, until, self.queue.as_deref()).await?;
            return match self.json {
                true => print::json(&preview),
                false => print::text(&table::idle(&preview, width())),
            };
        }
        let span = since.map_or(Millis::hours(7 * 24), |Moment(since)| end.since(since));
        let bucket = if span > HOURLY { Bucket::Day } else { Bucket::Hour };
        let report = client
            .usage(&UsageQuestion {
                by: self.by.into(),
                since,
                until,
                bucket: self.html.as_ref().map(|_| bucket),
                team: self.team.clone(),
                user: self.user.clone(),
                queue: self.queue.clone(),
                limit: Some(self.limit),
            })
            .await?;
        if let Some(file) = &self.html {
            let waste = client.waste(since, until).await?;
            let text = page::page(&report, Some(&waste).filter(|_| !self.is_part()));
            return std::fs::write(file, text)
                .with_context(|| format!("cannot write {}", file.display()));
        }
        match (self.json, self.csv) {
            (true, _) => print::json(&report),
            (_, true) => print::text(&csv::text(&report)),
            _ => print::text(&table::report(&report, width())),
        }
    }

    /// Whether only part of the jobs is asked about.
    fn is_part(&self) -> bool {
        self.team.is_some() || self.user.is_some() || self.queue.is_some()
    }
}

/// Percent in thousandths.
fn thousandths(percent: f64) -> Result<u32> {
    let milli = (percent * 10.0).round();
    if (1.0..=1000.0).contains(&milli) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        return Ok(milli as u32);
    }
    let hint = "write a number from 0.1 to 100, such as 5";
    Err(Misuse::new(format!("--below {percent} is no part of a time")).hint(hint).into())
}

/// A moment, the beginning of a day, or so long before another moment.
fn when(text: &str, from: Time) -> Result<Moment> {
    let day = || format!("{text}T00:00:00Z").parse::<Moment>().ok();
    let back =
        || text.parse::<Millis>().ok().map(|span| Moment(Time(from.0.saturating_sub(span.0))));
    let found = text.parse::<Moment>().ok().or_else(day).or_else(back);
    found.ok_or_else(|| {
        let hint = "write 30d, 2026-01-31 or 2026-01-31T08:00:00Z";
        Misuse::new(format!("`{text}` is neither a span nor a day nor a moment")).hint(hint).into()
    })
}
