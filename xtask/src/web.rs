//! The dashboard's sources: fetches what they need, builds them when they changed, checks them.
//! Everything that npm makes stays in `web/node_modules` and `web/dist`, which git does not see.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The oldest Node that the tools of the dashboard run on.
const NODE_MAJOR_MIN: u32 = 20;

const GET_NODE: &str = "hint: install Node 20 or newer from nodejs.org or your distribution; \
                        everything but the dashboard works without it";

/// What a build depends on, below `web/`.
const SOURCES: [&str; 6] =
    ["index.html", "package.json", "package-lock.json", "public", "src", "vite.config.ts"];

/// Builds the dashboard where its sources changed since the last time.
pub(crate) fn build(root: &Path) -> Result<()> {
    let web = root.join("web");
    install(&web)?;
    let built = web.join("node_modules/.built");
    let now = fingerprint(&web, &SOURCES)?;
    if web.join("dist/index.html").exists() && is_same(&built, &now) {
        return Ok(());
    }
    eprintln!("building the dashboard");
    run(&web, &["run", "--silent", "build"]).context("the dashboard does not build")?;
    fs::write(&built, now).context("cannot note what was built")
}

/// Types, lints and unit tests of the dashboard, and its build.
pub(crate) fn check(root: &Path) -> Result<bool> {
    build(root)?;
    let web = root.join("web");
    Ok(run(&web, &["run", "--silent", "check"]).map_err(|error| eprintln!("{error}")).is_ok())
}

/// Fetches the packages where the lock changed since the last time.
fn install(web: &Path) -> Result<()> {
    if let Some(wrong) = node_problem(version().as_deref()) {
        bail!("{wrong}\n{GET_NODE}");
    }
    let installed = web.join("node_modules/.installed");
    let now = fingerprint(web, &["package-lock.json"])?;
    if is_same(&installed, &now) {
        return Ok(());
    }
    eprintln!("fetching what the dashboard is built with");
    run(web, &["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .context("cannot fetch the dashboard's packages")?;
    fs::write(&installed, now).context("cannot note what was installed")
}

fn version() -> Option<String> {
    let output = Command::new("node").arg("--version").stderr(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// What is wrong with the Node that is there, by what it says of itself.
fn node_problem(version: Option<&str>) -> Option<String> {
    let Some(version) = version else {
        return Some("the dashboard needs Node, and there is none".to_owned());
    };
    let major: Option<u32> =
        version.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    match major {
        Some(major) if major >= NODE_MAJOR_MIN => None,
        _ => {
            Some(format!("the dashboard needs Node {NODE_MAJOR_MIN} or newer, this is `{version}`"))
        }
    }
}

fn run(web: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("npm")
        .args(arguments)
        .current_dir(web)
        .status()
        .context("cannot start npm, which comes with Node")?;
    if !status.success() {
        bail!("`npm {}` failed in web/", arguments.join(" "));
    }
    Ok(())
}

fn is_same(stamp: &Path, now: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|before| before == now)
}

/// A text that changes with the names and the content of these files and folders. It is only
/// compared with one made by the same program, so any hash will do.
fn fingerprint(web: &Path, names: &[&str]) -> Result<String> {
    let mut files = Vec::new();
    for name in names {
        collect(&web.join(name), &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        file.strip_prefix(web).unwrap_or(&file).hash(&mut hasher);
        text.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        let entries =
            fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))?;
        for entry in entries {
            collect(&entry?.path(), files)?;
        }
    } else if path.extension() != Some(OsStr::new("md")) {
        files.push(path.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_node_that_is_new_enough_will_do() {
        assert_eq!(node_problem(Some("v20.20.2")), None);
        assert_eq!(node_problem(Some("v24.1.0")), None);
        let old = node_problem(Some("v18.19.0")).expect("it is too old");
        assert!(old.contains("v18.19.0"), "{old}");
        assert!(node_problem(None).is_some());
        assert!(node_problem(Some("")).is_some());
    }

    #[test]
    fn a_fingerprint_changes_with_names_and_content() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let one = fingerprint(&folder, &["main.rs"]).expect("it is there");
        assert_eq!(one, fingerprint(&folder, &["main.rs"]).expect("it is there"));
        assert_ne!(one, fingerprint(&folder, &["web.rs"]).expect("it is there"));
        assert!(fingerprint(&folder, &["missing.rs"]).is_err());
    }
}
