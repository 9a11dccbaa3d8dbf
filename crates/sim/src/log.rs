//! The log of a run: every command with its time and what followed. Playing it again must give
//! the same bytes.

use muster_engine::Engine;
use muster_engine::action::Action;
use muster_engine::command::Command;
use muster_model::Time;
use serde::{Deserialize, Serialize};

use crate::error::SimError;

/// One step of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The time the engine was told.
    pub now: Time,
    /// What happened.
    pub command: Command,
    /// What followed.
    pub actions: Vec<Action>,
}

/// Anything of ours as JSON. Keys are in a fixed order, so equal values are equal bytes.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our types have only string keys")
}

/// Plays a log on an engine and compares, byte by byte, what follows from each command.
pub fn replay(engine: &mut Engine, log: &[Entry]) -> Result<(), SimError> {
    for (entry, step) in log.iter().enumerate() {
        let actions = engine.step(step.now, step.command.clone());
        let (was, is) = (json(&step.actions), json(&actions));
        if was != is {
            return Err(SimError::Diverged { entry, was, is });
        }
    }
    Ok(())
}
