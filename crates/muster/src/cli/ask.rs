//! `muster cancel`, `hold`, `release` and `requeue`: one thing asked of several jobs.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use muster_client::{Client, Order};

use super::connect::Connect;
use super::reference::Reference;

/// Which jobs.
#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The jobs or arrays; 12_3 is element 3 of array 12
    #[arg(value_name = "ID", required = true)]
    ids: Vec<Reference>,

    #[command(flatten)]
    connect: Connect,
}

impl Ask {
    /// Asks it of every job, and fails in the end where any of them refused.
    pub(crate) async fn run(&self, order: Order) -> Result<ExitCode> {
        let client = self.connect.client()?;
        let mut code = ExitCode::SUCCESS;
        for id in &self.ids {
            if let Err(error) = one(&client, *id, order).await {
                code = ExitCode::FAILURE;
                eprintln!("error: cannot {} job {id}: {error:#}", order.word());
                super::hint(&error).iter().for_each(|hint| eprintln!("hint: {hint}"));
            }
        }
        Ok(code)
    }
}

async fn one(client: &Client, id: Reference, order: Order) -> Result<()> {
    Ok(client.order(id.resolve(client).await?, order).await?)
}
