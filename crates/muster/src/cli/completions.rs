//! `muster completions`: what a shell needs to complete our commands.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

use super::print;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  muster completions bash > ~/.local/share/bash-completion/completions/muster
  muster completions fish > ~/.config/fish/completions/muster.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut crate::command(), "muster", &mut text);
        print::bytes(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}
