//! Queues, the policy, and bookings.

use muster_api::Page;
use muster_api::view::{BookingView, QueueView};
use muster_engine::command::Command;
use muster_model::{Booking, ClusterSpec, Name, QueueName, QueueSpec};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Shared;
use super::answer::{Answered, Json, Path, Problems, Query, accepted, done};
use crate::access::{Caller, Verb};
use crate::entry::Entry;

/// How to go about a change.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Manner {
    /// Only say whether it could be done.
    #[serde(default)]
    check: bool,
}

type Done = Answered<Json<serde_json::Value>>;

#[utoipa::path(
    get,
    path = "/v1/queues",
    operation_id = "queues_list",
    tag = "policy",
    summary = "List queues with their books",
    responses((status = 200, description = "All queues", body = Page<QueueView>), Problems)
)]
pub(crate) async fn list(app: Shared, caller: Caller) -> Answered<Json<Page<QueueView>>> {
    caller.must(Verb::Look, None, None)?;
    let items = app.driver.shared().read().queues();
    Ok(Json(Page { items, next: None }))
}

#[utoipa::path(
    put,
    path = "/v1/queues/{*name}",
    operation_id = "queues_set",
    tag = "policy",
    summary = "Make or change a queue",
    params(("name" = String, Path, description = "Its full name, with slashes")),
    request_body = QueueSpec,
    responses((status = 200, description = "It is done"), Problems)
)]
pub(crate) async fn set(
    app: Shared,
    caller: Caller,
    Path(name): Path<String>,
    Json(mut queue): Json<QueueSpec>,
) -> Done {
    caller.must(Verb::Configure, None, Some(&name))?;
    queue.name = QueueName::from(name.as_str());
    accepted(app.driver.record_one(Entry::Told(Command::QueueSet { queue })).await?)?;
    Ok(done())
}

#[utoipa::path(
    get,
    path = "/v1/policy",
    operation_id = "queues_policy",
    tag = "policy",
    summary = "Show all that is configured",
    responses(
        (status = 200, description = "Levels, classes, queues and policy", body = ClusterSpec),
        Problems
    )
)]
pub(crate) async fn policy(app: Shared, caller: Caller) -> Answered<Json<ClusterSpec>> {
    caller.must(Verb::Look, None, None)?;
    let cluster = app.driver.shared().read().cluster().clone();
    Ok(Json(cluster))
}

#[utoipa::path(
    put,
    path = "/v1/policy",
    operation_id = "queues_configure",
    tag = "policy",
    summary = "Configure everything anew",
    params(Manner),
    request_body = ClusterSpec,
    responses((status = 200, description = "It is done, or could be"), Problems)
)]
pub(crate) async fn configure(
    app: Shared,
    caller: Caller,
    Query(manner): Query<Manner>,
    Json(cluster): Json<ClusterSpec>,
) -> Done {
    caller.must(Verb::Configure, None, None)?;
    cluster.validate()?;
    if manner.check {
        return Ok(done());
    }
    let entry = Entry::Configured { cluster: Box::new(cluster), by: caller.user };
    accepted(app.driver.record_one(entry).await?)?;
    Ok(done())
}

#[utoipa::path(
    get,
    path = "/v1/bookings",
    operation_id = "queues_bookings",
    tag = "policy",
    summary = "List nodes that are set aside",
    responses(
        (status = 200, description = "Bookings that are not over", body = Page<BookingView>),
        Problems
    )
)]
pub(crate) async fn bookings(app: Shared, caller: Caller) -> Answered<Json<Page<BookingView>>> {
    caller.must(Verb::Look, None, None)?;
    let items = app.driver.shared().read().bookings().into_iter().map(BookingView::from).collect();
    Ok(Json(Page { items, next: None }))
}

#[utoipa::path(
    put,
    path = "/v1/bookings/{name}",
    operation_id = "queues_book",
    tag = "policy",
    summary = "Set nodes aside",
    params(("name" = String, Path, description = "Its name")),
    request_body = Booking,
    responses((status = 200, description = "It is done"), Problems)
)]
pub(crate) async fn book(
    app: Shared,
    caller: Caller,
    Path(name): Path<String>,
    Json(mut booking): Json<Booking>,
) -> Done {
    caller.must(Verb::ChangeNode, None, None)?;
    booking.name = Name::from(name.as_str());
    accepted(app.driver.record_one(Entry::Told(Command::BookingSet { booking })).await?)?;
    Ok(done())
}

#[utoipa::path(
    delete,
    path = "/v1/bookings/{name}",
    operation_id = "queues_unbook",
    tag = "policy",
    summary = "Take a booking back",
    params(("name" = String, Path, description = "Its name")),
    responses((status = 200, description = "It is done"), Problems)
)]
pub(crate) async fn unbook(app: Shared, caller: Caller, Path(name): Path<String>) -> Done {
    caller.must(Verb::ChangeNode, None, None)?;
    let name = Name::from(name.as_str());
    accepted(app.driver.record_one(Entry::Told(Command::BookingRemoved { name })).await?)?;
    Ok(done())
}
