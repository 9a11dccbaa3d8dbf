//! What would become of a job that is not submitted yet.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::JobState;
use crate::moment::Moment;

/// What would become of a job if it were submitted now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ForeseenView {
    /// The number it would have; of an array, that of its first element.
    pub job: u64,
    /// What it would be at once.
    pub state: JobState,
    /// When it would probably start, if that can be foreseen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub starts: Option<Moment>,
    /// When it would have started at the latest, if nothing breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub latest: Option<Moment>,
    /// Where it would probably be, by name.
    pub nodes: Vec<String>,
    /// The answer in words, as the command line shows it.
    pub text: String,
    /// The answer as data: reasons, estimates, alternatives.
    #[schema(value_type = Object)]
    pub why: serde_json::Value,
}
