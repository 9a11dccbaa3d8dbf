//! The files the rules look at: those git tracks or would track. Reading happens here once; the
//! rules see text. Without git, or outside a work tree, the folders are walked instead.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::rust::{self, RustFile};

/// Files larger than this are data, not text anybody wrote; the rules do not look inside.
const TEXT_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Folders a walk without git leaves out: history and build outputs.
const SKIPPED_FOLDERS: [&str; 3] = [".git", "target", "node_modules"];

/// All files below the root by their path with forward slashes.
#[derive(Debug)]
pub(crate) struct Tree {
    files: BTreeMap<String, Option<String>>,
    rust: Vec<RustFile>,
}

impl Tree {
    /// Reads the tree below `root`.
    pub(crate) fn read(root: &Path) -> Result<Tree> {
        let paths = match tracked(root) {
            Some(paths) => paths,
            None => walked(root)?,
        };
        let mut files = BTreeMap::new();
        for path in paths {
            let full = root.join(&path);
            // A file that git still tracks may be gone from the disk: no concern of ours then.
            if full.is_file() {
                files.insert(path, text(&full)?);
            }
        }
        let texts = files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)));
        let rust = rust::read(texts.filter(|(path, _)| path.ends_with(".rs")));
        Ok(Tree { files, rust })
    }

    /// Every path, in order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Every text file with its path, in order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// The text of one file, if it is there and is text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Whether a file of this path is in the tree.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether some file lies below this folder; the root is the empty path.
    pub(crate) fn has_folder(&self, folder: &str) -> bool {
        folder.is_empty() || self.paths().any(|path| is_below(path, folder))
    }

    /// Every Rust source file, in order.
    pub(crate) fn rust(&self) -> &[RustFile] {
        &self.rust
    }
}

/// Whether the path lies somewhere below the folder.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The folder a path lies in; empty for the root.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What git tracks or would track, or nothing where git cannot say.
fn tracked(root: &Path) -> Option<BTreeSet<String>> {
    // Trust git only when `root` is the top: inside another work tree it may be ignored.
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    let top = fs::canonicalize(top.trim_end()).ok()?;
    if top != fs::canonicalize(root).ok()? {
        return None;
    }
    let list = git(root, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    Some(list.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    if !output.status.success() {
        return None;
    }
    String::from_utf8(output.stdout).ok()
}

fn walked(root: &Path) -> Result<BTreeSet<String>> {
    let mut paths = BTreeSet::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let full = root.join(&folder);
        let entries =
            fs::read_dir(&full).with_context(|| format!("cannot list {}", full.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", full.display()))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let kind = entry.file_type().with_context(|| format!("cannot look at {path}"))?;
            if kind.is_file() {
                paths.insert(path);
            } else if kind.is_dir() && !SKIPPED_FOLDERS.contains(&name.as_str()) {
                folders.push(path);
            }
        }
    }
    Ok(paths)
}

/// The text of a file, or nothing when it is too large or is not text.
fn text(path: &Path) -> Result<Option<String>> {
    let say = || format!("cannot read {}", path.display());
    if fs::metadata(path).with_context(say)?.len() > TEXT_BYTES_MAX {
        return Ok(None);
    }
    Ok(String::from_utf8(fs::read(path).with_context(say)?).ok())
}
