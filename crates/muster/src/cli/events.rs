//! `muster events`: what happened, and with `--follow` what happens.

use anyhow::Result;
use clap::Args;
use muster_api::view::EventView;
use muster_client::EventFilter;

use super::connect::Connect;
use super::print;
use super::reference::Reference;
use super::show::event;

/// Show what happened to jobs and nodes
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster events --job 12
  muster events --follow --node node-7")]
pub(crate) struct Events {
    /// Go on with what happens from now
    #[arg(long, short)]
    follow: bool,

    /// Only what is about this job
    #[arg(long, value_name = "ID")]
    job: Option<Reference>,

    /// Only what is about this node
    #[arg(long, value_name = "NAME")]
    node: Option<String>,

    /// Only what came after this event
    #[arg(long, value_name = "EVENT")]
    after: Option<u64>,

    /// At most so many of the past; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Events {
    pub(crate) async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        let job = match self.job {
            Some(reference) => Some(reference.resolve(&client).await?),
            None => None,
        };
        let filter = EventFilter {
            // Without an end on either side the server gives the latest: all begin after none.
            after: self.after.or((self.limit == 0).then_some(0)),
            job,
            node: self.node.clone(),
            most: (self.limit > 0).then_some(self.limit),
        };
        let past = client.events(&filter).await?;
        past.iter().try_for_each(|event| self.print(event))?;
        if !self.follow {
            return Ok(());
        }
        let mut stream =
            client.event_stream(past.iter().map(|event| event.id).max().or(self.after));
        loop {
            let event = stream.next().await?;
            let is_meant = job.is_none_or(|job| event.job == Some(job))
                && self.node.as_ref().is_none_or(|node| event.node.as_ref() == Some(node));
            if is_meant {
                self.print(&event)?;
            }
        }
    }

    fn print(&self, event: &EventView) -> Result<()> {
        if self.json { print::json(event) } else { print::text(&event::line(event)) }
    }
}
