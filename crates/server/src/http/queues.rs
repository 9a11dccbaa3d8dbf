//! Queues, the policy, and bookings.

use axum::extract::Path;
use muster_api::Page;
use muster_api::view::QueueView;
use muster_engine::command::Command;
use muster_engine::snapshot::BookingRecord;
use muster_model::{Booking, ClusterSpec, Name, QueueName, QueueSpec};

use super::Shared;
use super::answer::{Answered, Json, accepted};
use crate::access::{Caller, Verb};
use crate::entry::Entry;

/// The empty answer to what was done.
type Done = Answered<Json<serde_json::Value>>;

fn done() -> Done {
    Ok(Json(serde_json::json!({})))
}

pub(crate) async fn list(app: Shared, caller: Caller) -> Answered<Json<Page<QueueView>>> {
    caller.must(Verb::Look, None, None)?;
    let items = app.driver.shared().read().queues();
    Ok(Json(Page { items, next: None }))
}

pub(crate) async fn set(
    app: Shared,
    caller: Caller,
    Path(name): Path<String>,
    Json(mut queue): Json<QueueSpec>,
) -> Done {
    caller.must(Verb::Configure, None, Some(&name))?;
    queue.name = QueueName::from(name.as_str());
    accepted(app.driver.record_one(Entry::Told(Command::QueueSet { queue })).await?)?;
    done()
}

pub(crate) async fn policy(app: Shared, caller: Caller) -> Answered<Json<ClusterSpec>> {
    caller.must(Verb::Look, None, None)?;
    let cluster = app.driver.shared().read().cluster().clone();
    Ok(Json(cluster))
}

pub(crate) async fn configure(
    app: Shared,
    caller: Caller,
    Json(cluster): Json<ClusterSpec>,
) -> Done {
    caller.must(Verb::Configure, None, None)?;
    cluster.validate()?;
    let entry = Entry::Configured { cluster: Box::new(cluster), by: caller.user };
    accepted(app.driver.record_one(entry).await?)?;
    done()
}

pub(crate) async fn bookings(app: Shared, caller: Caller) -> Answered<Json<Page<BookingRecord>>> {
    caller.must(Verb::Look, None, None)?;
    let items = app.driver.shared().read().bookings();
    Ok(Json(Page { items, next: None }))
}

pub(crate) async fn book(
    app: Shared,
    caller: Caller,
    Path(name): Path<String>,
    Json(mut booking): Json<Booking>,
) -> Done {
    caller.must(Verb::ChangeNode, None, None)?;
    booking.name = Name::from(name.as_str());
    accepted(app.driver.record_one(Entry::Told(Command::BookingSet { booking })).await?)?;
    done()
}

pub(crate) async fn unbook(app: Shared, caller: Caller, Path(name): Path<String>) -> Done {
    caller.must(Verb::ChangeNode, None, None)?;
    let name = Name::from(name.as_str());
    accepted(app.driver.record_one(Entry::Told(Command::BookingRemoved { name })).await?)?;
    done()
}
