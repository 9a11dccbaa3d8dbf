//! `cargo xtask paint`: how long the map of the dashboard takes to draw for clusters of several
//! sizes, in a real browser.

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::browsed;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// GPUs of a cluster, once for each that is drawn
    #[arg(long, default_values_t = [1_000, 10_000, 100_000])]
    gpus: Vec<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let mut arguments: Vec<String> = options.gpus.iter().map(ToString::to_string).collect();
    arguments.extend(options.json.then(|| "--json".to_owned()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    browsed::run(root, &["--nodes", "1"], "paint.mjs", &arguments)
}
