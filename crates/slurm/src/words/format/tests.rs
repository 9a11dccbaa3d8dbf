//! Columns as Slurm 22.05 prints them.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Field, Separators, accounting, field_list, percent, sacct, sinfo, squeue};

/// A row of a pending job.
fn pending(field: &Field) -> String {
    match field.name {
        "JobArrayID" | "JobID" => "1",
        "Partition" => "p",
        "Name" => "job.sh",
        "UserName" => "root",
        "StateCompact" => "PD",
        "State" => "PENDING",
        "TimeUsed" => "0:00",
        "TimeLimit" => "1:00:00",
        "NumNodes" => "2",
        "StartTime" => "2026-11-16T06:30:39",
        "SchedNodes" => "(null)",
        "ReasonList" => "(Resources)",
        _ => "",
    }
    .to_owned()
}

fn squeue_table(text: &str) -> Vec<String> {
    percent(text, squeue::FIELDS).expect(text).table(true, &[pending])
}

#[test]
fn the_lists_of_squeue_look_as_they_do_on_slurm() {
    assert_eq!(
        squeue_table(squeue::LIST),
        [
            "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)",
            "                 1         p   job.sh     root PD       0:00      2 (Resources)",
        ]
    );
    assert_eq!(
        squeue_table(squeue::LONG)[0],
        "             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES \
         NODELIST(REASON)"
    );
    assert_eq!(
        squeue_table(squeue::START),
        [
            "             JOBID PARTITION     NAME     USER ST          START_TIME  NODES \
             SCHEDNODES           NODELIST(REASON)",
            "                 1         p   job.sh     root PD 2026-11-16T06:30:39      2 \
             (null)               (Resources)",
        ]
    );
    let steps = percent(squeue::STEP_LIST, squeue::STEPS).expect("good");
    let header = &steps.table::<fn(&Field) -> String>(true, &[])[0];
    assert_eq!(header, "         STEPID     NAME PARTITION     USER      TIME NODELIST");
}

#[test]
fn widths_fill_up_and_cut_and_points_turn_to_the_right() {
    assert_eq!(squeue_table("%.3P|%5j|%.2j|"), ["PAR|NAME |NA|", "  p|job.s|jo|"]);
    assert_eq!(squeue_table("%10i|%.10i|%.0i|%03i|")[1], "1         |         1|1|1  |");
    assert_eq!(squeue_table("id %i.")[1], "id 1.");
    assert_eq!(squeue_table("abc"), ["abc", "abc"]);
    let all = squeue_table("%all");
    assert!(all[0].starts_with("ACCOUNT|") && !all[0].ends_with('|'), "{all:?}");
}

#[test]
fn lists_of_names_have_widths_of_their_own() {
    let table = |text: &str| field_list(text, squeue::FIELDS).expect(text).table(true, &[pending]);
    assert_eq!(table("JobID:10,Name:.5,State:3"), ["JOBID      NAMESTA", "1         job.sPEN"]);
    assert_eq!(table("jobid:3x,NAME"), ["JOBxNAME                ", "1  xjob.sh              "]);
    assert_eq!(table("jobid:0|,NAME:.8"), ["JOBID|    NAME", "1|  job.sh"]);
}

#[test]
fn sinfo_makes_room_for_its_widest_names() {
    let row = |partition: &'static str| {
        move |field: &Field| {
            match field.name {
                "Partition" => partition,
                "Available" => "up",
                "Time" => "infinite",
                "Nodes" => "4",
                "StateCompact" => "idle",
                "NodeList" => "n[1-4]",
                _ => "",
            }
            .to_owned()
        }
    };
    let format = percent(sinfo::LIST, sinfo::FIELDS).expect("good");
    assert_eq!(
        format.table(true, &[row("p*")]),
        [
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST",
            "p*           up   infinite      4   idle n[1-4]",
        ]
    );
    let wide = format.table(false, &[row("p*"), row("interactive")]);
    assert!(wide[0].starts_with("p*             up"), "{wide:?}");
    let nodes = percent(sinfo::NODES, sinfo::FIELDS).expect("good").table(true, &[row("p*")]);
    assert_eq!(nodes, ["NODELIST   NODES PARTITION STATE ", "n[1-4]         4        p* idle  "]);
}

