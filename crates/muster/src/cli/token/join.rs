//! `muster token join`: a token that new nodes exchange for one of their own.

use anyhow::Result;
use clap::Args;
use muster_api::join::JoinRequest;
use muster_model::Millis;

use crate::cli::connect::Connect;
use crate::cli::print;
use crate::cli::show::time;

#[derive(Debug, Args)]
#[command(
    after_help = "It also carries the fingerprint of the cluster's certificate authority, so \
that a new node needs nothing else:
  muster token join > join-token
  muster agent --server https://HOST:PORT --join-file join-token"
)]
pub(super) struct Join {
    /// How long it is good for [default: 1h]
    #[arg(long, value_name = "TIME")]
    expires: Option<Millis>,

    /// How many nodes may join with it [default: 1]
    #[arg(long, value_name = "N")]
    uses: Option<u32>,

    /// What it is for
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Join {
    pub(super) async fn run(&self) -> Result<()> {
        let request = JoinRequest {
            lifetime_ms: self.expires.map(|Millis(millis)| millis),
            uses: self.uses,
            note: self.note.clone().unwrap_or_default(),
        };
        let made = self.connect.client()?.make_join_token(&request).await?;
        if self.json {
            return print::json(&made);
        }
        print::text(&format!("{}\n", made.token.reveal()))?;
        let (id, uses, until) = (&made.id, made.uses, time::moment(made.expires));
        eprintln!("made join token {id} for {uses} node(s) until {until}; it is not shown again");
        Ok(())
    }
}
