//! Files of the server that are for nobody else, such as keys.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Copies and backups may have opened a key to others.
pub(crate) fn close(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    match mode & 0o077 {
        0 => Ok(()),
        _ => fs::set_permissions(path, fs::Permissions::from_mode(0o600)),
    }
}

/// Writes a file whole or not at all.
pub(crate) fn keep(path: &Path, text: &[u8], mode: u32) -> io::Result<()> {
    let fresh = path.with_extension("new");
    // What a start that was cut short left may have another mode.
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(&fresh)?;
    file.write_all(text)?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::File::open(folder)?.sync_all()
}
