//! Dependencies between jobs.

mod text;

use serde::{Deserialize, Serialize};

use crate::id::JobId;
use crate::unit::Millis;

/// What a job waits for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dependency {
    /// Another job has reached a point.
    On(Predecessor),
    /// One of several jobs has reached its point, whichever is the first.
    AnyOf(Vec<Predecessor>),
    /// No other job of the same user and name is ahead of this one or running.
    Singleton,
}

impl Dependency {
    /// A job, or every element of an array, has reached a point.
    pub const fn on(job: JobId, kind: DependencyKind) -> Dependency {
        Dependency::On(Predecessor::new(job, kind))
    }

    /// The other jobs it names.
    pub fn predecessors(&self) -> &[Predecessor] {
        match self {
            Dependency::On(predecessor) => std::slice::from_ref(predecessor),
            Dependency::AnyOf(predecessors) => predecessors,
            Dependency::Singleton => &[],
        }
    }
}

/// Another job, and the point it has to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Predecessor {
    /// The other job or array.
    pub job: JobId,
    /// Which point.
    pub kind: DependencyKind,
    /// Which elements, if the other is an array.
    #[serde(default, skip_serializing_if = "Elements::are_all")]
    pub elements: Elements,
    /// How long ago it has to have reached it.
    #[serde(default, skip_serializing_if = "Millis::is_zero")]
    pub delay: Millis,
}

impl Predecessor {
    /// A job, or every element of an array, at a point.
    pub const fn new(job: JobId, kind: DependencyKind) -> Predecessor {
        Predecessor { job, kind, elements: Elements::All, delay: Millis::ZERO }
    }
}

/// Elements of an array that another job waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Elements {
    /// Every one.
    #[default]
    All,
    /// The one with an index.
    Index(u32),
    /// For each element of the waiting array the one with its own index.
    Same,
}

impl Elements {
    fn are_all(&self) -> bool {
        *self == Elements::All
    }
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
