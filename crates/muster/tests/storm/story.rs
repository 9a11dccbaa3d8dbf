//! What those who act at the same time know together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::http::Api;
use crate::options::Options;
use crate::task::LOG;

/// One storm.
pub(crate) struct Story {
    pub(crate) options: Options,
    pub(crate) folder: PathBuf,
    pub(crate) api: Api,
    /// The next job to submit.
    pub(crate) next: AtomicU64,
    acknowledged: Mutex<BTreeMap<String, Acknowledged>>,
    given_up: Mutex<BTreeSet<String>>,
    faults: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

/// A job that the server has acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) id: u64,
    pub(crate) tasks: u64,
}

/// One line that a task wrote.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) what: String,
    pub(crate) job: u64,
    pub(crate) attempt: u32,
    pub(crate) rank: u32,
    pub(crate) text: String,
}

/// Faults that are told; more say no more.
const FAULTS_MAX: usize = 50;

impl Story {
    pub(crate) fn new(options: Options, folder: &Path, port: u16, token: &str) -> Story {
        Story {
            options,
            folder: folder.to_owned(),
            api: Api { port, token: token.to_owned() },
            next: AtomicU64::new(0),
            acknowledged: Mutex::default(),
            given_up: Mutex::default(),
            faults: Mutex::default(),
            is_over: AtomicBool::new(false),
        }
    }

    pub(crate) fn acknowledge(&self, name: &str, acknowledged: Acknowledged) {
        locked(&self.acknowledged).insert(name.to_owned(), acknowledged);
    }

    pub(crate) fn acknowledged(&self) -> BTreeMap<String, Acknowledged> {
        locked(&self.acknowledged).clone()
    }

    pub(crate) fn give_up(&self, name: &str) {
        locked(&self.given_up).insert(name.to_owned());
    }

    pub(crate) fn given_up(&self) -> BTreeSet<String> {
        locked(&self.given_up).clone()
    }

    pub(crate) fn fault(&self, what: String) {
        let mut faults = locked(&self.faults);
        if faults.len() < FAULTS_MAX && !faults.contains(&what) {
            eprintln!("storm: {what}");
            faults.push(what);
        }
    }

    pub(crate) fn faults(&self) -> Vec<String> {
        locked(&self.faults).clone()
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// What the tasks have written so far.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let text = std::fs::read_to_string(self.folder.join(LOG)).unwrap_or_default();
        text.lines().filter_map(Line::parse).collect()
    }

    /// How many tasks have started so far, attempts counted each.
    pub(crate) fn started(&self) -> u64 {
        let text = std::fs::read(self.folder.join(LOG)).unwrap_or_default();
        let lines = text.split(|byte| *byte == b'\n');
        lines.filter(|line| line.starts_with(b"start ")).count() as u64
    }
}

impl Line {
    fn parse(text: &str) -> Option<Line> {
        let mut words = text.split(' ');
        Some(Line {
            what: words.next()?.to_owned(),
            job: words.next()?.parse().ok()?,
            attempt: words.next()?.parse().ok()?,
            rank: words.next()?.parse().ok()?,
            text: text.to_owned(),
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics while he holds it")
}
