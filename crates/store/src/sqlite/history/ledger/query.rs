//! Answers questions to the accounting.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::super::super::values::bound;
use super::super::filter::Conditions;
use super::visit::{Visit, visit};
use super::{DAY_MS, scattered};
use crate::history::{
    Amounts, GONE, Ledger, LedgerBy, LedgerFilter, LedgerJob, LedgerQuestion, LedgerRow, OwnedRow,
    Span,
};

/// The whole answer to a question.
pub(in super::super) fn ledger(
    connection: &Connection,
    question: &LedgerQuestion,
) -> rusqlite::Result<Ledger> {
    let window = widened(connection, question)?;
    let mut sums =
        Sums { window, bucket_ms: question.bucket_ms, by: question.by, rows: Rows::new() };
    visit(connection, window, &question.filter, |held| sums.add(held))?;
    if question.filter.job.is_none() {
        daily(connection, &question.filter, &mut sums)?;
    }
    let owned = owned(connection, question, &sums)?;
    let apart = scattered::apart(connection, question, &sums)?;
    let rows = sums.rows.into_iter().map(|((bucket_ms, key, model), (job, amounts))| LedgerRow {
        bucket_ms,
        key,
        job,
        model,
        amounts,
    });
    let rows = rows.collect();
    Ok(Ledger { from_ms: window.0, to_ms: window.1, rows, owned, apart })
}

/// The window, widened to whole days where jobs of those have been forgotten.
fn widened(connection: &Connection, question: &LedgerQuestion) -> rusqlite::Result<(u64, u64)> {
    let (from_ms, to_ms) = (question.from_ms, question.to_ms.max(question.from_ms));
    let sql = "SELECT coalesce(max(day) + 1, 0)
               FROM (SELECT max(day) AS day FROM ledger_daily
                     UNION ALL SELECT max(day) FROM scattered_daily)";
    let days: u64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    let whole_ms = if question.filter.job.is_some() { 0 } else { days * DAY_MS };
    let down = |time_ms: u64| if time_ms < whole_ms { time_ms / DAY_MS * DAY_MS } else { time_ms };
    let up = |time_ms: u64| match time_ms < whole_ms {
        true => time_ms.div_ceil(DAY_MS) * DAY_MS,
        false => time_ms,
    };
    Ok((down(from_ms), up(to_ms)))
}

type Rows = BTreeMap<(u64, String, String), (Option<LedgerJob>, Amounts)>;

/// Sums by span, key and model.
pub(super) struct Sums {
    pub(super) window: (u64, u64),
    bucket_ms: Option<u64>,
    pub(super) by: LedgerBy,
    rows: Rows,
}

impl Sums {
    /// The spans that something from a time until another is part of.
    pub(super) fn buckets(
        &self,
        (from_ms, to_ms): (u64, u64),
    ) -> impl Iterator<Item = (u64, (u64, u64))> + use<> {
        let (from_ms, to_ms) = (from_ms.max(self.window.0), to_ms.min(self.window.1));
        let bucket_ms = self.bucket_ms.unwrap_or(u64::MAX);
        let window = self.window;
        let first = from_ms / bucket_ms;
        let last = if from_ms < to_ms { (to_ms - 1) / bucket_ms + 1 } else { first };
        (first..last).map(move |number| {
            let begin = number.saturating_mul(bucket_ms);
            let span = (begin.max(window.0), begin.saturating_add(bucket_ms).min(window.1));
            (if bucket_ms == u64::MAX { window.0 } else { begin }, span)
        })
    }

    /// The beginning of the span that a day is part of.
    pub(super) fn bucket_of_day(&self, day: u64) -> u64 {
        let begin = day * DAY_MS;
        self.bucket_ms.map_or(self.window.0, |bucket| begin / bucket * bucket)
    }

    fn add(&mut self, held: &Visit<'_>) {
        let owner = held.job;
        let key = match self.by {
            LedgerBy::Team => owner.team.clone(),
            LedgerBy::User => owner.user.clone(),
            LedgerBy::Job => owner.id.to_string(),
            LedgerBy::Attempt => held.attempt.to_string(),
            LedgerBy::Class => owner.class.clone(),
            LedgerBy::Model => held.model.to_owned(),
            LedgerBy::Queue => owner.queue.clone(),
            LedgerBy::Node => held.node.to_owned(),
        };
        let job = (self.by == LedgerBy::Job).then(|| LedgerJob {
            name: owner.name.clone(),
            user: owner.user.clone(),
            team: owner.team.clone(),
        });
        let span = held.holding.span;
        for (bucket_ms, part) in self.buckets((span.from_ms, span.to_ms)) {
            let amounts = held.holding.within(part);
            if !amounts.is_nothing() {
                let row = (bucket_ms, key.clone(), held.model.to_owned());
                let (known, sum) = self.rows.entry(row).or_default();
                *sum += &amounts;
                if known.is_none() {
                    known.clone_from(&job);
                }
            }
        }
    }
}

