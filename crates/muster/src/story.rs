//! `muster story`: plays stories and says where the engine tells them differently.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use muster_sim::story::{Played, Story as Page};
use serde_json::json;

/// Play stories: plain text scripts with commands to the engine and what it should answer
///
/// Text at the left edge is for people. Commands are indented by four spaces, and what a command
/// prints follows it after `>`. Every step is also watched by the checker. Exits with 1 where a
/// story is told differently.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster story --show scenarios/stories/first-day.story")]
pub(crate) struct Story {
    /// The stories to play
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print each story as the engine tells it now, commands and answers
    #[arg(long, conflicts_with = "json")]
    show: bool,

    /// Write into the files what the engine prints now, instead of comparing
    #[arg(long)]
    update: bool,

    /// Print one JSON object per story, with every command and its answer
    #[arg(long)]
    json: bool,
}

impl Story {
    pub(crate) fn run(&self) -> Result<()> {
        let mut differ = 0;
        for file in &self.files {
            let name = file.display().to_string();
            let text = fs::read_to_string(file)
                .with_context(|| format!("cannot read the story {name}; does it exist?"))?;
            let page = Page::read(&name, &text)?;
            let played = page.play()?;
            let is_as_told = played.differences().next().is_none();
            differ += usize::from(!is_as_told);
            if self.update && !is_as_told {
                fs::write(file, page.rewritten(&played))
                    .with_context(|| format!("cannot write the story {name}"))?;
            }
            if self.show {
                println!("{}", page.rewritten(&played));
            }
            self.sum_up(&played);
        }
        if differ > 0 && !self.update {
            bail!(
                "{differ} of {} stories are told differently\nhint: read the lines above; if the \
                 engine is right, run again with --update",
                self.files.len()
            );
        }
        Ok(())
    }

    fn sum_up(&self, played: &Played) {
        let differences = played.differences().count();
        if self.json {
            println!("{}", json!({ "story": played, "differences": differences }));
            return;
        }
        let verdict = match (differences, self.update) {
            (0, _) => "as told",
            (_, true) => "updated",
            (_, false) => "told differently",
        };
        println!("{}: {} ({} commands)", verdict, played.title, played.exchanges.len());
        print!("{}", played.complaint());
    }
}
