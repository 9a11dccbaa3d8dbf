//! `cargo xtask fuzz`: feeds the readers of what comes from outside with inputs chosen by the code
//! they reach. The readers are listed in `crates/muster/tests/parsers`; the test run has a quick
//! part of this.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cargo;

/// What lets libFuzzer see which code an input reaches. All of it is stable, and only for what is
/// built for the target: build scripts and macros stay as they are.
const FLAGS: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The table of readers, which names them.
const TABLE: &str = "crates/muster/tests/parsers/table.rs";

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The reader; all of them one after the other unless one is named
    reader: Option<String>,
    /// How long each is fed
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// Feeds the readers; `false` when one of them broke.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let table = fs::read_to_string(root.join(TABLE)).context("cannot read the table of readers")?;
    let known = readers(&table);
    let chosen: Vec<&str> = match &options.reader {
        None => known,
        Some(name) => known.into_iter().filter(|reader| reader == name).collect(),
    };
    ensure!(!chosen.is_empty(), "there is no such reader\nhint: {TABLE} lists them");
    let built = root.join("target/fuzz");
    let status = cargo()
        .args(["build", "--release", "--locked", "--manifest-path", "fuzz/Cargo.toml"])
        .args(["--target", TARGET, "--target-dir"])
        .arg(&built)
        .env("RUSTFLAGS", FLAGS.join(" "))
        .current_dir(root)
        .status();
    ensure!(status.context("cannot start cargo build")?.success(), "the fuzzer cannot be built");
    let program = built.join(TARGET).join("release/parsers");
    let mut broken = Vec::new();
    for reader in chosen {
        eprintln!("fuzz: {reader} for {} s", options.seconds);
        if !feed(&program, &built, reader, options.seconds)? {
            broken.push(reader);
        }
    }
    if !broken.is_empty() {
        eprintln!("fuzz: what broke {} is in target/fuzz/found", broken.join(", "));
    }
    Ok(broken.is_empty())
}

/// The names in the table.
fn readers(table: &str) -> Vec<&str> {
    let names = table.split("Parser { name: \"").skip(1);
    names.filter_map(|rest| rest.split('"').next()).collect()
}

fn feed(program: &Path, built: &Path, reader: &str, seconds: u64) -> Result<bool> {
    let (corpus, found) = (built.join("corpus").join(reader), built.join("found"));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let status = Command::new(program)
        .arg(&corpus)
        .arg(format!("-artifact_prefix={}/{reader}-", found.display()))
        .arg(format!("-max_total_time={seconds}"))
        // Slower than this, or larger, and a small input has made a reader run away.
        .args(["-timeout=10", "-rss_limit_mb=2048", "-max_len=16384"])
        .args(["-use_value_profile=1", "-verbosity=0", "-print_final_stats=1"])
        .env("MUSTER_FUZZ", reader)
        .env("MUSTER_CORPUS", &corpus)
        .status()
        .context("cannot start the fuzzer")?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::readers;

    #[test]
    fn readers_are_found_in_the_table() {
        let table =
            "[\n  Parser { name: \"a\", read: x },\n  Parser { name: \"b-c\", read: y },\n]";
        assert_eq!(readers(table), ["a", "b-c"]);
        let real = include_str!("../../crates/muster/tests/parsers/table.rs");
        assert!(readers(real).contains(&"job-yaml"));
    }
}
