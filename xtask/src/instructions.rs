//! `cargo xtask instructions`: counts the instructions of three fixed cases with callgrind and
//! compares them with the recorded figures. Counts hardly move on a busy machine, where times do.
//! Running valgrind is here; reading its output and judging the figures are leaves below.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::binary::build_release;

mod callgrind;
mod compare;

use compare::{Comparison, Record};

/// The cases `muster bench case` knows.
const CASES: [&str; 3] = ["fill", "churn", "gang"];

/// Where the figures are recorded.
const RECORD: &str = "benches/instructions.json";

/// The function around the measured work; counting is on only inside it.
const MEASURED_FUNCTION: &str = "*bench_case_body*";

/// What the user may ask for.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Write the figures of this run as the new record
    #[arg(long)]
    update: bool,
    /// Print the comparison as JSON
    #[arg(long)]
    json: bool,
}

/// Counts all cases and compares or records; `false` when a case got slower than allowed.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let tools = format!("{}, {}", rustc_version()?, valgrind_version()?);
    let path = root.join(RECORD);
    let record = read(&path, options.update)?;
    let muster = build_release(root)?;
    let mut now = BTreeMap::new();
    for case in CASES {
        eprintln!("counting {case}");
        now.insert(case.to_owned(), count(root, &muster, case)?);
    }
    if !record.instructions.is_empty() && record.tools != tools {
        eprintln!("note: recorded with {}; this is {tools}", record.tools);
    }
    let comparison = Comparison::new(&record, &now);
    if options.json {
        println!("{}", serde_json::to_string_pretty(&comparison)?);
    } else {
        print!("{}", comparison.table());
    }
    if options.update {
        write(&path, &Record { tools, instructions: now })?;
        eprintln!("recorded in {RECORD}");
        return Ok(true);
    }
    for line in comparison.advice() {
        eprintln!("{line}");
    }
    Ok(comparison.is_within())
}

fn count(root: &Path, muster: &Path, case: &str) -> Result<u64> {
    let folder = muster.parent().context("the executable has no folder")?;
    let details = folder.join(format!("callgrind.{case}.out"));
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", details.display()))
        .arg(format!("--toggle-collect={MEASURED_FUNCTION}"))
        .arg(muster)
        .args(["bench", "case", case])
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .context("cannot start valgrind")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("case {case} failed under valgrind ({}):\n{messages}", output.status);
    }
    callgrind::collected(&messages).with_context(|| format!("cannot count case {case}"))
}

fn valgrind_version() -> Result<String> {
    let output = Command::new("valgrind").arg("--version").output().map_err(|error| {
        anyhow::anyhow!("valgrind does not start: {error}\nhint: apt-get install valgrind")
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn rustc_version() -> Result<String> {
    let output =
        Command::new("rustc").arg("--version").output().context("cannot start rustc --version")?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// The record; an empty one when it is about to be written for the first time.
fn read(path: &Path, may_be_missing: bool) -> Result<Record> {
    if may_be_missing && !path.exists() {
        return Ok(Record::default());
    }
    let text = fs::read_to_string(path).map_err(|error| {
        anyhow::anyhow!(
            "cannot read {RECORD}: {error}\n\
             hint: `cargo xtask instructions --update` writes it"
        )
    })?;
    serde_json::from_str(&text).with_context(|| format!("cannot understand {RECORD}"))
}

fn write(path: &Path, record: &Record) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let text = serde_json::to_string_pretty(record)? + "\n";
    fs::write(path, text).with_context(|| format!("cannot write {RECORD}"))
}
