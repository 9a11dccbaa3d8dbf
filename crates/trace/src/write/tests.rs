//! What is written reads back the same, in both ways and packed; and says how it is written.

use std::path::Path;

use muster_model::{Mib, MilliCpu, MilliGpu, Millis, Time};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use super::{Packing, Written};
use crate::flat::{COLUMNS, Flat};
use crate::job::{GpuRange, Gpus, Job, Outcome, Saving, Text};
use crate::read::ReadOptions;
use crate::trace::Trace;

/// Texts with everything that could be mistaken for the form around them.
fn text() -> impl Strategy<Value = Text> {
    let odd = vec(prop::sample::select(ODD.to_vec()), 1..6).prop_map(|parts| parts.concat());
    prop_oneof!["[a-z0-9]{1,8}", odd, "\\PC{1,6}"].prop_map(Text::from)
}

const ODD: [&str; 14] =
    [",", "\"", "\n", "\r", "\r\n", "|", " ", "\t", "'", "\u{feff}", "é", "{", "\\", "-1"];

fn model() -> impl Strategy<Value = Text> {
    "[A-Z0-9,\"-]{1,6}".prop_map(Text::from)
}

fn span() -> impl Strategy<Value = Millis> {
    prop_oneof![Just(0), 0..1_000_000_u64, Just(315_360_000_000)].prop_map(Millis)
}

fn moment() -> impl Strategy<Value = Time> {
    prop_oneof![0..10_u64, 0..253_402_300_799_999_u64].prop_map(Time)
}

fn gpus() -> impl Strategy<Value = Gpus> {
    let share = (1..1000_u64).prop_map(|milli| Gpus::Share(MilliGpu(milli)));
    prop_oneof![(0..=1_048_576_u32).prop_map(Gpus::Whole), share]
}

fn saving() -> impl Strategy<Value = Option<Box<Saving>>> {
    let memory = (0..1_u64 << 40).prop_map(Mib);
    (of(span()), of(span()), of(span()), of(memory)).prop_map(|(every, save, restore, state)| {
        let saving = Saving { every, save, restore, state };
        // What says nothing is not there.
        Some(Box::new(saving)).filter(|saving| **saving != Saving::default())
    })
}

fn job() -> impl Strategy<Value = Job> {
    let asked =
        (gpus(), of(0..1_u64 << 39), of(0..1_u64 << 40), of(1..100_u32), vec(model(), 0..4));
    let who = (text(), of(text()), of(text()), of(text()), of(text()), of(text()));
    let when = (moment(), span(), of(span()), of(span()), of(span()), of(moment()));
    let elastic = of((1..100_u32, 0..100_u32));
    let outcome = prop::sample::select(Outcome::ALL.to_vec());
    (asked, who, when, (elastic, outcome, saving())).prop_map(|(asked, who, when, rest)| {
        let (gpus, cpus, memory, nodes, models) = asked;
        let (id, user, team, pool, name, class) = who;
        let (submit, duration, waited, limit, estimate, deadline) = when;
        let (elastic, outcome, saving) = rest;
        Job {
            id,
            submit,
            duration,
            waited,
            gpus,
            cpus: cpus.map(MilliCpu),
            memory: memory.map(Mib),
            nodes,
            models,
            user,
            team,
            pool,
            name,
            outcome,
            limit,
            estimate,
            deadline,
            class,
            saving,
            elastic: elastic.map(|(min, more)| GpuRange { min, max: min + more }),
        }
    })
}

proptest! {
    #[test]
    fn a_trace_reads_back_as_it_was_written(jobs in vec(job(), 0..12)) {
        let trace = Trace::new("test", jobs);
        for written in [Written::Csv, Written::JsonLines] {
            let bytes = trace.write(Vec::new(), written).unwrap();
            if trace.jobs.is_empty() && written == Written::JsonLines {
                // An empty file says nothing, not even its format.
                prop_assert!(bytes.is_empty());
                continue;
            }
            let read = Trace::read("test", bytes.as_slice(), &ReadOptions::default());
            prop_assert_eq!(&read.unwrap(), &trace, "{}", String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn a_job_that_could_not_be_read_back_is_not_written() {
    let mut job = Job::new("1", Time(0), Millis(0), Gpus::Whole(1));
    job.user = Some("".into());
    let trace = Trace::new("test", vec![job]);
    for written in [Written::Csv, Written::JsonLines] {
        let error = trace.write(Vec::new(), written).unwrap_err();
        assert_eq!(error.to_string(), "job 1: user: empty, which says nothing");
    }
}

#[test]
fn files_are_written_as_their_names_ask() {
    let cases = [
        ("a.csv", Written::Csv, Packing::Plain),
        ("a.jsonl", Written::JsonLines, Packing::Plain),
        ("a.b/c.ndjson.gz", Written::JsonLines, Packing::Gzip),
        ("a.csv.gz", Written::Csv, Packing::Gzip),
    ];
    for (name, written, packing) in cases {
        assert_eq!(Written::by_name(Path::new(name)).unwrap(), (written, packing), "{name}");
    }
    for name in ["a", "a.gz", "a.csv.zst", "a.parquet"] {
        let error = Written::by_name(Path::new(name)).unwrap_err().to_string();
        assert!(error.contains("hint: let it end with .csv, .jsonl, "), "{error}");
    }
}

#[test]
fn the_columns_of_both_ways_are_the_same() {
    let mut job = Job::new("1", Time(1), Millis(2), Gpus::Whole(3));
    let said = Some(Text::from("x"));
    (job.waited, job.limit, job.estimate) = (Some(Millis(4)), Some(Millis(5)), Some(Millis(6)));
    (job.cpus, job.memory, job.nodes) = (Some(MilliCpu(7)), Some(Mib(8)), Some(9));
    (job.user, job.team, job.pool) = (said.clone(), said.clone(), said.clone());
    (job.name, job.class, job.models) = (said.clone(), said.clone(), said.into_iter().collect());
    (job.deadline, job.elastic) = (Some(Time(10)), Some(GpuRange { min: 1, max: 2 }));
    let all = Some(Millis(11));
    let saving = Saving { every: all, save: all, restore: all, state: Some(Mib(12)) };
    job.saving = Some(Box::new(saving));
    let whole = serde_json::to_value(Flat::from(&job)).unwrap();
    job.gpus = Gpus::Share(MilliGpu(13));
    let share = serde_json::to_value(Flat::from(&job)).unwrap();
    for column in COLUMNS {
        assert!(whole.get(column).or(share.get(column)).is_some(), "{column}");
    }
    let keys = |value: &serde_json::Value| value.as_object().unwrap().len();
    assert_eq!((keys(&whole), keys(&share)), (COLUMNS.len() - 1, COLUMNS.len() - 1));

    let trace = Trace::new("test", vec![job]);
    let text = String::from_utf8(trace.write(Vec::new(), Written::Csv).unwrap()).unwrap();
    let wanted = "1,1,2,4,,13,7,8,9,x,x,x,x,x,unknown,5,6,10,x,11,11,11,12,1,2";
    assert_eq!(text.lines().nth(1), Some(wanted));
}
