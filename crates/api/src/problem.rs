//! An error as the API tells it: `application/problem+json` with what to do about it.

use muster_model::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What went wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// What kind of problem, in a few words that stay the same.
    pub title: String,
    /// What happened this time.
    #[serde(default)]
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The values that cannot be accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<BadValue>,
}

/// A value that cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BadValue {
    /// Where it stands.
    pub field: String,
    /// The value.
    pub value: String,
    /// What would be allowed.
    pub allowed: String,
    /// What was probably meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meant: Option<String>,
}

impl Problem {
    /// A problem with its detail.
    pub fn new(status: u16, title: &str, detail: impl Into<String>) -> Problem {
        let (title, detail) = (title.to_owned(), detail.into());
        Problem { status, title, detail, hint: None, errors: Vec::new() }
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// Values that validation refused.
    pub fn invalid(errors: Vec<Invalid>) -> Problem {
        let detail = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let errors = errors.into_iter().map(BadValue::from).collect();
        Problem { errors, ..Problem::new(422, "not acceptable", detail) }
    }
}

impl From<Invalid> for BadValue {
    fn from(invalid: Invalid) -> BadValue {
        let Invalid { field, value, allowed, meant } = invalid;
        BadValue { field, value, allowed, meant }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let said = if self.detail.is_empty() { &self.title } else { &self.detail };
        write!(formatter, "{said}")?;
        self.hint.iter().try_for_each(|hint| write!(formatter, "\nhint: {hint}"))
    }
}

impl std::error::Error for Problem {}
