//! The cluster at a glance, its alerts, classes, bookings, tokens and audit.

use std::fmt::Write as _;

use muster_api::view::{AlertView, AuditView, BookingView, ClusterView};
use muster_api::{Moment, TokenView};
use muster_model::Class;
use muster_model::quantity::separated;

use super::table::Table;
use super::{NOTHING, amount, time};

/// The cluster at a glance, after a line that says which one.
pub(crate) fn glance((name, value): (&str, &str), cluster: &ClusterView) -> String {
    let milli = cluster.gpus.saturating_mul(1000);
    let part = cluster.gpus_used_milli.saturating_mul(100).checked_div(milli);
    let part = part.map(|part| format!(" ({part}%)")).unwrap_or_default();
    let unseen = match cluster.nodes_unseen {
        0 => String::new(),
        unseen => format!(", {} unseen", separated(unseen)),
    };
    let lines = [
        (name, value.to_owned()),
        ("nodes", format!("{} up{unseen}", separated(cluster.nodes))),
        (
            "GPUs",
            format!(
                "{} of {} allocated{part}",
                amount::gpus(cluster.gpus_used_milli),
                separated(cluster.gpus)
            ),
        ),
        (
            "jobs",
            format!(
                "{} active, {} waiting, {} ended so far",
                separated(cluster.active),
                separated(cluster.pending),
                separated(cluster.ended)
            ),
        ),
    ];
    let mut text = String::new();
    for (name, value) in lines {
        writeln!(text, "{name:<8}{value}").expect("a string takes all text");
    }
    text
}

/// Classes, those that go first on top.
pub(crate) fn classes(classes: &[Class]) -> Table {
    let mut sorted: Vec<&Class> = classes.iter().collect();
    sorted.sort_by(|one, other| other.value.cmp(&one.value).then(one.name.cmp(&other.name)));
    let mut table = Table::new(&["class", ">value", "guaranteed", "filler", "time limit"]);
    let yes = |is_so: bool| if is_so { "yes" } else { "no" }.to_owned();
    for class in sorted {
        table.row([
            class.name.to_string(),
            class.value.to_string(),
            yes(class.guaranteed),
            yes(class.filler),
            class.limit_default.map_or_else(|| NOTHING.to_owned(), |limit| limit.to_string()),
        ]);
    }
    table
}

/// Alerts, one a line.
pub(crate) fn alerts(alerts: &[AlertView]) -> Table {
    let headings = ["alert", "state", "since", "resolved", "told", "what"];
    let mut table = Table::new(&headings).spare(&["told", "resolved"]);
    for alert in alerts {
        let told = alert.failure.as_ref().map(|_| "failed".to_owned());
        table.row([
            alert.alert.clone(),
            alert.state.to_string(),
            time::moment(alert.since),
            time::moment_if(alert.resolved),
            told.unwrap_or_else(|| time::moment_if(alert.told)),
            alert.text.clone(),
        ]);
    }
    table
}

/// Bookings, one a line.
pub(crate) fn bookings(bookings: &[BookingView]) -> Table {
    let mut table = Table::new(&["name", "state", "start", "end", "for", "nodes"]);
    for BookingView { booking, is_open } in bookings {
        let users = booking.users.iter().map(ToString::to_string);
        let queues = booking.queues.iter().map(|queue| format!("queue {queue}"));
        let guests: Vec<String> = users.chain(queues).collect();
        let places: Vec<String> = booking.places.iter().map(ToString::to_string).collect();
        table.row([
            booking.name.to_string(),
            if *is_open { "open" } else { "ahead" }.to_owned(),
            time::moment(Moment(booking.start)),
            time::moment_if(booking.end.map(Moment)),
            if guests.is_empty() { "nobody".to_owned() } else { guests.join(", ") },
            places.join(", "),
        ]);
    }
    table
}

/// Tokens, one a line.
pub(crate) fn tokens(tokens: &[TokenView]) -> Table {
    let mut table = Table::new(&["id", "user", "role", "queue", "created", "expires", "note"]);
    for token in tokens {
        table.row([
            token.id.clone(),
            token.user.clone(),
            token.role.clone(),
            token.queue.clone().unwrap_or_else(|| NOTHING.to_owned()),
            time::moment(token.created),
            match token.revoked {
                Some(_) => "revoked".to_owned(),
                None => time::moment_if(token.expires),
            },
            token.note.clone(),
        ]);
    }
    table
}

/// The audit, one entry a line.
pub(crate) fn audit(entries: &[AuditView]) -> Table {
    let mut table = Table::new(&["time", "who", "verb", "object", "outcome", "from"]);
    for entry in entries {
        table.row([
            time::moment(entry.time),
            entry.who.clone(),
            entry.verb.clone(),
            entry.object.clone(),
            entry.outcome.clone(),
            entry.source.clone().unwrap_or_else(|| NOTHING.to_owned()),
        ]);
    }
    table
}
