//! A Python with packages of its registry, made once and kept.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Python that Debian's own packages belong to.
const DEBIAN: &str = "/usr/bin/python3";

/// An environment with what a list of packages names.
pub(crate) struct Python {
    folder: PathBuf,
}

impl Python {
    /// With the packages of a list beside this file; nothing where they cannot be had.
    pub(crate) fn with(list: &str) -> Option<Python> {
        Python::made(list, Command::new("python3").args(["-m", "venv", "--clear"]))
    }

    /// The same on top of Debian's torch: the registry's brings gigabytes of CUDA.
    pub(crate) fn with_torch(list: &str) -> Option<Python> {
        if !succeeds(Command::new(DEBIAN).args(["-c", "import torch"])) {
            eprintln!("not tried: this machine lacks Debian's python3-torch");
            return None;
        }
        let mut make = Command::new(DEBIAN);
        Python::made(list, make.args(["-m", "venv", "--clear", "--system-site-packages"]))
    }

    /// Where its programs are.
    pub(crate) fn programs(&self) -> PathBuf {
        self.folder.join("bin")
    }

    fn made(list: &str, make: &mut Command) -> Option<Python> {
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools").join(list);
        let wanted = std::fs::read_to_string(&packages).expect("the list is in the repository");
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
        // Several tests may want the same one at once.
        let turn = File::create(kept.join(format!("{list}.lock"))).expect("the folder is ours");
        turn.lock().expect("a file can be locked");
        let folder = kept.join(list.trim_end_matches(".txt"));
        let marker = folder.join("installed");
        let python = Python { folder };
        if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
            return Some(python);
        }
        let mut install = Command::new(python.programs().join("python"));
        // The lists are complete, so that nothing else can come along.
        install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--requirement"]);
        if !(succeeds(make.arg(&python.folder)) && succeeds(install.arg(&packages))) {
            eprintln!("not tried: the packages of {list} cannot be installed on this machine");
            return None;
        }
        std::fs::write(&marker, wanted).expect("the folder is ours");
        Some(python)
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
