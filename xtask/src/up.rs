//! `cargo xtask up`: builds the release binary and shows what it can do today, no more. It grows
//! with the product; whatever it prints as the next thing to try must work.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::binary::build_release;

/// The story that introduces Muster.
const FIRST_STORY: &str = "scenarios/stories/first-day.story";

/// A cluster small enough to be measured while the reader waits.
const BENCH_GPUS: &str = "1000";

/// Builds, plays the first story, measures the engine, and says what to try next.
pub(crate) fn run(root: &Path) -> Result<bool> {
    heading("1. build the release binary");
    let muster = build_release(root)?;
    heading("2. a first day on a small cluster, decided by the real engine");
    play(root, &muster, &["story", "--show", FIRST_STORY])?;
    heading("3. the engine on a synthetic cluster of 1,000 GPUs");
    play(root, &muster, &["bench", "engine", "--gpus", BENCH_GPUS])?;
    heading("what to try next");
    let short = muster.strip_prefix(root).unwrap_or(&muster);
    eprint!("{}", next(&short.display().to_string()));
    Ok(true)
}

fn play(root: &Path, muster: &Path, arguments: &[&str]) -> Result<()> {
    let words = arguments.join(" ");
    eprintln!("$ muster {words}");
    let status = Command::new(muster)
        .args(arguments)
        .current_dir(root)
        .status()
        .with_context(|| format!("cannot start {}", muster.display()))?;
    if !status.success() {
        bail!("`muster {words}` failed ({status})\nhint: its own message is above");
    }
    Ok(())
}

fn heading(text: &str) {
    eprintln!("\n== {text}");
}

fn next(muster: &str) -> String {
    format!(
        "There is no server, agent or dashboard yet: Muster is an engine with its checker.\n\
         \n\
         {muster} story --show FILE\n\
         \x20   plays another script; scenarios/stories has them\n\
         {muster} bench engine --gpus 100000\n\
         \x20   measures the engine at full size; add --json for data\n\
         cargo xtask test\n\
         \x20   runs every check of this repository\n\
         \n\
         ARCHITECTURE.md is the place to read on.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn what_to_try_next_names_the_binary_and_what_is_missing() {
        let text = next("target/release/muster");
        assert!(text.contains("target/release/muster story --show FILE"), "{text}");
        assert!(text.contains("no server, agent or dashboard yet"), "{text}");
    }
}
