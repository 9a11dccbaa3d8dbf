//! `muster token`: makes, lists and revokes tokens.

mod join;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use muster_api::{Moment, TokenRequest};
use muster_model::Millis;

use super::connect::Connect;
use super::each::Each;
use super::print;
use super::show::{cluster, time};

/// Make, list and revoke tokens for people, programs and nodes
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster token create --user user-a --role user --expires 90d
  muster token join --expires 1h --uses 16 > join-token
  muster token revoke ID")]
pub(crate) struct Token {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make a token and print it, once
    Create(Create),
    /// Make a token by which nodes join the cluster, and print it, once
    Join(join::Join),
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
    /// Be a node for good, without joining
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

    /// The only queue it is good for, with those below it
    #[arg(long)]
    queue: Option<String>,

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
    /// The tokens, by what they are listed under
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,

    /// Print a JSON array of what became of each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Token {
    pub(crate) async fn run(&self) -> Result<ExitCode> {
        match &self.what {
            What::Create(create) => create.run().await?,
            What::Join(join) => join.run().await?,
            What::List(list) => list.run().await?,
            What::Revoke(revoke) => return revoke.run().await,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Create {
    async fn run(&self) -> Result<()> {
        let role = self.role.to_possible_value().expect("no role is skipped");
        let client = self.connect.client()?;
        let user = match &self.user {
            Some(user) => user.clone(),
            None => client.whoami().await?.user,
        };
        let request = TokenRequest {
            user,
            role: role.get_name().to_owned(),
            queue: self.queue.clone(),
            expires: self.expires.map(|span| Moment(time::now() + span)),
            note: self.note.clone().unwrap_or_default(),
        };
        let made = client.make_token(&request).await?;
        if self.json {
            return print::json(&made);
        }
        print::text(&format!("{}\n", made.secret.unwrap_or_default()))?;
        eprintln!("made token {} for {}; it is not shown again", made.id, made.user);
        Ok(())
    }
}

impl List {
    async fn run(&self) -> Result<()> {
        let tokens = self.connect.client()?.tokens().await?;
        print::list(self.json, &tokens, cluster::tokens)
    }
}

impl Revoke {
    async fn run(&self) -> Result<ExitCode> {
        let client = self.connect.client()?;
        let mut each = Each::new("revoke", "token", self.json);
        for id in &self.ids {
            each.note(id, client.revoke_token(id).await.map_err(Into::into));
        }
        each.finish()
    }
}
