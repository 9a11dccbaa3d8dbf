//! The audit as admins see it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::moment::Moment;

/// Something that someone changed, or tried to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditView {
    /// Its number, growing with time.
    pub number: u64,
    /// When.
    #[schema(value_type = String)]
    pub time: Moment,
    /// Who.
    pub who: String,
    /// What they did or tried, in a word.
    pub verb: String,
    /// To what.
    pub object: String,
    /// `done`, or how it was refused.
    pub outcome: String,
    /// The address they came from, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}
