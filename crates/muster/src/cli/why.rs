//! `muster why`: why a job is where it is, and what would change that.

use anyhow::Result;
use clap::Args;
use muster_api::At;

use super::connect::Connect;
use super::print;
use super::reference::Reference;

/// Say why a job waits, runs where it runs, or ended
#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The job, or 12_3 for element 3 of array 12
    #[arg(value_name = "ID")]
    id: Reference,

    /// As it was after this entry of the journal, or at a moment such as 2026-01-31T08:00:00Z
    #[arg(long, value_name = "ENTRY|MOMENT")]
    at: Option<At>,

    /// Print JSON: the reasons as data
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Why {
    pub(crate) async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        let why = client.why(self.id.resolve(&client).await?, self.at).await?;
        match self.json {
            true => print::json(&why),
            false => print::text(&format!("{}\n", why.text.trim_end())),
        }
    }
}
