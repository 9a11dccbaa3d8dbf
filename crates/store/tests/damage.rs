//! Damage to the journal: a tail is cut and told of, a middle refuses and says what to do, and
//! nothing that was read is ever something else than what was written.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

mod support;

use muster_store::{
    Cut, Fault, Journal, LatestSnapshot, Place, SqliteJournal, StoreError, Warning,
};
use support::{Folder, entries, entry, snapshot};

/// A closed journal of ten entries, with snapshots where given.
fn journal_of_ten(snapshots: &[u64]) -> Folder {
    let folder = Folder::new();
    let mut journal = folder.journal();
    journal.append(&entries(1, 10)).unwrap();
    for &sequence in snapshots {
        journal.snapshot_save(&snapshot(sequence)).unwrap();
    }
    drop(journal);
    folder
}

/// The entry at which the journal refuses to open, and why.
fn refusal(folder: &Folder) -> (u64, Fault) {
    match SqliteJournal::open(folder.path()).unwrap_err() {
        StoreError::DamagedMiddle { sequence, what } => (sequence, what),
        other => panic!("refused for another reason: {other}"),
    }
}

fn warnings(folder: &Folder) -> Vec<Warning> {
    SqliteJournal::open(folder.path()).unwrap().warnings
}

const SET_ASIDE: &str = "SELECT count(*) FROM damaged WHERE kind = 'entries'";

#[test]
fn damaged_tail_is_cut_set_aside_and_told_of_once() {
    let folder = journal_of_ten(&[5]);
    folder.tamper("UPDATE entries SET body = x'00' WHERE sequence IN (9, 10)");
    let reader = SqliteJournal::open_read_only(folder.path()).unwrap();
    let damage = reader.verify().unwrap().damage.unwrap();
    assert_eq!((damage.sequence, damage.what), (9, Fault::Altered));
    assert_eq!(damage.place, Place::Tail);
    drop(reader);

    let mut opened = SqliteJournal::open(folder.path()).unwrap();
    assert_eq!(opened.warnings, [Warning::TailCut { last: 8, set_aside: 2 }]);
    let told = opened.warnings[0].to_string();
    assert!(told.contains("ends at entry 8") && told.contains("`damaged`"), "{told}");
    assert_eq!(opened.journal.last().unwrap(), 8);
    assert_eq!(opened.journal.append(&entries(9, 9)).unwrap(), 9);
    assert_eq!(opened.journal.read(7, 10).unwrap(), [entry(8), entry(9)]);
    drop(opened);
    assert_eq!(folder.count(SET_ASIDE), 2);
    assert_eq!(folder.count("SELECT sum(sequence) FROM damaged"), 19);
    assert_eq!(warnings(&folder), []);
}

#[test]
fn every_field_of_the_last_entry_is_covered_by_its_checksum() {
    for change in [
        "time_ms = time_ms + 1",
        "version = 8",
        "version = -1",
        "crc = crc + 1",
        "body = CAST(body || ' ' AS BLOB)",
        "body = x''",
        "sequence = 11",
        "time_ms = -1",
    ] {
        let folder = journal_of_ten(&[]);
        folder.tamper(&format!("UPDATE entries SET {change} WHERE sequence = 10"));
        let cut = Warning::TailCut { last: 9, set_aside: 1 };
        assert_eq!(warnings(&folder), [cut], "{change}");
    }
}

#[test]
fn a_changed_byte_in_the_file_is_found_at_the_tail_and_in_the_middle() {
    let folder = journal_of_ten(&[]);
    folder.overwrite("number 000010", "number 000011");
    assert_eq!(warnings(&folder), [Warning::TailCut { last: 9, set_aside: 1 }]);

    let folder = journal_of_ten(&[]);
    folder.overwrite("number 000004", "Number 000004");
    assert_eq!(refusal(&folder), (4, Fault::Altered));
}

#[test]
fn damaged_middle_refuses_and_says_what_to_do() {
    let folder = journal_of_ten(&[]);
    folder.tamper("UPDATE entries SET body = x'00' WHERE sequence = 4");
    let refused = SqliteJournal::open(folder.path()).unwrap_err().to_string();
    for part in ["entry 4", "damaged", "backup", "muster journal cut --at 4"] {
        assert!(refused.contains(part), "no `{part}` in: {refused}");
    }
    assert_eq!(refusal(&folder), (4, Fault::Altered), "refusing changes nothing");
    assert_eq!(folder.count(SET_ASIDE), 0);
}

#[test]
fn a_missing_entry_refuses_and_names_it() {
    let folder = journal_of_ten(&[]);
    folder.tamper("DELETE FROM entries WHERE sequence IN (6, 7)");
    assert_eq!(refusal(&folder), (6, Fault::Missing));

    let folder = journal_of_ten(&[]);
    folder.tamper("DELETE FROM entries WHERE sequence = 1");
    assert_eq!(refusal(&folder), (1, Fault::Missing));

    let folder = journal_of_ten(&[3, 5]);
    folder.tamper("DELETE FROM entries WHERE sequence <= 4");
    assert_eq!(refusal(&folder), (4, Fault::Missing), "the older snapshot leads nowhere");

    let folder = journal_of_ten(&[5]);
    folder.tamper("DELETE FROM entries; DELETE FROM damaged; UPDATE snapshots SET crc = 0");
    assert_eq!(refusal(&folder), (1, Fault::Missing), "nothing valid is left");
}

