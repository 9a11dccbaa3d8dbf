//! Long lists come in pages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Part of a list, and where it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// Give this as `after` to get the next page; nothing when this was the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}
