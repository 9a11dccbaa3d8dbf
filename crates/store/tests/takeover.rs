//! A history from before there were accounts is taken over as far as it goes.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

mod support;

use muster_store::history::{Amounts, LedgerBy, LedgerQuestion, OPEN_MS};
use muster_store::{HistoryReader, SqliteHistory};
use rusqlite::Connection;
use support::Folder;

const DAY_MS: u64 = 86_400_000;

/// The layout before there were accounts.
const BEFORE: [&str; 4] = [
    include_str!("../src/sqlite/sql/history-1-tables.sql"),
    include_str!("../src/sqlite/sql/history-2-views.sql"),
    include_str!("../src/sqlite/sql/history-3-steps.sql"),
    include_str!("../src/sqlite/sql/history-4-ends.sql"),
];

#[test]
fn what_was_used_before_there_were_accounts_is_in_them() {
    let folder = Folder::new();
    let connection = Connection::open(folder.path().join("history.db")).unwrap();
    BEFORE.iter().for_each(|step| connection.execute_batch(step).unwrap());
    connection.pragma_update(None, "application_id", 0x4D75_7348).unwrap();
    connection.pragma_update(None, "user_version", 4).unwrap();
    let rows = format!(
        "INSERT INTO jobs (id, name, user, team, queue, class, tasks, gpus, state, submitted_ms,
                           attempts)
             VALUES (1, 'train', 'user-a', 'team-a', 'default', 'standard', 1, 2000, 'ended', 0, 1);
         INSERT INTO attempts (job_id, attempt, launched_ms, started_ms, ended_ms, outcome, nodes,
                               gpus)
             VALUES (1, 1, {DAY_MS}, {DAY_MS}, {DAY_MS} + 3000, 'preempted', 1, 2000);
         INSERT INTO nodes VALUES ('node-1', 'H100', 8, 'up', 0, 0, NULL);
         INSERT INTO usage VALUES
             (1, 1, 'node-1', {DAY_MS}, {DAY_MS} + 1000, 2000, 2000, 1000, NULL),
             (1, 1, 'node-1', {DAY_MS} + 1000, {DAY_MS} + 3000, 2000, 4000, NULL, NULL);
         INSERT INTO usage_daily VALUES (0, 'user-b', 'team-b', 'default', 500, 300, NULL);"
    );
    connection.execute_batch(&rows).unwrap();
    drop(connection);
    SqliteHistory::open(folder.path()).unwrap();
    let reader = SqliteHistory::open_read_only(folder.path()).unwrap();
    let question = LedgerQuestion {
        to_ms: 2 * DAY_MS,
        by: LedgerBy::Team,
        gone_ms: OPEN_MS,
        ..LedgerQuestion::default()
    };
    let answer = reader.ledger(&question).unwrap();
    let of = |team: &str| {
        let mut rows = answer.rows.iter().filter(|row| row.key == team);
        rows.next().map(|row| (row.model.clone(), row.amounts)).unwrap()
    };
    let (model, amounts) = of("team-a");
    assert_eq!(model, "H100");
    let expected =
        Amounts { allocated: 6000, measured: 2000, active: 1000, paused: 1000, ..amounts };
    assert_eq!(amounts, expected);
    assert_eq!((of("team-b").1.allocated, of("team-b").1.active), (500, 300));
    assert_eq!(answer.owned[0].owned, 8 * 2 * DAY_MS, "it was there all the time");
}