/// What is left of jobs that have been forgotten.
fn daily(connection: &Connection, filter: &LedgerFilter, sums: &mut Sums) -> rusqlite::Result<()> {
    let key = match sums.by {
        LedgerBy::Team => "team",
        LedgerBy::User => "user",
        LedgerBy::Job | LedgerBy::Attempt => "''",
        LedgerBy::Class => "class",
        LedgerBy::Model => "model",
        LedgerBy::Queue => "queue",
        LedgerBy::Node => "node",
    };
    let mut conditions = Conditions::default();
    conditions.and("day >= ?", bound(sums.window.0 / DAY_MS));
    conditions.and("day < ?", bound(sums.window.1.div_ceil(DAY_MS)));
    let LedgerFilter { team, user, queue, class, model, node, .. } = filter;
    let texts = [
        ("team", team),
        ("user", user),
        ("queue", queue),
        ("class", class),
        ("model", model),
        ("node", node),
    ];
    for (column, text) in texts {
        if let Some(text) = text {
            conditions.and(&format!("{column} = ?"), Value::from(text.clone()));
        }
    }
    let sql = format!(
        "SELECT day, {key}, model, sum(allocated), sum(measured), sum(active), sum(failed),
                sum(paused), sum(cancelled), sum(overhead)
         FROM ledger_daily WHERE {} GROUP BY 1, 2, 3",
        conditions.sql()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(conditions.values))?;
    while let Some(row) = rows.next()? {
        let day: u64 = row.get(0)?;
        let amounts = Amounts {
            allocated: row.get(3)?,
            measured: row.get(4)?,
            active: row.get(5)?,
            failed: row.get(6)?,
            paused: row.get(7)?,
            cancelled: row.get(8)?,
            overhead: row.get(9)?,
        };
        let bucket_ms = sums.bucket_of_day(day);
        let entry = sums.rows.entry((bucket_ms, row.get(1)?, row.get(2)?)).or_default();
        entry.1 += &amounts;
    }
    Ok(())
}

/// What the cluster had.
fn owned(
    connection: &Connection,
    question: &LedgerQuestion,
    sums: &Sums,
) -> rusqlite::Result<Vec<OwnedRow>> {
    let mut conditions = Conditions::default();
    conditions.and("to_ms > ?", bound(sums.window.0));
    conditions.and("from_ms < ?", bound(sums.window.1));
    for (column, text) in [("model", &question.filter.model), ("node", &question.filter.node)] {
        if let Some(text) = text {
            conditions.and(&format!("{column} = ?"), Value::from(text.clone()));
        }
    }
    let sql = format!(
        "SELECT node, from_ms, to_ms, gpus, model, unusable, why FROM capacity WHERE {}",
        conditions.sql()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(conditions.values))?;
    let mut found: BTreeMap<(u64, Option<String>, String), (u64, u64)> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (from_ms, mut to_ms): (u64, u64) = (row.get(1)?, row.get(2)?);
        if row.get_ref(6)?.as_str()? == GONE {
            to_ms = to_ms.min(from_ms.saturating_add(question.gone_ms));
        }
        let gpus: u64 = row.get(3)?;
        let all = Span { from_ms, to_ms, gpus: gpus * 1000 };
        let unusable = Span { gpus: row.get(5)?, ..all };
        let node: Option<String> = (sums.by == LedgerBy::Node).then(|| row.get(0)).transpose()?;
        let model: String = row.get(4)?;
        for (bucket_ms, part) in sums.buckets((from_ms, to_ms)) {
            let sum = found.entry((bucket_ms, node.clone(), model.clone())).or_default();
            sum.0 += all.within(part);
            sum.1 += unusable.within(part);
        }
    }
    let row = |((bucket_ms, node, model), (owned, unusable))| OwnedRow {
        bucket_ms,
        node,
        model,
        owned,
        unusable,
    };
    Ok(found.into_iter().map(row).collect())
}
