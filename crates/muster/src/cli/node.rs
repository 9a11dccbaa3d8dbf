//! `muster node`: keeps new work off a node, lets it back, or forgets one that is gone.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use muster_client::Client;

use super::connect::Connect;
use super::each::Each;

/// Drain nodes for maintenance, resume them, and forget those that are gone
#[derive(Debug, Args)]
#[command(after_help = "Example: muster node drain node-7 node-8")]
pub(crate) struct Node {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Keep new work off nodes; what runs there finishes
    Drain(Which),
    /// Let new work onto nodes again
    Resume(Which),
    /// Forget nodes that are gone for good: they are neither listed nor paid for any longer
    Forget(Which),
}

#[derive(Debug, Args)]
struct Which {
    /// The nodes
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// Print a JSON array of what became of each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Node {
    /// Asks it of every node, and fails in the end where any was refused.
    pub(crate) async fn run(&self) -> Result<ExitCode> {
        let (What::Drain(which) | What::Resume(which) | What::Forget(which)) = &self.what;
        let client = which.connect.client()?;
        let mut each = Each::new(self.what.word(), "node", which.json);
        for name in &which.names {
            each.note(name, self.one(&client, name).await);
        }
        each.finish()
    }

    async fn one(&self, client: &Client, name: &str) -> Result<()> {
        match self.what {
            What::Drain(_) => Ok(client.drain(name).await?),
            What::Resume(_) => Ok(client.resume(name).await?),
            What::Forget(_) => Ok(client.forget(name).await?),
        }
    }
}

impl What {
    fn word(&self) -> &'static str {
        match self {
            What::Drain(_) => "drain",
            What::Resume(_) => "resume",
            What::Forget(_) => "forget",
        }
    }
}
