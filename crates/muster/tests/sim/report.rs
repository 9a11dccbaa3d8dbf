//! The report that people read: one file, well-formed, with the figures of the JSON.

use std::fs;

use serde_json::Value;

use super::support::{FIGURES, file, path, refused, sim, stdout};

const JOBS: &str = "job_id,arrival_s,service_sec,gpu_count\n\
                    1,0,36000,16\n2,600,7200,8\n3,1200,300,1\n4,1800,1800,8\n";

#[test]
fn a_report_has_the_figures_of_the_json_and_needs_nothing_from_elsewhere() {
    let jobs = file("report.csv", JOBS);
    let (json, html) = (path("report.json"), path("report.html"));
    let common = ["--trace", &jobs, "--cluster", "2x8:H100", "--policy", "muster,srtf,fifo"];
    let output = ["--json", &json, "--report", &html, "--price", "2.50"];
    stdout(&sim(&[&common[..], &output].concat()));
    let page = fs::read_to_string(&html).unwrap();
    let runs: Vec<Value> = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let keys = || FIGURES.into_iter().chain(["policy"]);
    for (run, key) in runs.iter().flat_map(|run| keys().map(move |key| (run, key))) {
        let found = match &run[key] {
            Value::String(text) => page.contains(&format!(">{text}<")),
            figure => page.contains(&format!("value=\"{figure}\"")),
        };
        assert!(found, "{key} of {} is not in the report: {}", run["policy"], run[key]);
    }
    assert_well_formed(&page);
    for elsewhere in ["http", "src=", "href=", "@import", "url(", "<script", "//"] {
        assert!(!page.contains(elsewhere), "the report has {elsewhere}");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("max-width: 40rem"));
}

/// Every element that is opened is closed, in order, and no mark stands where text should.
fn assert_well_formed(page: &str) {
    let rest = page.strip_prefix("<!DOCTYPE html>\n").expect("it says what it is");
    let mut open: Vec<&str> = Vec::new();
    for part in rest.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{text:?} has a stray mark");
        let name = tag.split_whitespace().next().unwrap_or_default();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed out of order");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "a value of <{tag}> does not end");
    }
    assert_eq!(open, Vec::<&str>::new(), "not closed");
}

#[test]
fn what_cannot_be_written_is_said_before_anything_runs_and_leaves_nothing() {
    let jobs = file("unwritable.csv", JOBS);
    let common = ["--trace", &jobs, "--cluster", "2x8:H100"];
    let folder = path("unwritable");
    fs::create_dir_all(&folder).unwrap();
    let nowhere = path("no-such-folder/out.html");
    for (arguments, said) in [
        (&["--report", nowhere.as_str()][..], "there is no folder"),
        (&["--report", folder.as_str()], "it is a folder"),
        (&["--report", "-"], "a report is written to a file"),
        (&["--price", "2"], "a price is only used in a report"),
        (&["--report", "x.html", "--price=-1"], "a price cannot be -1"),
    ] {
        let error = refused(&[&common[..], arguments].concat());
        assert!(error.starts_with("error: ") && error.contains(said), "{error}");
        assert!(error.contains("\nhint: "), "{error}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "something was left behind");
    assert!(!fs::exists("x.html").unwrap());
}

#[test]
fn an_unreadable_trace_or_cluster_writes_no_report() {
    let html = path("never.html");
    for arguments in [
        &["--trace", "no-such-file.csv"][..],
        &["--jobs", "5", "--cluster", "no-such-file.toml"],
        &["--jobs", "5", "--policy", "muster,best"],
    ] {
        let error = refused(&[arguments, &["--report", &html]].concat());
        assert!(error.starts_with("error: ") && error.contains("\nhint: "), "{error}");
        assert!(!fs::exists(&html).unwrap(), "{error}");
    }
}