#[test]
fn damage_that_a_snapshot_covers_is_no_tail() {
    let folder = journal_of_ten(&[10]);
    folder.tamper("UPDATE entries SET body = x'00' WHERE sequence = 10");
    assert_eq!(refusal(&folder), (10, Fault::Altered));
    folder.tamper("DELETE FROM entries WHERE sequence = 10");
    assert_eq!(refusal(&folder), (10, Fault::Missing));
}

#[test]
fn cutting_at_damage_that_a_snapshot_covers_loses_nothing() {
    let folder = journal_of_ten(&[3, 8]);
    folder.tamper("UPDATE entries SET body = x'00' WHERE sequence = 5");
    let cut = SqliteJournal::cut(folder.path(), 5).unwrap();
    assert_eq!(cut, Cut { covered_by: Some(8), set_aside: 8, lost: 0, last: 10 });
    let mut journal = folder.journal();
    assert_eq!(journal.snapshot_latest().unwrap().snapshot, Some(snapshot(8)));
    assert_eq!(journal.read(8, 10).unwrap(), [entry(9), entry(10)]);
    assert_eq!(journal.append(&entries(11, 11)).unwrap(), 11);
    drop(journal);
    assert_eq!(folder.count(SET_ASIDE), 8);
}

#[test]
fn cutting_elsewhere_ends_the_journal_before_the_damage() {
    let folder = journal_of_ten(&[3]);
    folder.tamper("UPDATE entries SET body = x'00' WHERE sequence = 7");
    let cut = SqliteJournal::cut(folder.path(), 7).unwrap();
    assert_eq!(cut, Cut { covered_by: None, set_aside: 4, lost: 3, last: 6 });
    let mut journal = folder.journal();
    assert_eq!(journal.append(&entries(7, 7)).unwrap(), 7);
    assert_eq!(journal.read(5, 10).unwrap(), [entry(6), entry(7)]);
}

#[test]
fn all_that_refuses_can_be_cut_until_it_opens() {
    for (sql, at) in [
        ("DELETE FROM entries WHERE sequence < 5", 4),
        ("DELETE FROM entries", 4),
        ("DELETE FROM entries WHERE sequence = 10", 10),
        ("UPDATE entries SET sequence = -sequence WHERE sequence = 2", 0),
        ("UPDATE snapshots SET crc = 0; DELETE FROM entries", 1),
        ("UPDATE snapshots SET crc = 0; DELETE FROM entries WHERE sequence = 1", 1),
    ] {
        let folder = journal_of_ten(&[3, 10]);
        folder.tamper(sql);
        assert_eq!(refusal(&folder).0, at, "{sql}");
        SqliteJournal::cut(folder.path(), at).unwrap();
        let mut journal = folder.journal();
        let last = journal.last().unwrap();
        assert_eq!(journal.append(&entries(last + 1, last + 1)).unwrap(), last + 1, "{sql}");
        assert_eq!(journal.read(last, 10).unwrap(), [entry(last + 1)], "{sql}");
        assert_eq!(journal.verify().unwrap().damage, None, "{sql}");
    }
}

#[test]
fn a_damaged_snapshot_is_passed_over_and_told_of() {
    let folder = journal_of_ten(&[3, 8]);
    folder.overwrite("state after 000008", "state after 000009");
    let opened = SqliteJournal::open(folder.path()).unwrap();
    assert_eq!(opened.warnings, [Warning::SnapshotDamaged { sequence: 8 }]);
    let mut journal = opened.journal;
    let want = LatestSnapshot { snapshot: Some(snapshot(3)), damaged: vec![8] };
    assert_eq!(journal.snapshot_latest().unwrap(), want);
    assert_eq!(journal.snapshot_at_or_before(9).unwrap(), Some(snapshot(3)));

    let refused = journal.prune(3).unwrap_err();
    assert!(matches!(refused, StoreError::DamagedSnapshot { sequence: 8 }), "{refused}");
    journal.snapshot_save(&snapshot(9)).unwrap();
    assert_eq!(journal.prune(9).unwrap(), 3, "the damaged one does not count as kept");
    let want = LatestSnapshot { snapshot: Some(snapshot(9)), damaged: vec![] };
    assert_eq!(journal.snapshot_latest().unwrap(), want);
}

#[test]
fn snapshot_that_is_damaged_while_the_journal_is_open_goes_with_the_next_but_one() {
    let folder = journal_of_ten(&[3, 5]);
    let mut journal = folder.journal();
    folder.tamper("UPDATE snapshots SET crc = 0 WHERE sequence = 5");
    journal.snapshot_save(&snapshot(8)).unwrap();
    let refused = journal.prune(9).unwrap_err();
    assert!(matches!(refused, StoreError::DamagedSnapshot { sequence: 5 }), "{refused}");
    assert_eq!(journal.first().unwrap(), Some(1), "no entry goes that nothing stands in for");
    journal.snapshot_save(&snapshot(9)).unwrap();
    assert_eq!(journal.prune(9).unwrap(), 8);
}

