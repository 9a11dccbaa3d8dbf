//! Follows tasks to their ends, those of jobs and those of steps.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use muster_engine::command::{Exit, Running};
use tokio::sync::mpsc;

use super::guard;
use crate::launch::folder::{Entry, Folder};
use crate::mind::Happening;

/// How often it is looked whether programs have saved.
const LOOK_FOR_SAVED: Duration = Duration::from_millis(100);

/// A task of a job, or of one of its steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) of: Running,
    pub(super) step: Option<u32>,
    pub(super) rank: u32,
}

impl Place {
    pub(super) fn folder(self, tasks: &Path) -> Folder {
        match self.step {
            Some(step) => Folder::of_step(tasks, self.of, step, self.rank),
            None => Folder::of(tasks, self.of, self.rank),
        }
    }

    fn ended(self, exit: Exit) -> Happening {
        let Place { of, step, rank } = self;
        match step {
            Some(step) => Happening::StepEnded { of, step, rank, exit, detail: String::new() },
            None => Happening::Ended { of, rank, exit },
        }
    }
}

/// Follows a task to its end, and tells whenever its program says that it has saved.
pub(super) async fn attend(
    place: Place,
    folder: Folder,
    child: Option<std::process::Child>,
    happenings: mpsc::Sender<Happening>,
) {
    let saved = folder.entry(Entry::Run).join("saved");
    let when = |path: &PathBuf| -> Option<SystemTime> {
        std::fs::symlink_metadata(path).and_then(|found| found.modified()).ok()
    };
    let mut before = when(&saved);
    let ended = guard::wait(folder, child);
    tokio::pin!(ended);
    let exit = loop {
        tokio::select! {
            exit = &mut ended => break exit,
            () = tokio::time::sleep(LOOK_FOR_SAVED) => {}
        }
        let now = when(&saved);
        if now.is_some() && now != before {
            before = now;
            let _ = happenings.send(Happening::Saved { of: place.of }).await;
        }
    };
    if when(&saved).is_some_and(|now| Some(now) != before) {
        let _ = happenings.send(Happening::Saved { of: place.of }).await;
    }
    let _ = happenings.send(place.ended(exit)).await;
}
