//! `cargo xtask up`: builds the release binary and starts a cluster on this machine with it, with
//! a demo workload, until it is stopped with Ctrl-C.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::binary::build_release;
use crate::web;

/// Nodes that this machine pretends to be: enough for gangs to spread over.
const NODES: &str = "2";

/// Builds, says what to try, and becomes the cluster.
pub(crate) fn run(root: &Path) -> Result<bool> {
    if let Err(error) = web::build(root) {
        eprintln!("note: without the dashboard: {error:#}");
    }
    let muster = build_release(root)?;
    let short = muster.strip_prefix(root).unwrap_or(&muster);
    eprint!("{}", next(&short.display().to_string()));
    let status = Command::new(&muster)
        .args(["up", "--demo", "--nodes", NODES])
        .current_dir(root)
        .status()
        .with_context(|| format!("cannot start {}", muster.display()))?;
    Ok(status.success())
}

fn next(muster: &str) -> String {
    format!(
        "A cluster of {NODES} nodes starts here, with a demo workload. Its dashboard is at the\n\
         link below, and in another terminal:\n\
         \n\
         {muster} jobs\n\
         \x20   what runs and what waits\n\
         {muster} run --gpus 1 -- echo hello\n\
         \x20   run something of your own\n\
         {muster} why JOB\n\
         \x20   ask why a job waits, or why it is where it is\n\
         \n\
         Ctrl-C stops it; the next start goes on where it was.\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn what_to_try_next_names_the_binary() {
        let text = next("target/release/muster");
        assert!(text.contains("target/release/muster run --gpus 1 -- echo hello"), "{text}");
    }
}
