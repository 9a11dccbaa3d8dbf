//! The commands for people as a shell meets them: what they send, print and exit with. The server
//! is made up for each test.

#[path = "cli/examples.rs"]
mod examples;
#[path = "cli/fake.rs"]
mod fake;
#[path = "cli/lists.rs"]
mod lists;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/shell.rs"]
mod shell;
#[path = "cli/submit.rs"]
mod submit;
