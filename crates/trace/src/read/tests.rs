//! Whole small files through the reader: jobs, bad rows, what is left out, compression, order.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use muster_model::{Millis, Time};

use super::{Format, Jobs, OnBadRow, ReadOptions, WithoutGpus};
use crate::error::TraceError;
use crate::job::{Gpus, Outcome};
use crate::trace::{FIRST_BAD_MAX, LeftOut, Trace};

const SIMPLE: &str = "job_id,arrival_s,service_sec,gpu_count\n";

const SKIP: ReadOptions =
    ReadOptions { format: None, on_bad_row: OnBadRow::Skip, without_gpus: WithoutGpus::ByFormat };

fn simple(rows: &str) -> Trace {
    read(&format!("{SIMPLE}{rows}"))
}

fn read(text: &str) -> Trace {
    let trace = Trace::read("test", text.as_bytes(), &SKIP).unwrap();
    let tally = &trace.tally;
    assert_eq!(tally.rows, tally.jobs + tally.bad + tally.left_out_in_all());
    assert_eq!(tally.jobs, trace.jobs.len() as u64);
    trace
}

fn ids(trace: &Trace) -> Vec<&str> {
    trace.jobs.iter().map(|job| &*job.id).collect()
}

/// The bad rows as they are told.
fn bad(trace: &Trace) -> Vec<String> {
    trace.tally.first_bad.iter().map(ToString::to_string).collect()
}

#[test]
fn jobs_are_in_order_of_submission_and_equal_moments_keep_the_order_of_the_file() {
    let trace = simple("c,5,1,1\nb,5,1,1\nz,0,1,1\na,5,1,1\ny,0,1,1\n");
    assert_eq!(ids(&trace), ["z", "y", "c", "b", "a"]);
    assert_eq!(trace.span(), Some((Time(0), Time(5_000))));
    assert_eq!(trace.length(), Millis::seconds(5));
}

#[test]
fn a_bad_row_is_told_with_its_line_column_and_reason() {
    let trace = simple("1,0,60,8\n\n2,zero,60,8\n3,0,60\n4,0,60,8,9\n5,0,-1,8\n,0,1,1\n6,1,1,1\n");
    assert_eq!(ids(&trace), ["1", "6"]);
    assert_eq!(
        bad(&trace),
        [
            "line 4: arrival_s: `zero` is not a time in seconds",
            "line 5: 3 columns, expected 4 as in the header",
            "line 6: 5 columns, expected 4 as in the header",
            "line 7: service_sec: `-1` is not a duration in seconds",
            "line 8: job_id: empty, expected a value",
        ]
    );
    assert_eq!(trace.tally.rows, 7);
}

#[test]
fn the_first_bad_row_is_an_error_unless_they_are_skipped() {
    let text = format!("{SIMPLE}1,0,60,8\n2,0,60,many\n3,0,sixty,1\n");
    let error = Trace::read("tiny.csv", text.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tiny.csv: line 3: gpu_count: `many` is not a whole number\n\
         hint: mend the row, or leave bad rows out with --skip-bad-rows"
    );
}

#[test]
fn after_an_error_there_are_no_more_jobs() {
    let text = format!("{SIMPLE}1,0,60,x\n2,0,60,1\n");
    let mut jobs = Jobs::begin("tiny", text.as_bytes(), &ReadOptions::default()).unwrap();
    assert!(jobs.next().unwrap().is_err());
    assert!(jobs.next().is_none());
}

#[test]
fn values_beyond_the_bounds_of_the_model_are_bad_rows() {
    let trace = simple("1,0,1,4294967295\n2,0,400000000,1\n3,99999999999999,1,1\n4,0,1,1\n");
    assert_eq!(ids(&trace), ["4"]);
    assert_eq!(
        bad(&trace),
        [
            "line 2: gpus: 4294967295 is not allowed, expected 0 to 1048576",
            "line 3: duration_ms: 400000000000 is not allowed, expected 0 to 315360000000",
            "line 4: submit_ms: 99999999999999000 is not allowed, expected 0 to 253402300799999",
        ]
    );
}

#[test]
fn only_the_first_bad_rows_are_kept_and_all_are_counted() {
    let trace = simple(&"x\n".repeat(FIRST_BAD_MAX + 50));
    assert_eq!(trace.tally.bad, FIRST_BAD_MAX as u64 + 50);
    assert_eq!(trace.tally.first_bad.len(), FIRST_BAD_MAX);
}

#[test]
fn jobs_without_gpus_are_left_out_or_kept_and_never_lost() {
    let text = format!("{SIMPLE}1,0,1,0\n2,0,1,1\n");
    let kept = ReadOptions { without_gpus: WithoutGpus::Keep, ..SKIP };
    assert_eq!(read(&text).tally.left_out[&LeftOut::WithoutGpus], 1);
    let trace = Trace::read("test", text.as_bytes(), &kept).unwrap();
    assert_eq!((ids(&trace), trace.tally.left_out.len()), (vec!["1", "2"], 0));

    let pods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,1,0,0\n";
    assert_eq!(read(pods).jobs[0].gpus, Gpus::NONE);
    let without = ReadOptions { without_gpus: WithoutGpus::LeaveOut, ..SKIP };
    let trace = Trace::read("test", pods.as_bytes(), &without).unwrap();
    assert_eq!(trace.tally.left_out[&LeftOut::WithoutGpus], 1);
}

