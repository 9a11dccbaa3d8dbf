//! One thing asked of several: each refusal is told, none keeps the others from being asked, and
//! the command fails in the end where there was one.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;

use super::print;

/// What became of each so far.
#[derive(Debug)]
pub(crate) struct Each {
    /// What is asked, as in `cannot cancel job 7`.
    asked: &'static str,
    kind: &'static str,
    is_json: bool,
    answers: Vec<Answer>,
}

/// What became of one.
#[derive(Debug, Serialize)]
struct Answer {
    name: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Each {
    /// Of nothing yet.
    pub(crate) fn new(asked: &'static str, kind: &'static str, is_json: bool) -> Each {
        Each { asked, kind, is_json, answers: Vec::new() }
    }

    /// Notes what became of one, and tells at once where it was refused.
    pub(crate) fn note(&mut self, name: &dyn std::fmt::Display, result: Result<()>) {
        let name = name.to_string();
        let error = result.err();
        let hint = error.as_ref().and_then(super::hint);
        if let Some(error) = &error {
            eprintln!("error: cannot {} {} {name}: {error:#}", self.asked, self.kind);
            hint.iter().for_each(|hint| eprintln!("hint: {hint}"));
        }
        let ok = error.is_none();
        self.answers.push(Answer { name, ok, error: error.map(|it| format!("{it:#}")), hint });
    }

    /// The exit code for all of them.
    pub(crate) fn finish(self) -> Result<ExitCode> {
        if self.is_json {
            print::json(&self.answers)?;
        }
        let all = self.answers.iter().all(|answer| answer.ok);
        Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
