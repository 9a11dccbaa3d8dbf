//! The scripts among files and in folders.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use muster_api::job_file::JOB_FILE_MAX;

/// Folders in folders deeper than this are not looked into.
const DEPTH_MAX: usize = 16;

/// More scripts than this are not looked at, which is told.
const SCRIPTS_MAX: usize = 100_000;

/// A file that is named is a script; in folders, one that names an interpreter and has directives.
pub(super) fn scripts(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            look_into(path, 0, &mut found)?;
        } else {
            let bytes =
                fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            found.push((path.clone(), bytes));
        }
    }
    Ok(found)
}

fn look_into(folder: &Path, depth: usize, found: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        // Links may lead in circles.
        let Ok(kind) = fs::symlink_metadata(&path) else { continue };
        if kind.is_dir() && depth < DEPTH_MAX {
            look_into(&path, depth + 1, found)?;
        }
        let is_small = usize::try_from(kind.len()).is_ok_and(|length| length <= JOB_FILE_MAX);
        if !kind.is_file() || !is_small {
            continue;
        }
        let Ok(bytes) = fs::read(&path) else { continue };
        if is_script(&bytes) {
            found.push((path, bytes));
        }
        if found.len() > SCRIPTS_MAX {
            bail!("there are more than {SCRIPTS_MAX} scripts\nhint: look at one folder at a time");
        }
    }
    Ok(())
}

fn is_script(bytes: &[u8]) -> bool {
    let directive = b"\n#SBATCH";
    bytes.starts_with(b"#!") && bytes.windows(directive.len()).any(|window| window == directive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_for_scripts_with_directives() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/a.sh"), "#!/bin/sh\n#SBATCH -N 1\n").unwrap();
        fs::write(folder.path().join("plain.sh"), "#!/bin/sh\ntrue\n").unwrap();
        fs::write(folder.path().join("notes.txt"), "\n#SBATCH\n").unwrap();
        let found = scripts(&[folder.path().to_owned()]).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].0.ends_with("deep/a.sh"));
        let named = scripts(&[folder.path().join("plain.sh")]).unwrap();
        assert_eq!(named.len(), 1, "what is named is looked at");
        assert!(scripts(&[folder.path().join("none")]).is_err());
    }
}
