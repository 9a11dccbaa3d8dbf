//! What one submission asks for, as plain data: everything that was understood, checked.
//!
//! A request is read from three places, of which each counts more than the one before: the
//! directives of a script, the environment, the command line. Options that have no effect are kept
//! in it by name; what people should hear about comes back as notes.
//!
//! ```
//! use muster_slurm::{Command, Request};
//!
//! let words = ["-N2", "--gres=gpu:h100:8", "-t", "1-0", "--wckey=x"].map(str::to_owned);
//! let reading = Request::from_words(Command::Sbatch, words).expect("good options");
//! let allocation = reading.request.allocation().expect("options that go together");
//! assert_eq!(allocation.slices[0].slice.gpus, 8);
//! assert_eq!(reading.notes.len(), 1);
//! ```

mod allocation;
mod check;
mod gather;
mod job;
mod missing;
mod note;
mod parts;
mod print;
mod set;

pub use allocation::{Allocation, Slice, Slices, Unit};
pub use gather::Sources;
pub use job::{JobParts, Mapping};
pub use missing::Missing;
pub use note::Note;
pub use parts::{
    Client, Container, Gpu, Identity, Layout, MemoryRequest, Place, Recorded, Run, Size, Step, When,
};

use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::error::{Origin, Refusal, Refused};
use crate::options::{Arguments, Kind, Setting};

/// What one submission asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    /// The command it was given to.
    pub command: Command,
    /// Who and what it is.
    pub identity: Identity,
    /// How much it needs.
    pub size: Size,
    /// Where it may run.
    pub place: Place,
    /// When and for how long.
    pub when: When,
    /// How its program runs.
    pub run: Run,
    /// The container it runs in.
    pub container: Container,
    /// How its tasks sit on their nodes.
    pub layout: Layout,
    /// What concerns a step of `srun`.
    pub step: Step,
    /// How the command itself behaves.
    pub client: Client,
    /// Options without effect, in order, each once.
    pub recorded: Vec<Recorded>,
}

/// A request, and what people should know about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What is asked for.
    pub request: Request,
    /// What has no effect, and why.
    pub notes: Vec<Note>,
    /// The words behind the options: a script or a command with its own.
    pub rest: Vec<String>,
}

impl Request {
    /// Reads a request from everything there is; every mistake otherwise.
    pub fn read(command: Command, sources: Sources) -> Result<Reading, Vec<Refused>> {
        let mut reading = Reading::default();
        reading.request.command = command;
        let mut refused = Vec::new();
        let settings = sources.in_order(&mut reading, &mut refused);
        for setting in settings {
            let origin = setting.origin.clone();
            if let Err(why) = reading.take(setting) {
                refused.push(Refused::new(origin, why));
            }
        }
        if refused.is_empty() {
            let problems = check::problems(&reading.request).into_iter();
            refused.extend(problems.map(|why| Refused::new(Origin::Request, why)));
        }
        if refused.is_empty() { Ok(reading) } else { Err(refused) }
    }

    /// Reads a request from a command line alone.
    pub fn from_words(
        command: Command,
        words: impl IntoIterator<Item = String>,
    ) -> Result<Reading, Vec<Refused>> {
        let arguments = Arguments::read(command, words).map_err(|refused| vec![refused])?;
        Request::read(command, Sources { arguments, ..Sources::default() })
    }
}

impl Reading {
    fn take(&mut self, setting: Setting) -> Result<(), Refusal> {
        let Setting { row, value, origin } = setting;
        match row.kind {
            Kind::Placement | Kind::Behaviour => set::set(&mut self.request, row, value.as_deref()),
            Kind::Accepted(reason) => {
                let recorded = Recorded { option: row.name.to_owned(), value };
                let reason = reason.to_owned();
                self.notes.push(Note::Recorded { option: recorded.clone(), origin, reason });
                self.request.recorded.retain(|other| other.option != recorded.option);
                self.request.recorded.push(recorded);
                Ok(())
            }
            Kind::Unsupported(advice) => {
                Err(Refusal::Unsupported { option: row.written(), advice: advice.to_owned() })
            }
        }
    }
}

#[cfg(test)]
mod tests;
