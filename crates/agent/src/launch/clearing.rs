//! Clears away what a task leaves outside its own processes when it is ended by force: a container
//! that its runtime still keeps.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use muster_engine::command::Exit;

use super::TaskFile;

impl TaskFile {
    /// Runs the task's clearing command as its user. A program that ended by itself has left
    /// nothing behind.
    pub(crate) fn clear_away(&self, exit: Exit) {
        let Some((program, arguments)) = self.clearing.split_first() else { return };
        if matches!(exit, Exit::Code(_)) {
            return;
        }
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(&self.environment);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(user) = &self.user {
            command.uid(user.uid).gid(user.gid);
        }
        // What cannot be cleared away now is refused by name should it ever be in the way.
        let _ = command.status();
    }
}
