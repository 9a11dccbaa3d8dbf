//! Options about a step, and about the commands themselves.

use muster_model::Invalid;
use muster_model::name::quoted;

use crate::command::Command;
use crate::error::Refusal;
use crate::request::{Client, Request, Step};

pub(super) fn set(request: &mut Request, name: &str, given: Option<&str>) -> Result<bool, Refusal> {
    if name == "wait" {
        match request.command {
            Command::Srun => request.step.wait_s = Some(number(name, given.unwrap_or_default())?),
            Command::Sbatch | Command::Salloc => request.client.wait = true,
        }
        return Ok(true);
    }
    Ok(step(&mut request.step, name, given)? || client(&mut request.client, name))
}

fn step(step: &mut Step, name: &str, given: Option<&str>) -> Result<bool, Refusal> {
    let value = given.unwrap_or_default();
    match name {
        "jobid" => step.job = Some(number(name, value)?),
        "relative" => step.relative = Some(number(name, value)?),
        "overlap" => step.overlap = true,
        "exact" => step.exact = true,
        "whole" => step.whole = true,
        "kill-on-bad-exit" => step.kill_on_bad_exit = Some(switch(name, given)?),
        "label" => step.label = true,
        "unbuffered" => step.unbuffered = true,
        "pty" => step.pty = true,
        "mpi" => step.mpi = Some(value.to_owned()),
        "quit-on-interrupt" => step.quit_on_interrupt = true,
        _ => return Ok(false),
    }
    Ok(true)
}

fn client(client: &mut Client, name: &str) -> bool {
    match name {
        "parsable" => client.parsable = true,
        "quiet" => client.quiet = true,
        "verbose" => client.verbose = client.verbose.saturating_add(1),
        "test-only" => client.test_only = true,
        "ignore-pbs" => client.ignore_pbs = true,
        "no-shell" => client.no_shell = true,
        "help" => client.help = true,
        "usage" => client.usage = true,
        "version" => client.version = true,
        _ => return false,
    }
    true
}

/// A whole number, zero too.
fn number<T: TryFrom<u64>>(name: &str, value: &str) -> Result<T, Invalid> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse::<u64>().ok().filter(|_| is_number);
    let refused = || Invalid::new(name, quoted(value), "expected a whole number");
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(refused)
}

/// On without a value, else 0 or 1.
fn switch(name: &str, given: Option<&str>) -> Result<bool, Invalid> {
    match given {
        None | Some("1") => Ok(true),
        Some("0") => Ok(false),
        Some(other) => Err(Invalid::new(name, quoted(other), "expected 0 or 1")),
    }
}
