//! What can go wrong with a trace or a cluster as a whole. A single bad row is a [`BadRow`],
//! which is an error only for those who want every row.

use std::io;

use thiserror::Error;

use crate::trace::BadRow;

/// Why a trace or a cluster cannot be read, made or written.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The file cannot be opened or made.
    #[error("cannot open {name}: {source}\nhint: does it exist, and may you read it?")]
    Open {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Reading stopped in the middle.
    #[error("cannot read {name} to its end: {source}\nhint: is the file complete?")]
    Read {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Writing stopped in the middle.
    #[error("cannot write {name}: {source}\nhint: is there room, and may you write there?")]
    Write {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// The name of a file to write says nothing about how.
    #[error(
        "cannot write {name}: its name does not say how\n\
         hint: let it end with .csv, .jsonl, .csv.gz or .jsonl.gz"
    )]
    Name {
        /// The file.
        name: String,
    },
    /// The format was not named and cannot be told.
    #[error("cannot tell the format of {name}: it begins with `{begin}`\nhint: name it: {formats}")]
    UnknownFormat {
        /// The file.
        name: String,
        /// How it begins.
        begin: String,
        /// All formats.
        formats: String,
    },
    /// The header is not one of the format.
    #[error("{name} is not a trace of format {format}: {reason}\nhint: {hint}")]
    Header {
        /// The file.
        name: String,
        /// The format it was read as.
        format: String,
        /// What the header lacks.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// A bad row where every row is wanted.
    #[error("{name}: {row}\nhint: mend the row, or leave bad rows out with --skip-bad-rows")]
    BadRow {
        /// The file.
        name: String,
        /// The row.
        row: BadRow,
    },
    /// A cluster that cannot be understood or used.
    #[error("cannot use the cluster {text}: {reason}\nhint: {hint}")]
    Cluster {
        /// As it was given.
        text: String,
        /// Why.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// A workload that cannot be made.
    #[error("cannot make the workload: {reason}\nhint: {hint}")]
    Synthetic {
        /// Why.
        reason: String,
        /// What to do.
        hint: String,
    },
}
