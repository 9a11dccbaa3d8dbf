//! Files and their owners: who may open what, what is refused, and how old layouts come along.

mod support;

use muster_store::history::{Before, Change, HeldPlace, HoldingRow, JobRow};
use muster_store::{
    Access, History, HistoryReader, Journal, SqliteHistory, SqliteJournal, StoreError,
};
use rusqlite::Connection;
use support::{Folder, entries, entry, snapshot};

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let folder = Folder::new();
    let journal = folder.journal();
    let refused = SqliteJournal::open(folder.path()).unwrap_err();
    let own = std::process::id();
    assert!(matches!(refused, StoreError::InUse { holder, .. } if holder == Some(own)));
    assert!(refused.to_string().contains(&format!("process {own}")), "{refused}");
    let refused = SqliteJournal::cut(folder.path(), 1).unwrap_err();
    assert!(matches!(refused, StoreError::InUse { .. }), "{refused}");

    let access = journal.access().unwrap();
    drop(journal);
    let refused = SqliteJournal::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::InUse { .. }), "tokens can still be written: {refused}");
    drop(access);
    folder.journal();
}

#[test]
fn the_history_has_one_writer_too() {
    let folder = Folder::new();
    let _history = SqliteHistory::open(folder.path()).unwrap();
    let refused = SqliteHistory::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::InUse { .. }), "{refused}");
}

#[test]
fn a_reader_looks_at_a_journal_that_is_being_written() {
    let folder = Folder::new();
    let mut journal = folder.journal();
    journal.append(&entries(1, 3)).unwrap();
    let mut reader = SqliteJournal::open_read_only(folder.path()).unwrap();
    assert_eq!(reader.last().unwrap(), 3);
    journal.append(&entries(4, 4)).unwrap();
    journal.snapshot_save(&snapshot(4)).unwrap();
    assert_eq!(reader.read(3, 10).unwrap(), [entry(4)]);
    assert_eq!(reader.last().unwrap(), 4);
    assert_eq!(reader.snapshot_latest().unwrap().snapshot, Some(snapshot(4)));
    assert_eq!(reader.verify().unwrap().valid, 4);

    for refused in [
        reader.append(&entries(5, 5)).unwrap_err(),
        reader.snapshot_save(&snapshot(4)).unwrap_err(),
        reader.prune(1).unwrap_err(),
        reader.access().unwrap_err(),
    ] {
        assert!(matches!(refused, StoreError::ReadOnly { .. }), "{refused}");
    }
    drop(journal);
    assert_eq!(reader.last().unwrap(), 4, "a reader outlives the server");
}

#[test]
fn a_reader_of_nothing_is_told_so_and_makes_nothing() {
    let folder = Folder::new();
    let refused = SqliteJournal::open_read_only(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::NotThere { .. }), "{refused}");
    let refused = SqliteHistory::open_read_only(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::NotThere { .. }), "{refused}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let folder = Folder::new();
    std::fs::write(folder.journal_file(), "name,user\ntrain,user-a\n".repeat(100)).unwrap();
    let refused = SqliteJournal::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::NotOurs { kind: "journal", .. }), "{refused}");

    let folder = Folder::new();
    folder.tamper("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)");
    let refused = SqliteJournal::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::NotOurs { .. }), "{refused}");
    assert_eq!(folder.count("SELECT count(*) FROM sqlite_schema"), 1);

    drop(SqliteHistory::open(folder.path()).unwrap());
    std::fs::rename(folder.path().join("history.db"), folder.journal_file()).unwrap();
    let refused = SqliteJournal::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::NotOurs { .. }), "{refused}");
}

