//! `muster node`: keeps new work off a node, or lets it back.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use muster_client::Client;

use super::connect::Connect;

/// Drain nodes for maintenance, and resume them
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
}

#[derive(Debug, Args)]
struct Which {
    /// The nodes
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    #[command(flatten)]
    connect: Connect,
}

impl Node {
    /// Asks it of every node, and fails in the end where any was refused.
    pub(crate) async fn run(&self) -> Result<ExitCode> {
        let (What::Drain(which) | What::Resume(which)) = &self.what;
        let client = which.connect.client()?;
        let mut code = ExitCode::SUCCESS;
        for name in &which.names {
            if let Err(error) = self.one(&client, name).await {
                code = ExitCode::FAILURE;
                eprintln!("error: cannot {} node {name}: {error}", self.what.word());
                error.hint().iter().for_each(|hint| eprintln!("hint: {hint}"));
            }
        }
        Ok(code)
    }

    async fn one(&self, client: &Client, name: &str) -> Result<(), muster_client::Error> {
        match self.what {
            What::Drain(_) => client.drain(name).await,
            What::Resume(_) => client.resume(name).await,
        }
    }
}

impl What {
    fn word(&self) -> &'static str {
        match self {
            What::Drain(_) => "drain",
            What::Resume(_) => "resume",
        }
    }
}
