//! The script: a file, standard input, or a command that is given with `--wrap`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use muster_api::job_file::JOB_FILE_MAX;
use muster_slurm::options::Arguments;
use muster_slurm::script;

use super::{NAME, all_refused};
use crate::cli::person::Person;
use crate::slurm::Stop;

/// A script and where it came from.
pub(in crate::slurm) struct Script {
    /// Its text.
    pub(in crate::slurm) bytes: Vec<u8>,
    /// Its file, where it has one.
    pub(in crate::slurm) path: Option<PathBuf>,
    /// What a job is called that has no other name.
    pub(in crate::slurm) name: String,
    /// Whether it was made of a command.
    is_wrapped: bool,
}

impl Script {
    /// No script, for jobs that only hold their places.
    pub(in crate::slurm) fn none(name: &str) -> Script {
        Script { bytes: Vec::new(), path: None, name: name.to_owned(), is_wrapped: false }
    }

    pub(super) fn find(arguments: &Arguments, person: &Person) -> Result<Script, Stop> {
        let wrap = arguments.settings.iter().rev().find(|setting| setting.row.name == "wrap");
        if let Some(command) = wrap.and_then(|setting| setting.value.as_deref()) {
            if !arguments.rest.is_empty() {
                return Err(Stop::error(NAME, "Script arguments not permitted with --wrap option"));
            }
            let head = "#!/bin/sh\n# This script was created by sbatch --wrap.\n\n";
            let bytes = format!("{head}{command}\n").into_bytes();
            return Ok(Script { bytes, path: None, name: "wrap".to_owned(), is_wrapped: true });
        }
        match arguments.rest.first().map(String::as_str) {
            None | Some("-") => {
                let bytes = read(io::stdin().lock()).map_err(|error| {
                    Stop::error(NAME, format!("cannot read the script: {error}"))
                })?;
                Ok(Script { bytes, path: None, name: NAME.to_owned(), is_wrapped: false })
            }
            Some(name) => Script::open(&located(name, person)),
        }
    }

    pub(in crate::slurm) fn open(path: &Path) -> Result<Script, Stop> {
        let unable = || Stop::error(NAME, format!("Unable to open file {}", path.display()));
        let file = File::open(path).map_err(|_| unable())?;
        let bytes = read(file).map_err(|_| unable())?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| NAME.to_owned());
        Ok(Script { bytes, path: Some(path.to_owned()), name, is_wrapped: false })
    }

    /// What it says to `sbatch`.
    pub(super) fn directives(&self) -> Result<Option<script::Script>, Stop> {
        if self.is_wrapped {
            return Ok(None);
        }
        script::Script::read(&self.bytes).map(Some).map_err(|refused| all_refused(&refused))
    }
}

/// One byte more than is allowed is enough to be refused.
fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let most = u64::try_from(JOB_FILE_MAX).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A name without a folder is looked for here first, and then where programs are.
fn located(name: &str, person: &Person) -> PathBuf {
    let here = Path::new(&person.directory).join(name);
    if name.contains('/') || here.exists() {
        return here;
    }
    let path = person.environment.get("PATH").map(String::as_str).unwrap_or_default();
    let found = path.split(':').map(|folder| Path::new(folder).join(name)).find(|it| it.exists());
    found.unwrap_or_else(|| PathBuf::from(name))
}