#[test]
fn a_file_of_a_later_release_is_refused_and_left_alone() {
    let folder = Folder::new();
    drop(folder.journal());
    folder.tamper("PRAGMA user_version = 99");
    let refused = SqliteJournal::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
    let refused = SqliteJournal::open_read_only(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
    assert_eq!(folder.count("PRAGMA user_version"), 99);
}

#[test]
fn an_emptied_or_shredded_file_is_not_taken_for_a_new_one() {
    let folder = Folder::new();
    folder.journal().append(&entries(1, 50)).unwrap();
    let whole = std::fs::read(folder.journal_file()).unwrap();
    for bytes in [0, whole.len() / 2] {
        std::fs::write(folder.journal_file(), &whole[..bytes]).unwrap();
        let refused = SqliteJournal::open(folder.path()).unwrap_err();
        assert!(matches!(refused, StoreError::Malformed { .. }), "{bytes}: {refused}");
        assert!(refused.to_string().contains("restore it from a backup"), "{refused}");
    }
    let mut shredded = whole.clone();
    shredded[100..].fill(0xA5);
    std::fs::write(folder.journal_file(), shredded).unwrap();
    let refused = SqliteJournal::open(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::Malformed { .. }), "{refused}");
}

#[test]
fn a_start_that_was_interrupted_while_making_the_file_is_started_over() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("journal.new"), "half a file").unwrap();
    std::fs::write(folder.path().join("journal.new-wal"), "half a log").unwrap();
    assert_eq!(folder.journal().append(&entries(1, 1)).unwrap(), 1);
    assert!(!folder.path().join("journal.new").exists());
}

#[test]
fn an_old_layout_is_brought_up_to_date_with_what_is_in_it() {
    let folder = Folder::new();
    let mut journal = folder.journal();
    journal.append(&entries(1, 3)).unwrap();
    journal.snapshot_save(&snapshot(2)).unwrap();
    drop(journal);
    // What the first layout did not have yet.
    folder.tamper(
        "DROP TABLE tokens; DROP TABLE audit; DROP TABLE settings; PRAGMA user_version = 1",
    );
    let refused = SqliteJournal::open_read_only(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::Older { found: 1, .. }), "{refused}");

    let mut journal = folder.journal();
    assert_eq!(journal.read(0, 10).unwrap(), [entry(1), entry(2), entry(3)]);
    assert_eq!(journal.snapshot_latest().unwrap().snapshot, Some(snapshot(2)));
    journal.access().unwrap().setting_set("cluster", Some("one")).unwrap();
    assert_eq!(journal.append(&entries(4, 4)).unwrap(), 4);
    drop(journal);
    assert!(folder.count("PRAGMA user_version") > 1);
    let journal = folder.journal();
    assert_eq!(journal.access().unwrap().setting("cluster").unwrap().as_deref(), Some("one"));
}

#[cfg(unix)]
#[test]
fn files_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mut journal = folder.journal();
    journal.append(&entries(1, 1)).unwrap();
    for name in ["journal.db", "journal.db-wal"] {
        let mode = std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}");
    }
}

#[test]
fn the_journal_is_synced_and_the_log_is_moved_by_the_checkpointer() {
    let folder = Folder::new();
    let mut journal = folder.journal();
    let checkpointer = journal.checkpointer().unwrap();
    for first in 1..=20 {
        journal.append(&entries(first, first)).unwrap();
    }
    let before = std::fs::metadata(folder.journal_file()).unwrap().len();
    journal.append(&entries(21, 5_000)).unwrap();
    assert_eq!(checkpointer.run().unwrap(), 0);
    let after = std::fs::metadata(folder.journal_file()).unwrap().len();
    assert!(after > before, "entries are in the file itself: {before} bytes, then {after}");
    assert_eq!(journal.append(&entries(5_001, 5_001)).unwrap(), 5_001);
    assert_eq!(journal.verify().unwrap().valid, 5_001);
}

