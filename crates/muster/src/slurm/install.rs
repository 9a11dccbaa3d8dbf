//! `muster slurm install`: links by the names of Slurm's commands.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::COMMANDS;
use crate::cli::print;

/// Make links to this program by the names of Slurm's commands
///
/// What is there and is not such a link stays, and nothing is made then.
#[derive(Debug, Args)]
#[command(after_help = "Example: muster slurm install ~/bin && export PATH=~/bin:$PATH")]
pub(crate) struct Install {
    /// The folder for the links; it is made where there is none
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Install {
    pub(crate) fn run(&self) -> Result<()> {
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        let made = links(&self.folder, &program)?;
        for path in &made {
            print::text(&format!("{}\n", path.display()))?;
        }
        let kept = COMMANDS.len() - made.len();
        let also = if kept > 0 { format!(", {kept} were there") } else { String::new() };
        eprintln!("{} links to {} made{also}", made.len(), program.display());
        Ok(())
    }
}

/// Makes the links that are missing or lead elsewhere; those that were made.
fn links(folder: &Path, program: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut missing = Vec::new();
    for command in COMMANDS {
        let path = folder.join(command);
        match fs::read_link(&path) {
            Ok(target) if target == program => {}
            // A link to another place of ours, from before an update.
            Ok(target) if target.file_name() == program.file_name() => missing.push(path),
            Err(error) if error.kind() == ErrorKind::NotFound => missing.push(path),
            _ => bail!(
                "{} is there and is not a link of ours\nhint: choose another folder, or move it \
                 away",
                path.display()
            ),
        }
    }
    for path in &missing {
        if fs::symlink_metadata(path).is_ok() {
            fs::remove_file(path).with_context(|| format!("cannot replace {}", path.display()))?;
        }
        symlink(program, path).with_context(|| format!("cannot make {}", path.display()))?;
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_made_once_and_nothing_else_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (bin, program) = (folder.path().join("bin"), folder.path().join("muster"));
        assert_eq!(links(&bin, &program).unwrap().len(), COMMANDS.len());
        assert_eq!(links(&bin, &program).unwrap(), Vec::<PathBuf>::new());
        assert_eq!(fs::read_link(bin.join("sbatch")).unwrap(), program);
        let moved = folder.path().join("other").join("muster");
        assert_eq!(links(&bin, &moved).unwrap().len(), COMMANDS.len(), "an update moves them");
        fs::remove_file(bin.join("squeue")).unwrap();
        fs::write(bin.join("squeue"), "theirs").unwrap();
        let refused = links(&bin, &program).expect_err("it is not ours").to_string();
        assert!(refused.contains("squeue is there and is not a link of ours"), "{refused}");
        assert_eq!(fs::read_link(bin.join("sbatch")).unwrap(), moved, "nothing was made");
    }
}
