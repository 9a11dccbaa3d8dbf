//! Making and opening files: atomically when new, private to their owner, with the settings that
//! durability needs. What is in them is left to their schema.

use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use super::failed;
use super::schema::Schema;
use crate::error::{Result, StoreError};

/// How long a connection waits for another process, say a backup, before it gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How far the log may grow before a commit copies it into the file by itself, in pages of 4 KiB.
/// It is a backstop: a checkpointer on its own thread normally comes first.
const CHECKPOINT_PAGES: i64 = 16_384;

/// The log is cut to this size when it starts anew after having grown larger.
const LOG_BYTES_KEPT: i64 = 64 << 20;

/// Statements a connection keeps prepared. More than there are in this crate.
const STATEMENTS_KEPT: usize = 64;

/// What a commit waits for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sync {
    /// The disk.
    Full,
    /// Nothing: a power failure may take the last commits, never the order of commits.
    Normal,
}

/// Opens the file for writing; makes it if it is not there, and brings its layout up to date.
pub(super) fn open(path: &Path, schema: &Schema, sync: Sync) -> Result<Connection> {
    if !path.try_exists().map_err(file_failed("look for", path))? {
        create(path, schema)?;
    }
    refuse_empty(path, schema)?;
    let mut connection =
        Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE))
            .map_err(failed("open the store"))?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed("set up the store"))?;
    let version = schema.identify(&connection, path)?;
    set_up(&connection, sync).map_err(super::failed_on("set up the store", path, schema.remedy))?;
    schema.migrate(&mut connection, version)?;
    Ok(connection)
}

/// Opens a further connection that cannot write.
pub(super) fn open_read_only(path: &Path, schema: &Schema) -> Result<Connection> {
    if !path.try_exists().map_err(file_failed("look for", path))? {
        return Err(StoreError::NotThere { path: path.to_owned() });
    }
    refuse_empty(path, schema)?;
    let connection = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY))
        .map_err(failed("open the store"))?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed("set up the store"))?;
    let version = schema.identify(&connection, path)?;
    if version < schema.version() {
        return Err(StoreError::Older {
            path: path.to_owned(),
            found: version,
            known: schema.version(),
        });
    }
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(connection)
}

/// Makes the file under another name and renames it when it is whole: a file of ours that is there
/// is never half made, so an empty one was emptied by somebody.
fn create(path: &Path, schema: &Schema) -> Result<()> {
    let unfinished = path.with_extension("new");
    for leftover in
        [unfinished.clone(), with_suffix(&unfinished, "-wal"), with_suffix(&unfinished, "-shm")]
    {
        match fs::remove_file(&leftover) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(file_failed("remove", &leftover)(source));
            }
            _ => {}
        }
    }
    create_private(&unfinished)?;
    let failed = failed("make the store");
    let mut connection =
        Connection::open_with_flags(&unfinished, flags(OpenFlags::SQLITE_OPEN_READ_WRITE))
            .map_err(&failed)?;
    // Before the first table, or it has no effect: lets freed pages go back to the file system.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(&failed)?;
    connection.pragma_update(None, "application_id", schema.application_id).map_err(&failed)?;
    set_up(&connection, Sync::Full).map_err(&failed)?;
    schema.migrate(&mut connection, 0)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    let made = File::open(&unfinished).and_then(|file| file.sync_all());
    made.map_err(file_failed("sync", &unfinished))?;
    fs::rename(&unfinished, path).map_err(file_failed("rename", &unfinished))?;
    let folder = path.parent().expect("a store has a directory");
    File::open(folder).and_then(|file| file.sync_all()).map_err(file_failed("sync", folder))
}

/// What is in a store is for its owner only: SQLite gives its other files the same mode.
fn create_private(path: &Path) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(file_failed("make", path))
}

fn refuse_empty(path: &Path, schema: &Schema) -> Result<()> {
    let bytes = fs::metadata(path).map_err(file_failed("look at", path))?.len();
    if bytes > 0 {
        return Ok(());
    }
    let detail = "the file is empty".to_owned();
    Err(StoreError::Malformed { path: path.to_owned(), detail, remedy: schema.remedy })
}

fn set_up(connection: &Connection, sync: Sync) -> rusqlite::Result<()> {
    let sync = match sync {
        Sync::Full => "FULL",
        Sync::Normal => "NORMAL",
    };
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", sync)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(())
}

/// A connection is used by one thread at a time, which Rust sees to.
fn flags(access: OpenFlags) -> OpenFlags {
    access | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn with_suffix(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Names the file with which the operating system could not do something.
pub(super) fn file_failed(
    act: &'static str,
    path: &Path,
) -> impl Fn(io::Error) -> StoreError + use<> {
    let path = path.to_owned();
    move |source| StoreError::File { act, path: path.clone(), source }
}