#[test]
fn pruning_much_takes_several_calls() {
    let folder = Folder::new();
    let mut journal = folder.journal();
    journal.append(&entries(1, 60_000)).unwrap();
    journal.snapshot_save(&snapshot(59_000)).unwrap();
    journal.snapshot_save(&snapshot(60_000)).unwrap();
    let first = journal.prune(60_000).unwrap();
    assert!(first > 0 && first < 59_000, "{first}");
    assert_eq!(journal.first().unwrap(), Some(first + 1));
    drop(journal);
    let mut journal = folder.journal();
    assert_eq!(journal.verify().unwrap().damage, None, "a start in between finds it in order");
    assert_eq!(journal.prune(60_000).unwrap(), 59_000);
    assert_eq!(journal.prune(60_000).unwrap(), 59_000);
    drop(journal);
    assert_eq!(folder.journal().read(59_000, 1).unwrap(), [entry(59_001)]);
}

#[test]
fn writers_of_one_process_take_turns() {
    let folder = Folder::new();
    let mut journal = folder.journal();
    let mut access = journal.access().unwrap();
    let other = std::thread::spawn(move || {
        for n in 0..100 {
            access.setting_set("count", Some(&n.to_string())).unwrap();
        }
        access.setting("count").unwrap()
    });
    for first in 1..=100 {
        journal.append(&entries(first, first)).unwrap();
    }
    assert_eq!(other.join().unwrap().as_deref(), Some("99"));
    assert_eq!(journal.last().unwrap(), 100);
}

#[test]
fn views_for_people_answer() {
    let folder = Folder::new();
    folder.journal().append(&entries(1, 3)).unwrap();
    assert_eq!(folder.count("SELECT count(*) FROM journal WHERE body LIKE '%number 000002%'"), 1);
    let mut history = SqliteHistory::open(folder.path()).unwrap();
    let job = JobRow {
        id: 1,
        gpus: 1_500,
        submitted_ms: 1_000,
        started_ms: Some(3_500),
        ..JobRow::default()
    };
    let place = HeldPlace { node: "n1".to_owned(), model: "H100".to_owned(), gpus: 1_500 };
    let held = HoldingRow { job_id: 1, attempt: 1, places: vec![place], ..Default::default() };
    let left = HoldingRow { job_id: 1, attempt: 1, at_ms: 3_600_000, places: vec![] };
    let changes = [Change::Job(job), Change::Holding(held), Change::Holding(left)];
    history.record(1, &changes).unwrap();
    let connection = Connection::open(folder.path().join("history.db")).unwrap();
    let sql = "SELECT submitted || ' ' || gpus || ' ' || waited_s FROM job_list";
    let told: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(told, "1970-01-01 00:00:01 1.5 2.5");
    let sql = "SELECT day || ' ' || allocated FROM gpu_hours";
    let told: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(told, "1970-01-01 1.5");
    connection.query_row("SELECT count(*) FROM event_list", [], |_| Ok(())).unwrap();
    let reader = SqliteHistory::open_read_only(folder.path()).unwrap();
    assert_eq!(reader.job(1).unwrap().unwrap().gpus, 1_500);
}

#[test]
fn forgetting_that_was_cut_short_is_taken_up_by_the_next_start() {
    let folder = Folder::new();
    let mut history = SqliteHistory::open(folder.path()).unwrap();
    let ended = |id| Change::Job(JobRow { id, ended_ms: Some(id), ..JobRow::default() });
    history.record(1, &(1..=2_500).map(ended).collect::<Vec<_>>()).unwrap();
    let first = history.forget_before(Before::all(2_001), 0).unwrap();
    assert!(first.is_more && first.jobs > 0, "{first:?}");
    drop(history);
    let mut history = SqliteHistory::open(folder.path()).unwrap();
    assert_eq!(history.watermark().unwrap(), 1, "what is recorded stays recorded");
    let mut gone = first.jobs;
    // Ends: every call but the last forgets something.
    loop {
        let part = history.forget_before(Before::all(2_001), 0).unwrap();
        gone += part.jobs;
        if !part.is_more {
            break;
        }
    }
    assert_eq!(gone, 2_000);
}
