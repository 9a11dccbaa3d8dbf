//! Builds the release binary and says where it lies. Cargo is asked rather than guessed at: the
//! target folder may be anywhere.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::cargo;

/// The package and the binary share this name.
const PACKAGE: &str = "muster";

/// Builds `muster` with the release profile and returns the path of the executable.
pub(crate) fn build_release(root: &Path) -> Result<PathBuf> {
    build(root, &["--release"])
}

/// The same with the profile of tests, which is built anyway while one works on it.
pub(crate) fn build_debug(root: &Path) -> Result<PathBuf> {
    build(root, &[])
}

fn build(root: &Path, profile: &[&str]) -> Result<PathBuf> {
    let output = cargo()
        .args(["build", "--locked", "--package", PACKAGE])
        .args(profile)
        .arg("--message-format=json-render-diagnostics")
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo build")?;
    if !output.status.success() {
        bail!("the build of {PACKAGE} failed\nhint: the compiler's messages are above");
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    executable(&messages).with_context(|| format!("cargo built {PACKAGE} but named no executable"))
}

/// One line of cargo's messages, as far as we look at it.
#[derive(Debug, Deserialize)]
struct Message {
    executable: Option<PathBuf>,
    target: Option<Target>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
}

fn executable(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Message>(line).ok())
        .filter(|message| message.target.as_ref().is_some_and(|target| target.name == PACKAGE))
        .find_map(|message| message.executable)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::executable;

    #[test]
    fn the_executable_is_the_one_of_our_binary() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"serde"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"other"},"executable":"out/other"}
not json
{"reason":"compiler-artifact","target":{"name":"muster"},"executable":"out/muster"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages), Some(PathBuf::from("out/muster")));
    }

    #[test]
    fn a_build_without_our_binary_has_no_executable() {
        let messages = r#"{"target":{"name":"muster"},"executable":null}"#;
        assert_eq!(executable(messages), None);
    }
}
