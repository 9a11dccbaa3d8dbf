//! `muster change`: something else is asked for than was submitted.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use muster_api::Moment;
use muster_client::Client;
use muster_model::{Dependency, Millis};
use serde_json::{Map, Value, json};

use super::connect::Connect;
use super::each::Each;
use super::reference::Reference;

/// Change what was asked for
///
/// A job that has not started can be changed in all of this; one that runs only in its limit and
/// its deadline. More time for a job that runs is for operators, since others wait for its GPUs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster change 12 --time 4h
  muster change 12 13 --queue research --class batch
  muster change 12 --after none
  muster change 12 --throttle 5")]
pub(crate) struct Change {
    /// The jobs or arrays; 12_3 is element 3 of array 12
    #[arg(value_name = "ID", required = true)]
    ids: Vec<Reference>,

    /// Its run-time limit, such as 4h or 1-00:00:00
    #[arg(long)]
    time: Option<Millis>,

    /// When it should have finished, such as 2026-01-31T08:00:00Z
    #[arg(long, value_name = "MOMENT")]
    deadline: Option<Moment>,

    /// Do not start it before this moment
    #[arg(long, value_name = "MOMENT")]
    begin: Option<Moment>,

    /// The queue it waits in
    #[arg(long)]
    queue: Option<String>,

    /// Its class
    #[arg(long)]
    class: Option<String>,

    /// Its name
    #[arg(long)]
    name: Option<String>,

    /// What it waits for instead, such as afterok:12, or none
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    after: Vec<String>,

    /// At most so many elements of an array at once, or none for as many as there is room for
    #[arg(long, value_name = "COUNT|none", value_parser = throttle)]
    throttle: Option<Throttle>,

    /// Print a JSON array of what became of each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    connect: Connect,
}

/// At most so many elements at once, or any number of them.
#[derive(Clone, Copy, Debug)]
struct Throttle(Option<u32>);

fn throttle(text: &str) -> Result<Throttle, String> {
    match text {
        "none" => Ok(Throttle(None)),
        _ => text.parse().map(|most| Throttle(Some(most))).map_err(|_| "a number, or none".into()),
    }
}

impl Change {
    /// Changes every job, and fails in the end where any of them refused.
    pub(crate) async fn run(&self) -> Result<ExitCode> {
        let patch = self.patch()?;
        let client = self.connect.client()?;
        let mut each = Each::new("change", "job", self.json);
        for id in &self.ids {
            each.note(id, one(&client, *id, &patch).await);
        }
        each.finish()
    }

    /// What is laid over what the job is.
    fn patch(&self) -> Result<Value> {
        let mut timing = Map::new();
        let moment = |moment: Moment| json!(moment.0);
        timing.extend(self.time.map(|limit| ("limit".to_owned(), json!(limit))));
        timing.extend(self.deadline.map(|at| ("deadline".to_owned(), moment(at))));
        timing.extend(self.begin.map(|at| ("begin".to_owned(), moment(at))));
        let mut patch = Map::new();
        if !timing.is_empty() {
            patch.insert("timing".to_owned(), Value::Object(timing));
        }
        for (name, value) in [("queue", &self.queue), ("class", &self.class), ("name", &self.name)]
        {
            patch.extend(value.as_ref().map(|value| (name.to_owned(), json!(value))));
        }
        if !self.after.is_empty() {
            let words = self.after.iter().filter(|word| *word != "none");
            let after = words.map(|word| word.parse()).collect::<Result<Vec<Dependency>, _>>()?;
            patch.insert("after".to_owned(), json!(after));
        }
        let throttle = self.throttle.map(|Throttle(most)| json!({"throttle": most}));
        patch.extend(throttle.map(|array| ("array".to_owned(), array)));
        if patch.is_empty() {
            bail!("nothing to change\nhint: say what, such as --time 4h; `--help` lists it all");
        }
        Ok(Value::Object(patch))
    }
}

async fn one(client: &Client, id: Reference, patch: &Value) -> Result<()> {
    let id = id.resolve(client).await?;
    client.amend(id, patch).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        change: Change,
    }

    fn patch(words: &str) -> Result<Value> {
        let line = Line::try_parse_from(["change"].into_iter().chain(words.split(' ')))?;
        line.change.patch()
    }

    #[test]
    fn only_what_is_named_changes() {
        let said = |words: &str| patch(words).expect(words);
        assert_eq!(said("7 --time 2h"), json!({"timing": {"limit": 7_200_000}}));
        assert_eq!(said("7 --queue a/b --class batch"), json!({"queue": "a/b", "class": "batch"}));
        assert_eq!(said("7 --after none"), json!({"after": []}));
        assert_eq!(said("7 --throttle 3"), json!({"array": {"throttle": 3}}));
        assert_eq!(said("7 --throttle none"), json!({"array": {"throttle": null}}));
        assert_eq!(
            said("7 --after afterok:3,singleton"),
            json!({"after": [{"on": {"job": 3, "kind": "after-ok"}}, "singleton"]})
        );
    }

    #[test]
    fn nothing_and_nonsense_are_refused() {
        assert!(patch("7").expect_err("nothing").to_string().contains("nothing to change"));
        assert!(
            patch("7 --after later:3").expect_err("nonsense").to_string().contains("afterok:12")
        );
        assert!(patch("7 --time soon").is_err());
        assert!(patch("7 --throttle many").is_err());
    }
}
