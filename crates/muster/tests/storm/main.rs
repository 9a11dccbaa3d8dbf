//! Kills server, agents, launchers and all of them while jobs run, and judges what became of the
//! jobs. A program of its own, without the usual test harness: its tasks are itself.

mod chance;
mod cluster;
mod http;
mod judge;
mod kills;
mod options;
mod story;
mod submitters;
mod task;
mod watch;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use options::Options;
use story::Story;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("task") => return task::run(&words[1..]),
        Some("linger") => return task::linger(&words[1..]),
        _ => {}
    }
    let options = match Options::read(&words) {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("error: {wrong}");
            return ExitCode::FAILURE;
        }
    };
    let report = storm(options);
    if options.json {
        println!("{}", serde_json::to_string(&report).expect("a report is plain data"));
    } else {
        println!("{report}");
    }
    if report.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The whole storm: submitting, killing and watching at once, then waiting, then judging.
fn storm(options: Options) -> judge::Report {
    let begun = Instant::now();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let cluster = cluster::Cluster::start(folder.path());
    let story = Arc::new(Story::new(options, folder.path(), cluster.port, &cluster.token()));
    let submitting: Vec<_> = (0..submitters::COUNT)
        .map(|number| {
            let story = Arc::clone(&story);
            std::thread::spawn(move || submitters::submit(&story, number))
        })
        .collect();
    let watching = {
        let story = Arc::clone(&story);
        std::thread::spawn(move || watch::watch(&story))
    };
    let mut kills = kills::Kills::new(cluster, Arc::clone(&story));
    kills.all();
    for thread in submitting {
        thread.join().expect("a submitter does not panic");
    }
    watch::until_all_have_ended(&story);
    story.end();
    watching.join().expect("the watch does not panic");
    let mut report = judge::judge(&story, &mut kills);
    report.seconds = begun.elapsed().as_secs();
    if !report.faults.is_empty() {
        eprintln!("the files of this storm are kept in {}", folder.keep().display());
    }
    report
}
