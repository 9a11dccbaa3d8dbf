//! A cluster of this machine for a browser to look at: started in a folder of its own, and stopped.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use crate::{binary, web};

/// Runs a script of the dashboard's tests against a new cluster; the first of its arguments is a
/// link that signs in.
pub(crate) fn run(root: &Path, up: &[&str], script: &str, arguments: &[&str]) -> Result<bool> {
    web::build(root)?;
    let muster = binary::build_debug(root)?;
    let data = root.join("target/browsed");
    // A cluster that begins, whatever was there before.
    let _ = std::fs::remove_dir_all(&data);
    let mut cluster = Command::new(&muster)
        .args(["up", "--listen", "127.0.0.1:0"])
        .args(up)
        .env("MUSTER_DATA", &data)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", muster.display()))?;
    let looked = look(root, &mut cluster, script, arguments);
    // Its tasks end with it.
    let _ = Command::new("kill").args(["-INT", &cluster.id().to_string()]).status();
    let _ = cluster.wait();
    looked
}

fn look(root: &Path, cluster: &mut Child, script: &str, arguments: &[&str]) -> Result<bool> {
    let out = cluster.stdout.take().context("the cluster's output is not ours")?;
    let link = BufReader::new(out)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("signed in: ")?.1.to_owned()))
        .context("the cluster did not come up")?;
    let status = Command::new("node")
        .arg(format!("web/tests/{script}"))
        .arg(&link)
        .args(arguments)
        .current_dir(root)
        .status()
        .context("cannot start node")?;
    Ok(status.success())
}
