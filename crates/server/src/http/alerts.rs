//! What asks for attention.

use muster_api::Page;
use muster_api::view::AlertView;

use super::Shared;
use super::answer::{Answered, Json, Problems};
use crate::access::{Caller, Verb};

#[utoipa::path(
    get,
    path = "/v1/alerts",
    operation_id = "alerts_list",
    tag = "health",
    summary = "List alerts that fire, then those that did lately",
    responses((status = 200, description = "All of them", body = Page<AlertView>), Problems)
)]
pub(crate) async fn list(app: Shared, caller: Caller) -> Answered<Json<Page<AlertView>>> {
    caller.must(Verb::Look, None, None)?;
    Ok(Json(Page { items: app.alerts.views(), next: None }))
}
