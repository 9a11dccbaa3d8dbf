//! What ended tasks leave behind is kept for whoever wants to read it, within a bound.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::launch::folder::{Entry, Folder};

/// The most folders of ended tasks: beyond this, listing them is what costs.
const FOLDERS_MAX: usize = 20_000;

/// Removes the oldest folders of tasks whose end was heard until the rest is within the bound.
pub(super) fn trim(tasks: &Path, most_bytes: u64) {
    let Ok(entries) = fs::read_dir(tasks) else { return };
    let folders = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut done: Vec<(SystemTime, u64, PathBuf)> =
        folders.filter_map(|path| look(&path)).collect();
    done.sort();
    let mut bytes: u64 = done.iter().map(|(_, bytes, _)| bytes).sum();
    let mut count = done.len();
    for (_, size, path) in done {
        if bytes <= most_bytes && count <= FOLDERS_MAX {
            return;
        }
        match Folder::at(path).remove() {
            Ok(()) => (bytes, count) = (bytes - size, count - 1),
            Err(error) => tracing::warn!("{error}"),
        }
    }
}

/// When a task whose end was heard was done with, and how much it takes.
fn look(path: &Path) -> Option<(SystemTime, u64, PathBuf)> {
    let folder = Folder::at(path);
    let done = fs::metadata(folder.entry(Entry::Done)).ok()?.modified().ok()?;
    let size = |path: PathBuf| fs::metadata(path).map_or(0, |it| it.len());
    let own = fs::read_dir(folder.entry(Entry::Run)).into_iter().flatten();
    let own: u64 = own.filter_map(Result::ok).map(|entry| size(entry.path())).sum();
    Some((done, size(folder.entry(Entry::Output)) + own, path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::trim;
    use crate::launch::folder::{Entry, Folder};

    #[test]
    fn the_oldest_output_goes_first_and_what_is_not_done_stays() {
        let tasks = tempfile::tempdir().unwrap();
        let make = |name: &str, age: u64, is_done: bool| {
            let folder = Folder::at(tasks.path().join(name));
            folder.create().unwrap();
            std::fs::write(folder.entry(Entry::Output), vec![b'x'; 1000]).unwrap();
            if is_done {
                folder.mark(Entry::Done).unwrap();
                let done = std::fs::File::options().write(true).open(folder.entry(Entry::Done));
                let then = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
                done.unwrap().set_modified(then).unwrap();
            }
            folder
        };
        let running = make("1.1.0", 0, false);
        let old = make("2.1.0", 100, true);
        let new = make("3.1.0", 10, true);
        trim(tasks.path(), 2000);
        assert!(old.path().exists(), "2000 bytes are within the bound");
        trim(tasks.path(), 1500);
        assert!(!old.path().exists());
        assert!(new.path().exists() && running.path().exists());
    }
}
