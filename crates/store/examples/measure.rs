//! What the disk under a directory gives: appends one by one and in batches, opening, history.
//! Run it with `--release` on the disk in question; the directory is the only argument.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use muster_store::history::{
    Before, Change, EventPosition, EventRow, JobDocument, JobFilter, JobRow,
};
use muster_store::{
    Access, AuditEntry, History, Journal, NewEntry, Result, Snapshot, SqliteHistory, SqliteJournal,
};

/// A command as the server writes it has about this many bytes.
const BODY_BYTES: usize = 400;

/// How long each measurement appends.
const SPAN: Duration = Duration::from_secs(2);

fn main() -> Result<()> {
    let parent = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let directory = parent.join(format!("muster-store-measure-{}", std::process::id()));
    let result = measure(&directory);
    std::fs::remove_dir_all(&directory).ok();
    result
}

fn measure(directory: &Path) -> Result<()> {
    let mut journal = SqliteJournal::open(directory)?.journal;
    let checkpointer = journal.checkpointer()?;
    let (stop, stopped) = mpsc::channel::<()>();
    let moving = std::thread::spawn(move || {
        while stopped.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
            checkpointer.run().expect("what is durable can be moved");
        }
    });
    for batch in [1, 16, 64, 256, 1_024] {
        append(&mut journal, batch)?;
    }
    let mut access = journal.access()?;
    let audit = AuditEntry { who: "user-a".to_owned(), ..AuditEntry::default() };
    let start = Instant::now();
    for _ in 0..500 {
        access.audit_append(std::slice::from_ref(&audit))?;
    }
    println!("audit, one at a time: {} entries/s", rate(500, start.elapsed()));
    drop(access);

    let sequence = journal.last()?;
    let snapshot = Snapshot { sequence, time_ms: 1, version: 1, body: vec![b'x'; 50 << 20] };
    let start = Instant::now();
    journal.snapshot_save(&snapshot)?;
    println!("snapshot of 50 MiB: {} ms", start.elapsed().as_millis());
    drop((journal, snapshot, stop));
    moving.join().expect("the checkpointer ends when it is told to");

    reading(directory, sequence)?;
    history(directory)
}

fn append(journal: &mut SqliteJournal, batch: usize) -> Result<()> {
    let entry = NewEntry { time_ms: 1, version: 1, body: vec![b'x'; BODY_BYTES] };
    let entries = vec![entry; batch];
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < SPAN {
        let begun = Instant::now();
        journal.append(&entries)?;
        times.push(begun.elapsed());
    }
    let total = start.elapsed();
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_micros();
    println!(
        "append {batch} at a time: {} entries/s, p50 {} µs, p99 {} µs",
        rate(times.len() * batch, total),
        at(50),
        at(99)
    );
    Ok(())
}

fn reading(directory: &Path, entries: u64) -> Result<()> {
    let start = Instant::now();
    let mut journal = SqliteJournal::open(directory)?.journal;
    println!("open and look at {entries} entries: {} ms", start.elapsed().as_millis());
    let start = Instant::now();
    let (mut after, mut read) = (0, 0);
    loop {
        let page = journal.read(after, 1_000)?;
        let Some(last) = page.last() else { break };
        after = last.sequence;
        read += page.len();
    }
    println!("read them: {} entries/s", rate(read, start.elapsed()));
    for sequence in [entries - 1, entries] {
        let body = b"state".to_vec();
        journal.snapshot_save(&Snapshot { sequence, time_ms: 1, version: 1, body })?;
    }
    let start = Instant::now();
    let pruned = journal.prune(entries)?;
    println!("prune {pruned} entries: {} ms", start.elapsed().as_millis());
    Ok(())
}

fn history(directory: &Path) -> Result<()> {
    const JOBS: u64 = 100_000;
    let mut history = SqliteHistory::open(directory)?;
    let start = Instant::now();
    for first in (1..=JOBS).step_by(100) {
        let changes: Vec<Change> = (first..first + 100).flat_map(of_a_job).collect();
        history.record(first + 99, &changes)?;
    }
    println!("record {JOBS} jobs, 8 rows each: {} jobs/s", rate(100_000, start.elapsed()));
    let start = Instant::now();
    history.make_durable()?;
    println!("make history durable: {} ms", start.elapsed().as_millis());
    let reader = history.reader()?;
    let any = JobFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let both = vec!["ended".to_owned(), "running".to_owned()];
    for (name, filter) in [
        ("any", any()),
        ("of a user", JobFilter { user: text("user-7"), ..any() }),
        ("of two states", JobFilter { states: both, ..any() }),
        (
            "of a user and state",
            JobFilter { user: text("user-7"), states: vec!["ended".to_owned()], ..any() },
        ),
        ("by a prefix nobody has", JobFilter { name_prefix: text("none"), ..any() }),
        ("that ended lately", JobFilter { ended_since_ms: Some(99_990_000), ..any() }),
    ] {
        let start = Instant::now();
        let found = reader.jobs(&filter, Some(JOBS / 2), 100)?.len();
        println!("page of {found} jobs {name}: {} µs", start.elapsed().as_micros());
    }
    let start = Instant::now();
    let forgotten = history.forget_before(Before::all(u64::MAX), 0)?;
    println!("forget {} jobs: {} ms", forgotten.jobs, start.elapsed().as_millis());
    Ok(())
}

/// What the life of a job comes to: four states, what was submitted, three events.
fn of_a_job(id: u64) -> Vec<Change> {
    let job = |state: &str, ended_ms| {
        Change::Job(JobRow {
            id,
            name: format!("train-{id}"),
            user: format!("user-{}", id % 50),
            queue: format!("queue-{}", id % 10),
            state: state.to_owned(),
            ended_ms,
            ..JobRow::default()
        })
    };
    let event = |part| {
        let at = EventPosition { sequence: id, part };
        Change::Event(EventRow { at, job_id: Some(id), ..EventRow::default() })
    };
    let spec = "x".repeat(800);
    vec![
        job("queued", None),
        Change::Document(JobDocument { job_id: id, spec, program: None }),
        event(0),
        job("launching", None),
        job("running", None),
        event(1),
        job("ended", Some(id * 1_000)),
        event(2),
    ]
}

fn rate(count: usize, time: Duration) -> u128 {
    let micros = time.as_micros().max(1);
    u128::try_from(count).unwrap_or(0) * 1_000_000 / micros
}
