//! Dependencies between jobs.

use serde::{Deserialize, Serialize};

use crate::id::JobId;

/// What a job waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dependency {
    /// Another job has reached a point.
    On {
        /// The other job; for an array, every element of it.
        job: JobId,
        /// Which point.
        kind: DependencyKind,
    },
    /// No other job of the same user and name is ahead of this one or running.
    Singleton,
}

/// The point another job has to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DependencyKind {
    /// It has started, or ended without starting.
    After,
    /// It ended with success.
    AfterOk,
    /// It ended, however.
    AfterAny,
    /// It ended without success.
    AfterNotOk,
}
