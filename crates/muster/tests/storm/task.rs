//! What every task runs. It takes a lock for each of its GPUs and for its attempt, and notes when
//! one is held by somebody else who is alive: locks go with the processes that hold them, so a
//! lock that is held is a GPU that is in use.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::FdFlags;

/// The file below the storm's folder to which all tasks write.
pub(crate) const LOG: &str = "tasks.log";

/// The folder of the locks.
pub(crate) const LOCKS: &str = "locks";

/// How long what a task leaves behind would stay: longer than any storm lasts.
const LINGER: Duration = Duration::from_secs(7200);

struct Task {
    folder: PathBuf,
    job: String,
    attempt: u32,
    rank: String,
    node: String,
}

/// `task FOLDER MILLISECONDS LEAVES-SOMETHING-BEHIND`
pub(crate) fn run(words: &[String]) -> ExitCode {
    let [folder, milliseconds, leaves] = words else { return ExitCode::from(2) };
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let task = Task {
        folder: PathBuf::from(folder),
        job: variable("MUSTER_JOB_ID"),
        attempt: variable("MUSTER_ATTEMPT").parse().unwrap_or_default(),
        rank: variable("MUSTER_TASK_RANK"),
        node: variable("MUSTER_NODE"),
    };
    let gpus = variable("CUDA_VISIBLE_DEVICES");
    let mut held = vec![task.hold_attempt()];
    for gpu in gpus.split(',').filter(|gpu| !gpu.is_empty()) {
        held.push(task.hold_gpu(gpu));
    }
    task.note("start", &gpus);
    if leaves == "yes" {
        task.leave_behind(&held);
    }
    std::thread::sleep(Duration::from_millis(milliseconds.parse().unwrap_or_default()));
    task.note("end", &gpus);
    ExitCode::SUCCESS
}

/// `linger FOLDER`: a process that would go on for ever, in a session of its own.
pub(crate) fn linger(words: &[String]) -> ExitCode {
    let _ = rustix::process::setsid();
    std::thread::sleep(LINGER);
    ExitCode::from(u8::from(words.is_empty()))
}

impl Task {
    fn hold_gpu(&self, gpu: &str) -> File {
        let file = self.open(&format!("gpu-{}-{gpu}", self.node));
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            self.note("double", gpu);
        }
        file
    }

    /// All tasks of an attempt share its lock. Nobody may have one of another attempt.
    fn hold_attempt(&self) -> File {
        let own = self.open(&format!("job-{}.{}", self.job, self.attempt));
        flock(&own, FlockOperation::LockShared).expect("nobody keeps it for himself for long");
        for other in (1..self.attempt + 3).filter(|other| *other != self.attempt) {
            let path = self.folder.join(LOCKS).join(format!("job-{}.{other}", self.job));
            let Ok(file) = File::open(path) else { continue };
            if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
                self.note("two", &other.to_string());
            }
        }
        own
    }

    fn open(&self, name: &str) -> File {
        let path = self.folder.join(LOCKS).join(name);
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.expect("the storm's folder can be written")
    }

    /// A process that has the locks too, for as long as it lives.
    fn leave_behind(&self, held: &[File]) {
        for file in held {
            rustix::io::fcntl_setfd(file, FdFlags::empty()).expect("an open file can be passed on");
        }
        let mut command = Command::new(std::env::current_exe().expect("it runs"));
        command.arg("linger").arg(&self.folder).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        // Whoever is ended while this happens has nothing to leave.
        let _ = command.spawn();
    }

    /// One line in one write, so that lines of several tasks do not mix.
    fn note(&self, what: &str, about: &str) {
        let Task { job, attempt, rank, node, .. } = self;
        let line = format!("{what} {job} {attempt} {rank} {node} {about}\n");
        append(&self.folder, &line);
    }
}

fn append(folder: &Path, line: &str) {
    let opened = OpenOptions::new().create(true).append(true).open(folder.join(LOG));
    let written = opened.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the storm's log can be written");
}
