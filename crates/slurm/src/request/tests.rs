//! Requests: how they are read, what they mean, and that they are written as they were read.

mod allocation;
mod generator;
mod job;
mod promises;
mod reading;

use super::{Reading, Request, Sources};
use crate::command::Command;
use crate::environment;
use crate::options::Arguments;
use crate::script::Script;

/// Reads words of `sbatch` with spaces between them.
fn sbatch(words: &str) -> Result<Reading, Vec<String>> {
    read(Command::Sbatch, words, &[], "")
}

/// Reads all three sources: a command line, variables, and the lines of a script.
fn read(
    command: Command,
    words: &str,
    variables: &[(&str, &str)],
    lines: &str,
) -> Result<Reading, Vec<String>> {
    let told = |refused: Vec<crate::Refused>| refused.iter().map(ToString::to_string).collect();
    let words = words.split_whitespace().map(str::to_owned);
    let arguments = Arguments::read(command, words).map_err(|refused| told(vec![refused]))?;
    let lookup = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    let environment = environment::settings(command, lookup);
    let script = Script::read(format!("#!/bin/bash\n{lines}").as_bytes()).map_err(told)?;
    Request::read(command, Sources { arguments, environment, script: Some(script) }).map_err(told)
}

fn request(words: &str) -> Request {
    sbatch(words).unwrap_or_else(|refused| panic!("{words}: {refused:?}")).request
}

fn refusal(words: &str) -> String {
    sbatch(words).expect_err(words).join("\n")
}
