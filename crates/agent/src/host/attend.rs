//! Follows tasks to their ends, those of jobs and those of steps.

use std::path::Path;
use std::time::Duration;

use muster_engine::command::{Exit, Running};
use tokio::sync::mpsc;

use super::guard;
use super::words::Words;
use crate::launch::TaskFile;
use crate::launch::folder::{Ended, Entry, Folder};
use crate::mind::Happening;

/// How often it is looked whether programs have said something.
const LOOK_FOR_WORDS: Duration = Duration::from_millis(100);

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

    /// What a task took that has ended, if anybody is told: the tasks of steps, and those that came
    /// by Slurm's commands.
    fn took(self, folder: &Folder) -> Option<Happening> {
        let Place { of, step, rank } = self;
        let ended: Ended = folder.read(Entry::Exit).ok().flatten()?;
        let task: TaskFile = folder.read(Entry::Task).ok().flatten()?;
        let took = ended.took.filter(|_| step.is_some() || task.called.is_some())?;
        Some(Happening::Took { of, step, rank, took })
    }

    fn ended(self, exit: Exit) -> Happening {
        let Place { of, step, rank } = self;
        match step {
            Some(step) => Happening::StepEnded { of, step, rank, exit, detail: String::new() },
            None => Happening::Ended { of, rank, exit },
        }
    }
}

/// Follows a task to its end, and passes on what its program says.
pub(super) async fn attend(
    place: Place,
    folder: Folder,
    child: Option<std::process::Child>,
    happenings: mpsc::Sender<Happening>,
) {
    let Place { of, rank, .. } = place;
    let mut words = Words::new(of, rank, &folder.entry(Entry::Run), child.is_none());
    let measured = folder.clone();
    let ended = guard::wait(folder, child);
    tokio::pin!(ended);
    let exit = loop {
        tokio::select! {
            exit = &mut ended => break exit,
            () = tokio::time::sleep(LOOK_FOR_WORDS) => {}
        }
        for word in words.hear() {
            let _ = happenings.send(word).await;
        }
    };
    // What was said with the last breath counts, and comes before the end.
    for word in words.hear() {
        let _ = happenings.send(word).await;
    }
    if let Some(took) = place.took(&measured) {
        let _ = happenings.send(took).await;
    }
    let _ = happenings.send(place.ended(exit)).await;
}
