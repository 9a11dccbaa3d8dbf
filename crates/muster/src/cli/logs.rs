//! `muster logs`: what the tasks of a job have written.

use anyhow::Result;
use clap::Args;
use muster_client::LogOptions;

use super::connect::Connect;
use super::print;
use super::reference::Reference;

/// Show what a task of a job has written
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster logs 12
  muster logs 12 --follow --task 3
  muster logs 12_4 --tail 4096")]
pub(crate) struct Logs {
    /// The job, or 12_3 for element 3 of array 12
    #[arg(value_name = "ID")]
    id: Reference,

    /// Go on until the task has ended
    #[arg(long, short)]
    follow: bool,

    /// The task, by its rank
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    task: u32,

    /// The attempt [default: the latest]
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,

    /// Standard error, where the job keeps it apart
    #[arg(long)]
    error: bool,

    /// Only so many bytes from the end
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(i64).range(1..))]
    tail: Option<i64>,

    #[command(flatten)]
    connect: Connect,
}

impl Logs {
    pub(crate) async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        let job = self.id.resolve(&client).await?;
        let options = LogOptions {
            attempt: self.attempt,
            task: self.task,
            error: self.error,
            from: self.tail.map_or(0, |bytes| -bytes),
            follow: self.follow,
        };
        let mut logs = client.logs(job, options);
        while let Some(bytes) = logs.next().await? {
            print::bytes(&bytes)?;
        }
        Ok(())
    }
}
