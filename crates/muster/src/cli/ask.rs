//! `muster cancel`, `hold`, `release` and `requeue`: one thing asked of several jobs.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use muster_api::view::JobState;
use muster_client::{Client, Order};

use super::connect::Connect;
use super::each::Each;
use super::reference::Reference;

/// Which jobs.
#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The jobs or arrays; 12_3 is element 3 of array 12
    #[arg(value_name = "ID", required = true)]
    ids: Vec<Reference>,

    /// Print a JSON array of what became of each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Ask {
    /// Asks it of every job, and fails in the end where any of them refused.
    pub(crate) async fn run(&self, order: Order) -> Result<ExitCode> {
        let client = self.connect.client()?;
        let mut each = Each::new(order.word(), "job", self.json);
        for id in &self.ids {
            each.note(id, one(&client, *id, order).await);
        }
        each.finish()
    }
}

async fn one(client: &Client, id: Reference, order: Order) -> Result<()> {
    let id = id.resolve(client).await?;
    let Err(error) = client.order(id, order).await else { return Ok(()) };
    // The engine only says that it is over; people want to know how it ended.
    match client.job(id).await {
        Ok(found) if found.job.state == JobState::Ended => {
            let how = found.job.outcome.map(|outcome| format!(": {outcome}")).unwrap_or_default();
            Err(anyhow!("it has already ended{how}"))
        }
        _ => Err(error.into()),
    }
}
