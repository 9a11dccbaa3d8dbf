//! Slurm's commands compared with Slurm: every case runs on both, and what it prints, leaves in
//! files and exits with is the same but for the differences that are known.

#[path = "differential/case.rs"]
mod case;
#[path = "differential/known.rs"]
mod known;
#[path = "differential/ours.rs"]
mod ours;
#[path = "differential/processes.rs"]
mod processes;
#[path = "differential/real.rs"]
mod real;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use case::Case;

/// Cases that run at once: most of the time goes into waiting for Slurm.
const TOGETHER: usize = 6;

/// Fewer would mean that a file of cases was lost.
const CASES_LEAST: usize = 120;

#[test]
fn scripts_run_on_muster_as_on_slurm() {
    let word = std::env::var("DIFFERENTIAL").ok();
    let all = case::all();
    assert!(all.len() >= CASES_LEAST, "there are only {} cases", all.len());
    let is_meant = |case: &&Case| word.as_ref().is_none_or(|word| case.name.contains(word));
    let cases: Vec<&Case> = all.iter().filter(is_meant).collect();
    let Some(real) = real::Real::start() else {
        eprintln!("not tried: there is no Slurm on this machine");
        return;
    };
    let ours = ours::Ours::start();
    let (next, doubtful) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..TOGETHER {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if compare(case, &real, &ours).is_some() {
                        doubtful.lock().expect("nobody panics with it").push(*case);
                    }
                }
            });
        }
    });
    // On a busy machine Slurm's parts are at times late; what is really different stays so.
    let doubtful = doubtful.into_inner().expect("nobody panics with it");
    let again = doubtful.into_iter().filter_map(|case| compare(case, &real, &ours));
    let mut failures: Vec<String> = again.collect();
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} cases differ:\n\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// What is different, if anything is.
fn compare(case: &Case, real: &real::Real, ours: &ours::Ours) -> Option<String> {
    let (theirs, own) = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| case.run(real.environment(), real.folder()));
        let own = case.run(ours.environment(), ours.folder());
        (theirs.join().expect("a case runs to its end"), own)
    });
    let (theirs, own) = (known::without(&theirs), known::without(&own));
    if theirs == own {
        return None;
    }
    let mut text = format!("### {}\n", case.name);
    for line in diff(&theirs, &own) {
        text.push_str(&line);
        text.push('\n');
    }
    Some(text)
}

/// Lines that only one side has: `-` for Slurm's, `+` for ours, around those that both have.
fn diff(theirs: &[String], own: &[String]) -> Vec<String> {
    // The longest lines in common, from each pair of ends.
    let (rows, columns) = (theirs.len(), own.len());
    let mut common = vec![vec![0; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            common[row][column] = match theirs[row] == own[column] {
                true => common[row + 1][column + 1] + 1,
                false => common[row + 1][column].max(common[row][column + 1]),
            };
        }
    }
    let (mut row, mut column, mut lines) = (0, 0, Vec::new());
    while row < rows || column < columns {
        if row < rows && column < columns && theirs[row] == own[column] {
            (row, column) = (row + 1, column + 1);
        } else if column == columns
            || (row < rows && common[row + 1][column] >= common[row][column + 1])
        {
            lines.push(format!("- {}", theirs[row]));
            row += 1;
        } else {
            lines.push(format!("+ {}", own[column]));
            column += 1;
        }
    }
    lines
}
