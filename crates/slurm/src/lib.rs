//! The language of Slurm: what people write for it and what it prints, without doing anything.
//!
//! ```
//! use muster_slurm::options::Arguments;
//! use muster_slurm::request::Sources;
//! use muster_slurm::script::Script;
//! use muster_slurm::{Command, Request, environment};
//!
//! let arguments = ["--time=2:00:00", "train.sh"].map(str::to_owned);
//! let arguments = Arguments::read(Command::Sbatch, arguments).expect("good words");
//! assert_eq!(arguments.rest, ["train.sh"]);
//!
//! let script = b"#!/bin/bash\n#SBATCH --nodes=2 --gres=gpu:8 --wckey=x\nsrun python train.py\n";
//! let script = Script::read(script).expect("a good script");
//! let environment = environment::settings(Command::Sbatch, |_name| None);
//! let sources = Sources { arguments, environment, script: Some(script) };
//! let reading = Request::read(Command::Sbatch, sources).expect("nothing to refuse");
//!
//! assert_eq!(reading.request.allocation().expect("it adds up").gpus(), 16);
//! assert_eq!(
//!     reading.notes[0].to_string(),
//!     "line 2: --wckey has no effect: it is kept with the job"
//! );
//! ```

pub mod command;
pub mod environment;
pub mod error;
pub mod import;
pub mod options;
pub mod report;
pub mod request;
pub mod script;
pub mod tool;
pub mod values;
pub mod variables;
pub mod words;

pub use command::{Command, Commands};
pub use error::{Origin, Refusal, Refused};
pub use request::{Reading, Request};
