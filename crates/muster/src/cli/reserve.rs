//! `muster reserve`: sets nodes aside for a span of time.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use muster_api::Moment;
use muster_model::{BookedPlace, Booking, Leftovers, Millis, Name, QueueName, Time};

use super::Usage;
use super::connect::Connect;
use super::each::Each;
use super::print;
use super::show::{cluster, time};

/// Set nodes aside for some users and queues, or for maintenance
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster reserve create demo --nodes node-1,node-2 --queues research --for 4h
  muster reserve create repair --domain zone-a/rack-3 --start 2026-01-31T08:00:00Z --for 2h
  muster reserve list
  muster reserve delete demo")]
pub(crate) struct Reserve {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Set nodes aside
    Create(Create),
    /// List what is set aside
    List(List),
    /// Take reservations back
    Delete(Delete),
}

#[derive(Debug, Args)]
struct Create {
    /// Its name, by which jobs ask to run in it
    name: String,

    /// These nodes
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        required_unless_present_any = ["domain", "everything"]
    )]
    nodes: Vec<String>,

    /// All nodes of a domain, from the widest level down, such as zone-a/rack-3
    #[arg(long, value_name = "PATH")]
    domain: Vec<String>,

    /// All nodes
    #[arg(long)]
    everything: bool,

    /// For jobs of these users; for nobody without users and queues
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    users: Vec<String>,

    /// For jobs in these queues
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    queues: Vec<String>,

    /// From when on [default: now]
    #[arg(long, value_name = "MOMENT")]
    start: Option<Moment>,

    /// Until when [default: until it is deleted]
    #[arg(long, value_name = "MOMENT", conflicts_with = "length")]
    end: Option<Moment>,

    /// For how long
    #[arg(long = "for", value_name = "TIME")]
    length: Option<Millis>,

    /// Start jobs again elsewhere that are still there, instead of waiting for them
    #[arg(long)]
    requeue: bool,

    /// Print the reservation as JSON
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
struct Delete {
    /// The reservations
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// Print a JSON array of what became of each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Reserve {
    pub(crate) async fn run(&self) -> Result<ExitCode> {
        match &self.what {
            What::Create(create) => create.run().await?,
            What::List(list) => list.run().await?,
            What::Delete(delete) => return delete.run().await,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Create {
    async fn run(&self) -> Result<()> {
        let booking = self.booking(time::now())?;
        self.connect.client()?.book(&booking).await?;
        if self.json { print::json(&booking) } else { Ok(()) }
    }

    /// The booking that the flags describe.
    fn booking(&self, now: Time) -> Result<Booking> {
        let start = self.start.map_or(now, |Moment(start)| start);
        let end = match (self.end, self.length) {
            (Some(Moment(end)), _) => Some(end),
            (None, length) => length.map(|length| start + length),
        };
        if end.is_some_and(|end| end <= start) {
            let what = "the reservation would end before it starts";
            return Err(Usage::new(what).hint("give a later --end, or a length with --for").into());
        }
        let path = |path: &String| path.split('/').map(Name::from).collect::<Vec<Name>>();
        let nodes = self.nodes.iter().map(|name| BookedPlace::Node(Name::from(name.as_str())));
        let domains = self.domain.iter().map(path).map(BookedPlace::Domain);
        let everything = self.everything.then(|| BookedPlace::Domain(Vec::new()));
        Ok(Booking {
            name: Name::from(self.name.as_str()),
            users: self.users.iter().map(|name| Name::from(name.as_str())).collect(),
            queues: self.queues.iter().map(|name| QueueName::from(name.as_str())).collect(),
            places: nodes.chain(domains).chain(everything).collect(),
            start,
            end,
            leftovers: if self.requeue { Leftovers::Requeue } else { Leftovers::Wait },
        })
    }
}

impl List {
    async fn run(&self) -> Result<()> {
        let bookings = self.connect.client()?.bookings().await?;
        print::list(self.json, &bookings, cluster::bookings)
    }
}

impl Delete {
    async fn run(&self) -> Result<ExitCode> {
        let client = self.connect.client()?;
        let mut each = Each::new("delete", "reservation", self.json);
        for name in &self.names {
            each.note(name, client.unbook(name).await.map_err(Into::into));
        }
        each.finish()
    }
}
