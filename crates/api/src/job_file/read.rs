//! Reads the text of a job file in the notation it is written in.

use std::path::Path;

use thiserror::Error;

use super::{JOB_FILE_MAX, JobFile};

/// A notation for job files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

/// Why a job file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It is too long.
    #[error("the job file has {0} bytes; at most {JOB_FILE_MAX} are read")]
    TooLong(usize),
    /// Its name does not say what it is written in.
    #[error("`{0}` is not called .yaml, .yml, .toml or .json: its name says how it is read")]
    Notation(String),
    /// It is not what it should be.
    #[error("{0}")]
    Text(String),
}

impl Format {
    /// The notation that a file's name stands for.
    pub fn of(path: &Path) -> Result<Format, ReadError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml" | "yml") => Ok(Format::Yaml),
            Some("toml") => Ok(Format::Toml),
            Some("json") => Ok(Format::Json),
            _ => Err(ReadError::Notation(path.display().to_string())),
        }
    }
}

impl JobFile {
    /// Reads a job file. Unknown keys, wrong types and documents that grow beyond measure when
    /// they are unfolded are refused with their line.
    pub fn read(text: &str, format: Format) -> Result<JobFile, ReadError> {
        if text.len() > JOB_FILE_MAX {
            return Err(ReadError::TooLong(text.len()));
        }
        match format {
            Format::Yaml => serde_saphyr::from_str(text).map_err(said),
            Format::Toml => toml::from_str(text).map_err(said),
            Format::Json => serde_json::from_str(text).map_err(said),
        }
    }
}

/// What a reader says. It quotes the file, of which a line can be long.
fn said(error: impl std::fmt::Display) -> ReadError {
    /// Wider than any terminal.
    const COLUMNS: usize = 200;
    /// More than any reader has to say.
    const LINES: usize = 20;
    let words = error.to_string();
    let lines =
        words.trim_end().lines().take(LINES).map(|line| match line.char_indices().nth(COLUMNS) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line.to_owned(),
        });
    ReadError::Text(lines.collect::<Vec<_>>().join("\n"))
}
