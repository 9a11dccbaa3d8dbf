//! The operator's programs around attempts, each with a bound on its time.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use muster_engine::command::Running;
use muster_model::Millis;

use crate::launch::Refused;
use crate::settings::Hooks;

/// The most of a hook's words that is passed on.
const WORDS_MAX: usize = 500;

/// Checks the node's health and prepares it for an attempt.
pub(super) async fn before(hooks: &Hooks, of: Running, account: &str) -> Result<(), Refused> {
    for (path, name) in [(&hooks.health, "not-healthy"), (&hooks.prolog, "prolog-failed")] {
        let Some(path) = path else { continue };
        let ran = run(path, hooks.within, of, account).await;
        ran.map_err(|why| Refused::node(name, format!("{}: {why}", path.display())))?;
    }
    Ok(())
}

/// Cleans up after an attempt.
pub(super) async fn after(hooks: &Hooks, of: Running) {
    let Some(path) = &hooks.epilog else { return };
    if let Err(why) = run(path, hooks.within, of, "").await {
        tracing::warn!("the epilog {} failed for job {}: {why}", path.display(), of.job.0);
    }
}

async fn run(path: &Path, within: Millis, of: Running, account: &str) -> Result<(), String> {
    let mut command = tokio::process::Command::new(path);
    command
        .env("MUSTER_JOB_ID", of.job.0.to_string())
        .env("MUSTER_ATTEMPT", of.attempt.0.to_string())
        .env("MUSTER_ACCOUNT", account)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let most = Duration::from_millis(within.0);
    let done = tokio::time::timeout(most, command.output()).await;
    let done = done.map_err(|_| format!("not done within {within}"))?;
    let done = done.map_err(|cause| format!("cannot be run: {cause}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let said: String = said.trim().chars().take(WORDS_MAX).collect();
    Err(format!("{}: {said}", done.status))
}
