//! `muster token`: makes, lists and revokes tokens.

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use muster_api::TokenRequest;
use muster_model::Millis;

use super::connect::Connect;
use super::print;
use super::show::{cluster, table};

/// Make, list and revoke tokens for people, programs and nodes
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster token create --user user-a --role user --expires 90d
  muster token create --role agent --expires 1h > join-token
  muster token revoke 3")]
pub(crate) struct Token {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make a token and print it, once
    Create(Create),
    /// List tokens, without their secrets
    List(List),
    /// Make tokens worthless
    Revoke(Revoke),
}

/// What a token allows.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Role {
    /// Look at everything
    Viewer,
    /// Also submit jobs and ask things of one's own
    User,
    /// Also ask things of everyone's jobs and of nodes
    Operator,
    /// Also change policy and make tokens
    Admin,
    /// Join the cluster as a node
    Agent,
}

#[derive(Debug, Args)]
struct Create {
    /// Whom it stands for [default: you]
    #[arg(long)]
    user: Option<String>,

    /// What it allows
    #[arg(long, value_enum, default_value = "user")]
    role: Role,

    /// How long it is good for, such as 90d
    #[arg(long, value_name = "TIME")]
    expires: Option<Millis>,

    /// What it is for
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

#[derive(Debug, Args)]
struct List {
    /// Print a JSON array
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

#[derive(Debug, Args)]
struct Revoke {
    /// The numbers of the tokens, as listed
    #[arg(value_name = "ID", required = true)]
    ids: Vec<u64>,

    #[command(flatten)]
    connect: Connect,
}

impl Token {
    pub(crate) async fn run(&self) -> Result<()> {
        match &self.what {
            What::Create(create) => create.run().await,
            What::List(list) => list.run().await,
            What::Revoke(revoke) => revoke.run().await,
        }
    }
}

impl Create {
    async fn run(&self) -> Result<()> {
        let role = self.role.to_possible_value().expect("no role is skipped");
        let request = TokenRequest {
            user: self.user.clone(),
            role: role.get_name().to_owned(),
            expires_ms: self.expires.map(|expires| expires.0),
            note: self.note.clone(),
        };
        let made = self.connect.client()?.make_token(&request).await?;
        if self.json {
            return print::json(&made);
        }
        print::text(&format!("{}\n", made.secret))?;
        eprintln!("made token {} for {}; it is not shown again", made.token.id, made.token.user);
        Ok(())
    }
}

impl List {
    async fn run(&self) -> Result<()> {
        let tokens = self.connect.client()?.tokens().await?;
        match self.json {
            true => print::json(&tokens),
            false => print::text(&cluster::tokens(&tokens).text(table::width())),
        }
    }
}

impl Revoke {
    async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        for id in &self.ids {
            client.revoke_token(*id).await?;
        }
        Ok(())
    }
}