#[test]
fn sacct_prints_columns_or_bars() {
    let row = |field: &Field| match field.name {
        "JobID" => "12.batch".to_owned(),
        "JobName" => "a-long-name-of-a-job".to_owned(),
        "State" => "COMPLETED".to_owned(),
        "ExitCode" => "0:0".to_owned(),
        _ => String::new(),
    };
    let format = accounting(sacct::LIST, sacct::FIELDS).expect("good");
    assert_eq!(
        format.table(true, Separators::Columns, &[row]),
        [
            "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode ",
            "------------ ---------- ---------- ---------- ---------- ---------- -------- ",
            "12.batch     a-long-na+                                   COMPLETED      0:0 ",
        ]
    );
    let brief = accounting("JobID,State", sacct::FIELDS).expect("good");
    assert_eq!(
        brief.table(true, Separators::After, &[row]),
        ["JobID|State|", "12.batch|COMPLETED|"]
    );
    assert_eq!(brief.table(false, Separators::Between, &[row]), ["12.batch|COMPLETED"]);
    let wide = accounting("JobID%-10,state%12", sacct::FIELDS).expect("good");
    assert_eq!(wide.table(false, Separators::Columns, &[row]), ["12.batch      COMPLETED "]);
    assert_eq!(wide.fields().count(), 2);
}

#[test]
fn every_default_format_is_made_of_known_fields() {
    for text in [squeue::LIST, squeue::LONG, squeue::START] {
        assert!(percent(text, squeue::FIELDS).is_ok(), "{text}");
    }
    for text in [
        sinfo::LIST,
        sinfo::LONG,
        sinfo::SUMMARY,
        sinfo::NODES,
        sinfo::NODES_LONG,
        sinfo::REASONS,
        sinfo::REASONS_LONG,
    ] {
        assert!(percent(text, sinfo::FIELDS).is_ok(), "{text}");
    }
    for text in [sacct::LIST, sacct::BRIEF, sacct::LONG, "ALL"] {
        assert!(accounting(text, sacct::FIELDS).is_ok(), "{text}");
    }
}

#[test]
fn names_and_letters_are_unique_in_each_table() {
    for fields in [squeue::FIELDS, squeue::STEPS, sinfo::FIELDS, sacct::FIELDS] {
        let (mut names, mut letters) = (BTreeSet::new(), BTreeSet::new());
        for field in fields {
            assert!(names.insert(field.name.to_lowercase()), "{}", field.name);
            assert!(field.letter == ' ' || letters.insert(field.letter), "{}", field.letter);
        }
    }
}

#[test]
fn other_formats_are_refused_with_a_guess() {
    for text in ["%", "%5", "%?", "%-5i", "%1", "% i", "%99999i"] {
        let refused = percent(text, squeue::FIELDS).expect_err(text).to_string();
        assert!(refused.contains("expected fields such as `%.18i`"), "{refused}");
    }
    let refused = field_list("JobIDs", squeue::FIELDS).expect_err("no such field");
    assert_eq!(refused.meant.as_deref(), Some("JobID"));
    let refused = accounting("Stated", sacct::FIELDS).expect_err("no such field");
    assert_eq!(refused.meant.as_deref(), Some("State"));
    for text in ["", "JobID%x", "JobID%99999", "JobID%"] {
        assert!(accounting(text, sacct::FIELDS).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_format_is_read_or_refused(text in "[%.#0-9a-zA-Z|, é:-]{0,20}", value in ".{0,12}") {
        let row = |_: &Field| value.clone();
        if let Ok(format) = percent(&text, squeue::FIELDS) {
            prop_assert_eq!(format.table(true, &[row]).len(), 2);
        }
        if let Ok(format) = field_list(&text, sinfo::FIELDS) {
            prop_assert_eq!(format.table(false, &[row]).len(), 1);
        }
        if let Ok(format) = accounting(&text, sacct::FIELDS) {
            prop_assert_eq!(format.table(true, Separators::Columns, &[row]).len(), 3);
        }
    }
}
