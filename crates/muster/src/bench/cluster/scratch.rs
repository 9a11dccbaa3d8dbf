//! A folder that goes with who made it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};

/// A fresh folder.
#[derive(Debug)]
pub(in super::super) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes one below another folder, on whose disk the measurement then is.
    pub(in super::super) fn below(parent: &Path) -> Result<Scratch> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("muster-bench-{}-{number}", std::process::id()));
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::create_dir(&path))
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        Ok(Scratch { path })
    }

    pub(in super::super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
