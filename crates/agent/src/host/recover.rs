//! Finds the tasks that an earlier agent left: by the folders, and by the launchers that hold them.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use muster_engine::command::{Exit, Running};
use rustix::fs::{FlockOperation, flock};

use super::guard;
use crate::clock;
use crate::launch::folder::{Ended, Entry, Folder};
use crate::launch::{LaunchError, TaskFile};
use crate::mind::{Found, FoundStep, FoundTask, Heard};

/// How often and how long a launcher is waited for that has just begun: it has only to write one
/// file.
const LOOKS_MAX: u32 = 1000;
const LOOK: std::time::Duration = std::time::Duration::from_millis(5);

/// One folder, looked at.
struct Seen {
    task: TaskFile,
    ended: Option<Ended>,
    has_left: bool,
    heard: Heard,
}

/// What is found below the folder of all tasks. Folders of tasks that never came to be are removed.
pub(super) fn find(tasks: &Path) -> Result<Vec<Found>, LaunchError> {
    let failed = |cause| LaunchError::File { what: "list", path: tasks.to_owned(), cause };
    let mut attempts: BTreeMap<Running, Vec<Seen>> = BTreeMap::new();
    let mut steps: BTreeMap<(Running, u32), Vec<Seen>> = BTreeMap::new();
    for entry in std::fs::read_dir(tasks).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let task = name.to_str().and_then(Folder::parse).map(|(of, _)| (of, None));
        let step = name.to_str().and_then(Folder::parse_step);
        let Some((of, step)) = task.or(step.map(|(of, step, _)| (of, Some(step)))) else {
            continue;
        };
        let folder = Folder::at(entry.path());
        if folder.has(Entry::Done) {
            continue;
        }
        let Some(seen) = look(&folder)? else { continue };
        let seen_of = attempts.entry(of).or_default();
        match step {
            Some(step) => steps.entry((of, step)).or_default().push(seen),
            None => seen_of.push(seen),
        }
    }
    let mut all: Vec<Found> = attempts.into_iter().map(|(of, seen)| found(of, seen)).collect();
    for ((of, step), seen) in steps {
        let whole = all.iter_mut().find(|found| found.of == of).expect("noted with its steps");
        whole.steps.push(found_step(step, &seen));
    }
    Ok(all)
}

fn look(folder: &Folder) -> Result<Option<Seen>, LaunchError> {
    let path = folder.entry(Entry::Task);
    let (Ok(file), Ok(Some(task))) = (File::open(&path), folder.read::<TaskFile>(Entry::Task))
    else {
        // The agent fell while it made the folder.
        folder.remove()?;
        return Ok(None);
    };
    let heard = folder.read(Entry::Heard).ok().flatten().unwrap_or_default();
    let has_left = folder.has(Entry::Left);
    let mut ended: Option<Ended> = folder.read(Entry::Exit)?;
    if let Some(boot) = &task.held {
        // What was held in an earlier start of the machine went down with it.
        let is_lost = ended.is_none() && *boot != clock::boot_id();
        ended = ended.or(is_lost.then_some(Ended { exit: Exit::Stopped, at_ms: 0, took: None }));
    } else if ended.is_none() && is_free(folder, &file) {
        // Nobody watches it, and while we hold it nobody will begin to.
        if !folder.has(Entry::Launcher) {
            folder.remove()?;
            return Ok(None);
        }
        guard::settle(folder);
        ended = folder.read(Entry::Exit)?;
    }
    if let Some(ended) = ended.as_mut().filter(|_| folder.has(Entry::GivenUp)) {
        ended.exit = Exit::Stopped;
    }
    Ok(Some(Seen { task, ended, has_left, heard }))
}

/// Whether no launcher has the task. One that has it but has not yet said who it is soon will.
fn is_free(folder: &Folder, file: &File) -> bool {
    for _ in 0..LOOKS_MAX {
        if flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return true;
        }
        if folder.has(Entry::Launcher) {
            return false;
        }
        std::thread::sleep(LOOK);
    }
    tracing::error!("the launcher of {} does not say who it is", folder.path().display());
    false
}

fn found_step(step: u32, seen: &[Seen]) -> FoundStep {
    let tasks = seen.iter().map(|it| (it.task.rank, it.ended.map(|ended| ended.exit))).collect();
    let signal = seen.iter().map(|it| it.heard.signal).max().unwrap_or_default();
    FoundStep { step, tasks, signal }
}

fn found(of: Running, mut seen: Vec<Seen>) -> Found {
    let ranks: Vec<u32> = seen.iter().map(|seen| seen.task.rank).collect();
    let is_there = |rank: &u32| ranks.contains(rank);
    let is_whole = seen.iter().any(|it| it.task.is_growth)
        || seen.iter().all(|it| it.task.together.iter().all(is_there));
    let heard = seen.iter().fold(Heard::default(), |most, it| Heard {
        pause: most.pause.max(it.heard.pause),
        signal: most.signal.max(it.heard.signal),
    });
    // Who failed first is why the others did.
    seen.sort_by_key(|it| it.ended.map_or(u64::MAX, |ended| ended.at_ms));
    let staying = seen.iter().filter(|it| !it.has_left);
    let tasks = staying.map(|it| FoundTask {
        rank: it.task.rank,
        place: it.task.place,
        is_held: it.task.held.is_some(),
        exit: it.ended.map(|ended| ended.exit),
    });
    Found { of, tasks: tasks.collect(), is_whole, heard, steps: Vec::new() }
}
