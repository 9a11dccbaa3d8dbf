//! `muster trace` from the outside: small files in, summaries and files out, and what is said
//! when something is wrong.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder for one test alone.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("trace-{test}"));
        fs::create_dir_all(&path).expect("a folder can be made below the target folder");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).expect("a file can be written in the test's folder");
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file was written by the command")
    }
}

fn muster(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster"));
    command.args(arguments).output().expect("the binary was built for this test")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(arguments: &[&str]) -> String {
    let output = muster(arguments);
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const SACCT: &str = "JobID|JobName|Submit|Start|Elapsed|State|AllocTRES
1|train|2024-03-01T00:00:00|2024-03-01T00:10:00|01:00:00|COMPLETED|cpu=8,gres/gpu=8,mem=64G,node=1
1.batch|batch|2024-03-01T00:10:00|2024-03-01T00:10:00|01:00:00|COMPLETED|cpu=8,gres/gpu=8
2|think|2024-03-01T00:05:00|2024-03-01T00:05:00|00:00:30|FAILED|cpu=1,mem=1G
3|late|2024-03-01T02:00:00|2024-03-01T02:00:00|soon|FAILED|cpu=1,gres/gpu=1
4|eval|2024-03-01T03:00:00|2024-03-01T03:00:00|00:00:30|FAILED|cpu=1,gres/gpu=1
";

#[test]
fn a_trace_is_shown_to_people_and_to_programs() {
    let folder = Folder::new("show");
    let file = folder.write("week.txt", SACCT);
    let text = stdout(&muster(&["trace", "show", &file, "--skip-bad-rows"]));
    assert!(text.contains("jobs       2 over 0.1 days"), "{text}");
    assert!(text.contains("5 read: 2 jobs, 1 bad, left out: 1 jobs without GPUs, 1 steps of jobs"));
    assert!(text.contains("line 5: Elapsed: `soon` is not a duration such as 1-02:03:04"));

    let json = muster(&["trace", "show", &file, "--skip-bad-rows", "--json"]);
    let summary: Value = serde_json::from_str(&stdout(&json)).expect("one JSON object");
    assert_eq!((&summary["jobs"], &summary["bad_rows"]), (&2.into(), &1.into()));
    assert_eq!(summary["left_out"]["steps of jobs"], 1);
    let warning = String::from_utf8_lossy(&json.stderr).into_owned();
    assert!(warning.starts_with("warning: left out a bad row: "), "{warning}");
}

#[test]
fn a_bad_row_stops_a_command_unless_it_is_told_to_go_on() {
    let folder = Folder::new("bad");
    let file = folder.write("week.txt", SACCT);
    let said = refused(&["trace", "show", &file]);
    assert!(said.starts_with(&format!("error: {file}: line 5: Elapsed: `soon`")), "{said}");
    assert!(said.contains("\nhint: mend the row, or leave bad rows out with --skip-bad-rows"));
}

#[test]
fn a_trace_converts_there_and_back_without_loss() {
    let folder = Folder::new("convert");
    let input = folder.write("week.txt", SACCT);
    let [lines, packed, table] = ["a.jsonl", "b.csv.gz", "c.csv"].map(|name| folder.path(name));
    let convert = |from: &str, to: &str, more: &[&str]| {
        let output = muster(&[&["trace", "convert", from, to], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let told = convert(&input, &lines, &["--format", "sacct", "--skip-bad-rows"]);
    assert!(told.ends_with("5 rows, 2 jobs written, 1 bad, 2 left out\n"), "{told}");
    convert(&lines, &packed, &["--format", "muster"]);
    convert(&packed, &table, &[]);
    let text = folder.read("c.csv");
    let row = "1,1709251200000,3600000,600000,8,,8000,65536,1,,,,,train,completed,,,,,,,,,,";
    assert_eq!(text.lines().nth(1), Some(row));
    let again = folder.path("d.jsonl");
    convert(&table, &again, &[]);
    assert_eq!(folder.read("d.jsonl"), folder.read("a.jsonl"));
}

#[test]
fn jobs_without_gpus_are_kept_on_request() {
    let folder = Folder::new("without");
    let file = folder.write("week.txt", SACCT);
    let common = ["trace", "show", &file, "--skip-bad-rows", "--json", "--jobs-without-gpus"];
    let count = |choice: &str| {
        let output = stdout(&muster(&[&common[..], &[choice]].concat()));
        let summary: Value = serde_json::from_str(&output).expect("one JSON object");
        summary["jobs"].as_u64()
    };
    assert_eq!((count("keep"), count("leave-out")), (Some(3), Some(2)));
}

#[test]
fn a_workload_is_made_from_a_seed_and_shown() {
    let folder = Folder::new("make");
    let make = |name: &str, seed: &str| {
        let file = folder.path(name);
        let size = ["--mix", "llm", "--jobs", "500", "--gpus", "256"];
        let output = muster(&[&["trace", "make"], &size[..], &["--seed", seed, &file]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder.read(name)
    };
    let first = make("a.jsonl", "3");
    assert_eq!(first, make("b.jsonl", "3"));
    assert_ne!(first, make("c.jsonl", "4"));
    let output = stdout(&muster(&["trace", "show", &folder.path("a.jsonl"), "--json"]));
    let summary: Value = serde_json::from_str(&output).expect("one JSON object");
    assert_eq!(summary["jobs"], 500);
    assert!(summary["largest_gpus"].as_f64() <= Some(64.0), "{}", summary["largest_gpus"]);
}

#[test]
fn what_cannot_be_done_is_said_with_a_way_out() {
    let folder = Folder::new("refused");
    let odd = folder.write("odd.csv", "when,who\n1,2\n");
    let simple = folder.write("s.csv", "job_id,arrival_s,service_sec,gpu_count\n1,0,1,1\n");
    let cases: [(&[&str], &str); 7] = [
        (&["trace", "show", "missing.csv"], "error: cannot open missing.csv: "),
        (&["trace", "show", &odd], "it begins with `when,who`\nhint: name it: venus, philly"),
        (&["trace", "show", &odd, "--format", "venus"], "no column job_id, vc, gpu_num"),
        (&["trace", "show", &odd, "--format", "vennus"], "expected one of venus, philly"),
        (&["trace", "convert", &simple, "out.txt"], "its name does not say how\nhint: "),
        (
            &["trace", "make", "--mix", "llm", "--jobs", "0", "--gpus", "64", "x.csv"],
            "the jobs are 0\nhint: expected 1 to",
        ),
        (
            &["trace", "make", "--mix", "big", "--jobs", "1", "--gpus", "64", "x.csv"],
            "expected one of philly, llm",
        ),
    ];
    for (arguments, wanted) in cases {
        let said = refused(arguments);
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
}
