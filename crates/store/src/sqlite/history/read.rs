//! Queries, on a connection that cannot write and never waits for one that does.

use rusqlite::{Connection, OptionalExtension, Params, Row, params, params_from_iter};

use super::filter::{self, page};
use super::rows::{self, ATTEMPT, EVENT, JOB, NODE, PLACEMENT, STEP};
use super::{ledger, unread};
use crate::error::Result;
use crate::history::{
    ActivityQuestion, AttemptRow, EventFilter, EventPage, EventRow, GpuActivity, HistoryReader,
    JobDocument, JobFilter, JobRow, Ledger, LedgerQuestion, NodeRow, PAGE_ROWS_MAX, PlacementRow,
    StepRow,
};
use crate::sqlite::values::bound;

/// A reader of the history; from [`super::SqliteHistory`].
#[derive(Debug)]
pub struct SqliteHistoryReader {
    connection: Connection,
}

impl SqliteHistoryReader {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection }
    }

    fn list<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.connection.prepare_cached(sql).map_err(unread())?;
        let rows = statement.query_map(values, read).map_err(unread())?;
        rows.collect::<rusqlite::Result<_>>().map_err(unread())
    }

    fn one<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        let mut statement = self.connection.prepare_cached(sql).map_err(unread())?;
        statement.query_row(values, read).optional().map_err(unread())
    }
}

impl HistoryReader for SqliteHistoryReader {
    fn jobs(&self, filter: &JobFilter, before: Option<u64>, limit: usize) -> Result<Vec<JobRow>> {
        let conditions = filter::jobs(filter, before);
        let sql = format!(
            "SELECT {JOB} FROM jobs WHERE {} ORDER BY id DESC LIMIT {}",
            conditions.sql(),
            page(limit)
        );
        self.list(&sql, params_from_iter(conditions.values), rows::job)
    }

    fn job(&self, id: u64) -> Result<Option<JobRow>> {
        self.one(&format!("SELECT {JOB} FROM jobs WHERE id = ?1"), [bound(id)], rows::job)
    }

    fn document(&self, id: u64) -> Result<Option<JobDocument>> {
        let sql = "SELECT job_id, spec, program FROM job_documents WHERE job_id = ?1";
        self.one(sql, [bound(id)], |row| {
            Ok(JobDocument { job_id: row.get(0)?, spec: row.get(1)?, program: row.get(2)? })
        })
    }

    fn attempts(&self, job_id: u64) -> Result<Vec<AttemptRow>> {
        let sql = format!(
            "SELECT {ATTEMPT} FROM attempts WHERE job_id = ?1
             ORDER BY attempt DESC LIMIT {PAGE_ROWS_MAX}"
        );
        let mut latest = self.list(&sql, [bound(job_id)], rows::attempt)?;
        latest.reverse();
        Ok(latest)
    }

    fn steps(&self, job_id: u64) -> Result<Vec<StepRow>> {
        let sql = format!(
            "SELECT {STEP} FROM steps WHERE job_id = ?1
             ORDER BY attempt DESC, step DESC LIMIT {PAGE_ROWS_MAX}"
        );
        let mut latest = self.list(&sql, [bound(job_id)], rows::step)?;
        latest.reverse();
        Ok(latest)
    }

    fn placements(
        &self,
        job_id: u64,
        attempt: u64,
        after: Option<(u64, u64)>,
        limit: usize,
    ) -> Result<Vec<PlacementRow>> {
        let sql = format!(
            "SELECT {PLACEMENT} FROM placements
             WHERE job_id = ?1 AND attempt = ?2 AND (group_index, rank) > (?3, ?4)
             ORDER BY group_index, rank LIMIT ?5"
        );
        let (group, rank) = after.map_or((-1, -1), |(group, rank)| (bound(group), bound(rank)));
        let values = params![bound(job_id), bound(attempt), group, rank, page(limit)];
        self.list(&sql, values, rows::placement)
    }

    fn events(&self, filter: &EventFilter, at: EventPage, limit: usize) -> Result<Vec<EventRow>> {
        let (conditions, order) = filter::events(filter, at);
        let sql = format!(
            "SELECT {EVENT} FROM events WHERE {} ORDER BY {order} LIMIT {}",
            conditions.sql(),
            page(limit)
        );
        self.list(&sql, params_from_iter(conditions.values), rows::event)
    }

    fn nodes(&self) -> Result<Vec<NodeRow>> {
        self.list(&format!("SELECT {NODE} FROM nodes ORDER BY name"), [], rows::node)
    }

    fn ledger(&self, question: &LedgerQuestion) -> Result<Ledger> {
        // One transaction: the passes over several tables see the same moment.
        let transaction = self.connection.unchecked_transaction().map_err(unread())?;
        ledger::ledger(&transaction, question).map_err(unread())
    }

    fn activity(&self, question: &ActivityQuestion) -> Result<GpuActivity> {
        ledger::activity(&self.connection, question).map_err(unread())
    }
}
