//! `cargo xtask screenshots`: starts a cluster with the demo workload, waits until there is
//! something to see, and takes the pictures of the dashboard that the documentation shows.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use clap::Args;

use crate::{binary, web};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Nodes of eight GPUs that the cluster pretends to have
    #[arg(long, default_value_t = 16)]
    nodes: u16,
    /// Seconds that the demo workload runs before the first picture
    #[arg(long, default_value_t = 90)]
    seconds: u32,
}

/// The binary with the dashboard on disk, a cluster in a folder of its own, and the browser.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    web::build(root)?;
    let muster = binary::build_debug(root)?;
    let data = root.join("target/screenshots");
    // Pictures of a cluster that begins, whatever was there before.
    let _ = std::fs::remove_dir_all(&data);
    let mut up = Command::new(&muster)
        .args(["up", "--demo", "--gpus", "H100x8", "--listen", "127.0.0.1:0"])
        .args(["--nodes", &options.nodes.to_string()])
        .env("MUSTER_DATA", &data)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", muster.display()))?;
    let taken = take(root, options, &mut up);
    // Its tasks end with it.
    let _ = Command::new("kill").args(["-INT", &up.id().to_string()]).status();
    let _ = up.wait();
    taken
}

fn take(root: &Path, options: &Options, up: &mut Child) -> Result<bool> {
    let out = up.stdout.take().context("the cluster's output is not ours")?;
    let link = BufReader::new(out)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("signed in: ")?.1.to_owned()))
        .context("the cluster did not come up")?;
    let status = Command::new("node")
        .arg("web/tests/screenshots.mjs")
        .args([&link, "docs/pictures", &options.seconds.to_string()])
        .current_dir(root)
        .status()
        .context("cannot start node")?;
    Ok(status.success())
}