#[test]
fn reading_stops_before_a_bad_entry_and_never_skips_one() {
    let folder = journal_of_ten(&[]);
    folder.tamper("UPDATE entries SET body = x'00' WHERE sequence = 4");
    folder.tamper("DELETE FROM entries WHERE sequence = 7");
    let journal = SqliteJournal::open_read_only(folder.path()).unwrap();
    assert_eq!(journal.read(0, 100).unwrap(), [entry(1), entry(2), entry(3)]);
    let fault = |after| match journal.read(after, 100).unwrap_err() {
        StoreError::DamagedEntry { sequence, what } => (sequence, what),
        other => panic!("failed for another reason: {other}"),
    };
    assert_eq!(fault(3), (4, Fault::Altered));
    assert_eq!(journal.read(4, 100).unwrap(), [entry(5), entry(6)]);
    assert_eq!(fault(6), (7, Fault::Missing));
    let found = journal.verify().unwrap();
    assert_eq!((found.valid, found.altered, found.last_valid), (8, 1, Some(10)));
    let damage = found.damage.unwrap();
    assert_eq!((damage.sequence, damage.what), (4, Fault::Altered));
    assert_eq!(damage.place, Place::Middle);
}

/// Whatever happens to one byte of the file, nothing wrong is ever read: the journal opens with
/// what was written, or part of it and a warning, or it refuses.
#[test]
fn no_changed_byte_anywhere_makes_a_journal_lie() {
    let folder = Folder::new();
    let mut journal = folder.journal();
    journal.append(&entries(1, ENTRIES)).unwrap();
    journal.snapshot_save(&snapshot(40)).unwrap();
    journal.snapshot_save(&snapshot(80)).unwrap();
    drop(journal);
    let whole = std::fs::read(folder.journal_file()).unwrap();
    let mut refused = 0;
    let mut mask = 1_u8;
    // A prime step visits all parts of all pages in a moment.
    for at in (0..whole.len()).step_by(STEP) {
        mask = mask.rotate_left(3) ^ 0x11;
        let mut bytes = whole.clone();
        bytes[at] ^= mask.max(1);
        for leftover in ["journal.db-wal", "journal.db-shm"] {
            std::fs::remove_file(folder.path().join(leftover)).ok();
        }
        std::fs::write(folder.journal_file(), bytes).unwrap();
        let Ok(opened) = SqliteJournal::open(folder.path()) else {
            refused += 1;
            continue;
        };
        let journal = opened.journal;
        let last = journal.last().unwrap();
        assert!(last == ENTRIES || !opened.warnings.is_empty(), "byte {at}: lost in silence");
        let read = journal.read(0, 1_000).unwrap();
        let want: Vec<_> = (1..=last).map(entry).collect();
        assert!(read == want, "byte {at}: {} entries of {last}", read.len());
        if let Some(found) = journal.snapshot_latest().unwrap().snapshot {
            assert_eq!(found, snapshot(found.sequence), "byte {at}");
        }
    }
    assert!(refused > 0, "some of these bytes matter");
}

/// Enough entries for a tree of several pages.
const ENTRIES: u64 = 200;
const STEP: usize = 211;

#[test]
fn going_back_sets_whole_entries_aside_and_keeps_what_leads_there() {
    let folder = journal_of_ten(&[3, 8]);
    let cut = SqliteJournal::cut_back(folder.path(), 6).unwrap();
    assert_eq!(cut, Cut { covered_by: None, set_aside: 5, lost: 5, last: 5 });
    assert_eq!(folder.count(SET_ASIDE), 5);
    let mut journal = folder.journal();
    assert_eq!(journal.snapshot_latest().unwrap().snapshot, Some(snapshot(3)));
    assert_eq!(journal.append(&entries(6, 6)).unwrap(), 6, "it goes on from there");
}

#[test]
fn going_back_to_where_nothing_leads_is_refused_and_changes_nothing() {
    let folder = journal_of_ten(&[5, 8]);
    for from in [0, 1, 11] {
        let refused = SqliteJournal::cut_back(folder.path(), from).unwrap_err();
        assert!(matches!(refused, StoreError::NoWayBack { .. }), "{from}: {refused}");
    }
    let mut journal = folder.journal();
    assert_eq!(journal.prune(10).unwrap(), 5);
    drop(journal);
    let refused = SqliteJournal::cut_back(folder.path(), 5).unwrap_err();
    assert!(matches!(refused, StoreError::NoWayBack { from: 5 }), "{refused}");
    let cut = SqliteJournal::cut_back(folder.path(), 6).unwrap();
    assert_eq!((cut.last, cut.set_aside), (5, 5), "the snapshot at 5 is enough");
    assert_eq!(folder.journal().last().unwrap(), 5);
}