#[test]
fn line_ends_of_other_systems_marks_and_missing_ends_make_no_difference() {
    let plain = simple("1,0,60,8\n2,1,1,1\n");
    let others = [
        format!("{SIMPLE}1,0,60,8\n2,1,1,1").replace('\n', "\r\n"),
        format!("\u{feff}{SIMPLE}1,0,60,8\n2,1,1,1"),
        format!("\n\n{SIMPLE}\n1,0,60,8\n   \n2,1,1,1\n\n"),
        "gpu_count, arrival_s ,service_sec,JOB_ID,more\n8,0,60,1,x\n 1, 1, 1, 2,y\n".to_owned(),
        "\"job_id\",\"arrival_s\",\"service_sec\",\"gpu_count\"\n\"1\",0,60,8\n2,1,\"1\",1\n"
            .to_owned(),
    ];
    for text in others {
        assert_eq!(read(&text), plain, "{text:?}");
    }
}

#[test]
fn compressed_files_are_read_like_plain_ones() {
    let text = format!("{SIMPLE}1,0,60,8\n2,1,1,1\n");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), level);
    for packed in [gzip, zstd] {
        let trace = Trace::read("test", packed.as_slice(), &SKIP).unwrap();
        assert_eq!(trace, read(&text));
        let cut = Trace::read("cut", &packed[..packed.len() - 9], &SKIP).unwrap_err();
        let said = cut.to_string();
        assert!(said.starts_with("cannot read cut to its end: "), "{said}");
        assert!(said.ends_with("\nhint: is the file complete?"), "{said}");
    }
}

#[test]
fn what_has_no_known_beginning_is_refused_with_the_formats() {
    for text in ["when,who\n1,2\n", "", "\u{1}\u{2}"] {
        let error = Trace::read("odd", text.as_bytes(), &SKIP).unwrap_err();
        assert!(matches!(error, TraceError::UnknownFormat { .. }), "{error}");
        assert!(error.to_string().contains("hint: name it: venus, philly, itp"), "{error}");
    }
}

#[test]
fn a_header_without_the_columns_of_its_format_is_refused() {
    let cases = [
        (Format::Venus, "job_id,vc\n", "no column gpu_num, submit_time, duration"),
        (Format::Simple, "", "it is empty"),
        (Format::Philly, "\"timestamp\n", "line 1: a quote is opened and not closed"),
        (Format::Sacct, "JobID|Submit|Elapsed\n", "no column AllocTRES, ReqTRES"),
        (Format::Muster, "id,submit_ms,duration_ms,deadline\n", "the column `deadline` is not"),
    ];
    for (format, text, reason) in cases {
        let options = ReadOptions { format: Some(format), ..SKIP };
        let error = Trace::read("file", text.as_bytes(), &options).unwrap_err().to_string();
        let wanted = format!("file is not a trace of format {format}: {reason}");
        assert!(error.starts_with(&wanted), "{error}");
        assert!(error.contains("\nhint: "), "{error}");
    }
}

#[test]
fn a_source_that_breaks_is_an_error_and_not_an_end() {
    struct Breaks(&'static [u8]);
    impl Read for Breaks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("the cable"));
            }
            self.0.read(buffer)
        }
    }
    let error = Trace::read("far", Breaks(SIMPLE.as_bytes()), &SKIP).unwrap_err();
    assert!(error.to_string().starts_with("cannot read far to its end: the cable"), "{error}");
}

#[test]
fn a_line_beyond_any_row_is_one_bad_row() {
    let long = "x".repeat((1 << 20) + 5);
    let trace = simple(&format!("{long}\n1,0,1,1\n"));
    assert_eq!(bad(&trace), ["line 2: the line is longer than 1 MiB"]);
    assert_eq!(ids(&trace), ["1"]);
}

#[test]
fn texts_that_repeat_are_kept_once() {
    let text = "job_id,user,vc,gpu_num,cpu_num,state,submit_time,duration\n\
                1,u,v,1,1,COMPLETED,0,1\n2,u,v,1,1,FAILED,0,1\n";
    let trace = read(text);
    let [first, second] = [&trace.jobs[0], &trace.jobs[1]];
    let same = |one: &Option<crate::Text>, other: &Option<crate::Text>| {
        std::sync::Arc::ptr_eq(one.as_ref().unwrap(), other.as_ref().unwrap())
    };
    assert!(same(&first.user, &second.user) && same(&first.pool, &second.pool));
    assert_eq!((first.outcome, second.outcome), (Outcome::Completed, Outcome::Failed));
}
