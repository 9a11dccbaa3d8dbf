//! The language of Slurm: what people write for it and what it prints, without doing anything.

pub mod command;
pub mod environment;
pub mod error;
pub mod options;
pub mod request;
pub mod script;
pub mod values;
pub mod words;

pub use command::{Command, Commands};
pub use error::{Origin, Refusal, Refused};
pub use request::{Reading, Request};
