//! Puts a query together from the conditions that were asked for. Values never become part of the
//! text, only of the list beside it.

use rusqlite::types::Value;

use super::super::values::bound;
use crate::history::{EventFilter, EventPage, JobFilter, PAGE_ROWS_MAX};

/// Conditions and the values they speak of.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    sql: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition on one value, written as `?`.
    pub(super) fn and(&mut self, condition: &str, value: impl Into<Value>) {
        self.sql.push(condition.to_owned());
        self.values.push(value.into());
    }

    /// The text after `WHERE`, true when nothing was asked for.
    pub(super) fn sql(&self) -> String {
        if self.sql.is_empty() { "true".to_owned() } else { self.sql.join(" AND ") }
    }
}

/// What a filter on jobs comes to.
pub(super) fn jobs(filter: &JobFilter, before: Option<u64>) -> Conditions {
    let mut conditions = Conditions::default();
    if let Some(before) = before {
        conditions.and("id < ?", bound(before));
    }
    if !filter.states.is_empty() {
        let marks = vec!["?"; filter.states.len()].join(", ");
        conditions.sql.push(format!("state IN ({marks})"));
        conditions.values.extend(filter.states.iter().cloned().map(Value::from));
    }
    if let Some(user) = &filter.user {
        conditions.and("user = ?", user.clone());
    }
    if let Some(queue) = &filter.queue {
        conditions.and("queue = ?", queue.clone());
    }
    if let Some(prefix) = &filter.name_prefix {
        // Not LIKE: a name may hold the signs that are special to it.
        let letters = u64::try_from(prefix.chars().count()).expect("a count of letters fits");
        conditions.and("substr(name, 1, ?)", bound(letters));
        let condition = conditions.sql.last_mut().expect("a condition was just added");
        condition.push_str(" = ?");
        conditions.values.push(Value::from(prefix.clone()));
    }
    if let Some(since) = filter.ended_since_ms {
        conditions.and("ended_ms >= ?", bound(since));
    }
    conditions
}

/// What a filter on events comes to, and the order to list them in.
pub(super) fn events(filter: &EventFilter, page: EventPage) -> (Conditions, &'static str) {
    let mut conditions = Conditions::default();
    let (position, order) = match page {
        EventPage::After(at) => (Some((">", at)), "sequence, part"),
        EventPage::Before(at) => (Some(("<", at)), "sequence DESC, part DESC"),
        EventPage::Latest => (None, "sequence DESC, part DESC"),
    };
    if let Some((side, at)) = position {
        conditions.sql.push(format!("(sequence, part) {side} (?, ?)"));
        conditions.values.extend([Value::from(bound(at.sequence)), Value::from(bound(at.part))]);
    }
    if let Some(job_id) = filter.job_id {
        conditions.and("job_id = ?", bound(job_id));
    }
    if let Some(node) = &filter.node {
        conditions.and("node = ?", node.clone());
    }
    (conditions, order)
}

/// The length of a page as SQLite takes it.
pub(super) fn page(limit: usize) -> i64 {
    i64::try_from(limit.min(PAGE_ROWS_MAX)).expect("the longest page is short")
}
