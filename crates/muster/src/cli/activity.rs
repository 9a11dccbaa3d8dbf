//! `muster activity`: how busy a job kept each of its GPUs.

use anyhow::Result;
use clap::Args;

use super::connect::Connect;
use super::print;
use super::reference::Reference;
use super::show::activity;

/// Show how busy a job kept each of its GPUs, those least busy first
#[derive(Debug, Args)]
pub(crate) struct Activity {
    /// The job, or 12_3 for element 3 of array 12
    #[arg(value_name = "ID")]
    id: Reference,

    /// Which attempt; the latest if left out
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,

    /// At most so many GPUs
    #[arg(long, value_name = "N", default_value_t = 64)]
    limit: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Activity {
    pub(crate) async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        let id = self.id.resolve(&client).await?;
        let activity = client.activity(id, self.attempt, self.limit).await?;
        match self.json {
            true => print::json(&activity),
            false => print::text(&activity::block(id, &activity)),
        }
    }
}
