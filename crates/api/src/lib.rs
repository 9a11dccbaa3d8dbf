//! What travels between people, servers and agents: job files, views, duties, reports.
//!
//! Types and their reading only; nothing here opens a socket. [`JobFile`] is what people write,
//! [`view`] what they read, [`duty`] what a node is asked to have, [`report`] what it answers.

pub mod answer;
pub mod at;
pub mod duty;
pub mod job_file;
pub mod join;
pub mod moment;
pub mod page;
pub mod problem;
pub mod program;
pub mod report;
pub mod request;
pub mod secret;
pub mod session;
pub mod settings;
pub mod signal;
pub mod slurm;
pub mod step;
pub mod token;
pub mod usage;
pub mod view;

pub use answer::{Accepted, Endpoint, GrantView, Identity, JobDetail};
pub use at::At;
pub use duty::{Directive, Duty, Gang, LogOrder, TaskDuty, Work};
pub use job_file::JobFile;
pub use join::{Authority, Fingerprint, JoinToken};
pub use moment::Moment;
pub use page::Page;
pub use problem::Problem;
pub use program::{Program, Runs, Save, SlurmRequest};
pub use report::{Report, Reports};
pub use request::{EndRequest, SignalRequest, Submission};
pub use secret::Secret;
pub use session::{Announce, Announced, Received};
pub use signal::Reach;
pub use slurm::{SlurmJobView, SlurmSettings, SlurmView};
pub use step::{StepDuty, StepReport, StepRequest, StepView};
pub use token::{TokenRequest, TokenView};
