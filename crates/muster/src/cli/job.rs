//! `muster job`: all there is to know about one job.

use anyhow::Result;
use clap::Args;
use muster_client::JobFilter;

use super::connect::Connect;
use super::print;
use super::reference::Reference;
use super::show::{detail, job, time};

/// Show all there is to know about a job, or the elements of an array
#[derive(Debug, Args)]
pub(crate) struct Job {
    /// The job, or 12_3 for element 3 of array 12
    #[arg(value_name = "ID")]
    id: Reference,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

impl Job {
    pub(crate) async fn run(&self) -> Result<()> {
        let client = self.connect.client()?;
        let id = self.id.resolve(&client).await?;
        let found = match client.job(id).await {
            Err(error) if error.is_unknown() => {
                let filter = JobFilter { array: Some(id), ..JobFilter::default() };
                let mut elements = client.jobs(&filter).await?;
                elements.retain(|element| element.array == Some(id));
                if elements.is_empty() {
                    return Err(error.into());
                }
                Err(elements)
            }
            answer => Ok(answer?),
        };
        match (found, self.json) {
            (Ok(job), true) => print::json(&job),
            (Ok(job), false) => print::text(&detail::block(&job, time::now())),
            (Err(elements), is_json) => {
                print::list(is_json, &elements, |elements| job::table(elements, time::now()))
            }
        }
    }
}
