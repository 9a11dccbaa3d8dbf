//! Launches the tasks of a step.

use std::sync::Arc;

use muster_api::duty::RunWork;
use muster_api::step::{StepDuty, StepTask};
use muster_engine::command::{Exit, Running};
use tokio::sync::mpsc;

use super::attend::{Place, attend};
use super::real::Shared;
use super::start;
use crate::compose::step::AskedStep;
use crate::launch::Refused;
use crate::launch::folder::Entry;
use crate::mind::Happening;

/// How a task of a step is said to have ended that could not be started.
const NOT_STARTED: Exit = Exit::Code(2);

/// Launches tasks of one step, one after the other; after one that cannot be, no other is.
pub(super) async fn launch(
    shared: Arc<Shared>,
    happenings: mpsc::Sender<Happening>,
    of: Running,
    run: Arc<RunWork>,
    duty: Arc<StepDuty>,
    tasks: Vec<StepTask>,
) {
    let step = duty.step;
    let mut refused: Option<Refused> = None;
    for task in tasks {
        let place = Place { of, step: Some(step), rank: task.rank };
        let folder = place.folder(&shared.tasks);
        let launched = match refused.clone() {
            Some(refused) => Err(refused),
            None => {
                let (shared, run, duty) = (shared.clone(), run.clone(), duty.clone());
                let folder = folder.clone();
                let launch = move || {
                    let account = run.program.account.as_ref().map(|it| it.name.as_str());
                    let person = shared.accounts.find(account)?;
                    let own = folder.entry(Entry::Run);
                    let (run, duty) = (&*run, &*duty);
                    let (folder_of, person) = (&*own, &person);
                    let asked = AskedStep { of, run, duty, task: &task, folder: folder_of, person };
                    start::start_step(&shared, &folder, asked)
                };
                let launched = tokio::task::spawn_blocking(launch).await;
                launched.unwrap_or_else(|error| {
                    Err(Refused::node("launch-failed", format!("the agent failed: {error}")))
                })
            }
        };
        let rank = task.rank;
        match launched {
            Ok(child) => {
                // The word that it runs must come before the word that it has ended.
                let _ = happenings.send(Happening::StepLaunched { of, step, rank }).await;
                tokio::spawn(attend(place, folder, Some(child), happenings.clone()));
            }
            Err(refusal) => {
                let (exit, detail) = (NOT_STARTED, refusal.detail.clone());
                refused = Some(refusal);
                let ended = Happening::StepEnded { of, step, rank, exit, detail };
                let _ = happenings.send(ended).await;
            }
        }
    }
}
