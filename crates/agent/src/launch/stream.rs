//! The streams of a task that are carried to whoever listens: pipes or a terminal on this side, two
//! connections on the other. Nothing is lost at the end: what was written is sent before the end of
//! the task is noted. Should the listener vanish, the task is ended.

pub(super) mod connect;

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{OpenOptionsExt, chown};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use muster_api::step::frame::{Carries, FRAME_MAX, HEADER, Kind, header, parse};
use rustix::fs::{CWD, Mode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::folder::{Entry, Folder};
use super::{LaunchError, Process, Refused, TaskFile};
use connect::Connection;

/// The name of the pipe that is a task's standard input, in its own folder.
pub const INPUT: &str = "stdin";

/// The name that leads to a task's terminal, in its own folder.
pub const TERMINAL: &str = "terminal";

/// How long a task has whose listener has vanished.
const VANISHED_GRACE: Duration = Duration::from_secs(10);

/// A stream towards the listener, which two threads share.
type Shared = Arc<Mutex<Connection>>;

/// What is between a task and its listener.
pub(super) struct Streams {
    output: Shared,
    input: Connection,
    /// Where the task's output is read from, and what kind it is.
    sources: Vec<(File, Kind)>,
    /// What the task's first process is started with.
    pub(super) given: Option<(OwnedFd, OwnedFd)>,
    /// Holds the pipe of the standard input open until the task has it.
    held: Option<File>,
    terminal: Option<File>,
}

/// The threads that carry.
pub(super) struct Carrying {
    outputs: Vec<JoinHandle<()>>,
}

impl Streams {
    /// Reaches the listener, and makes what the task is given.
    pub(super) fn open(folder: &Folder, task: &TaskFile) -> Result<Option<Streams>, Refused> {
        let Some(listener) = &task.listener else { return Ok(None) };
        let unreachable = |error: String| {
            let detail = format!("cannot reach whoever started the step: {error}");
            Refused::job("no-listener", detail)
        };
        let output = connect::connect(listener, task.rank, Carries::Output).map_err(unreachable)?;
        let input = connect::connect(listener, task.rank, Carries::Input).map_err(unreachable)?;
        let mut streams = Streams {
            output: Arc::new(Mutex::new(output)),
            input,
            sources: Vec::new(),
            given: None,
            held: None,
            terminal: None,
        };
        let made = match task.has_terminal() {
            true => streams.make_terminal(folder, task),
            false => streams.make_pipes(folder, task),
        };
        made.map_err(|error| Refused::node("launch-failed", format!("no streams: {error}")))?;
        Ok(Some(streams))
    }

    fn make_pipes(&mut self, folder: &Folder, task: &TaskFile) -> Result<(), LaunchError> {
        let failed = || LaunchError::system("make a pipe");
        let (output, output_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed())?;
        let (error, error_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed())?;
        self.sources.push((File::from(output), Kind::Output));
        self.sources.push((File::from(error), Kind::Error));
        self.given = Some((output_end, error_end));
        let path = folder.entry(Entry::Run).join(INPUT);
        if task.input.as_ref() == Some(&path) {
            let cause = |cause| LaunchError::File { what: "make", path: path.clone(), cause };
            let mode = Mode::RUSR | Mode::WUSR;
            rustix::fs::mknodat(CWD, &path, rustix::fs::FileType::Fifo, mode, 0)
                .map_err(|errno| cause(errno.into()))?;
            give(&path, task).map_err(cause)?;
            let mut options = File::options();
            // To open both ends waits for nobody.
            self.held = Some(options.read(true).write(true).open(&path).map_err(cause)?);
        }
        Ok(())
    }

    fn make_terminal(&mut self, folder: &Folder, task: &TaskFile) -> Result<(), LaunchError> {
        let failed = || LaunchError::system("make a terminal");
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .map_err(failed())?;
        grantpt(&master).and_then(|()| unlockpt(&master)).map_err(failed())?;
        let name = ptsname(&master, Vec::new()).map_err(failed())?;
        let name = name.to_str().map(Path::new).unwrap_or(Path::new(""));
        if let Some(size) = task.listener.as_ref().and_then(|it| it.terminal) {
            resize(&master, size.rows, size.columns);
        }
        let path = folder.entry(Entry::Run).join(TERMINAL);
        let made = give(name, task).and_then(|()| std::os::unix::fs::symlink(name, &path));
        made.map_err(|cause| LaunchError::File { what: "make", path, cause })?;
        let master = File::from(master);
        let copy = || master.try_clone();
        let copies = copy().and_then(|one| Ok((one, copy()?)));
        let (source, sink) =
            copies.map_err(|cause| LaunchError::System { what: "share a terminal", cause })?;
        self.sources.push((source, Kind::Output));
        self.terminal = Some(sink);
        Ok(())
    }

    /// The task's standard output and error.
    pub(super) fn output(&mut self) -> Option<(Stdio, Stdio)> {
        self.given.take().map(|(output, error)| (Stdio::from(output), Stdio::from(error)))
    }

    /// Carries until the task has ended, whose first process this is.
    pub(super) fn carry(self, folder: &Folder, child: Process) -> Carrying {
        let sink =
            self.terminal.or_else(|| writer(&folder.entry(Entry::Run).join(INPUT), self.held));
        let input = self.input;
        // It ends with this process.
        std::thread::spawn(move || carry_input(input, sink, &child));
        let output = self.output;
        let outputs = self.sources.into_iter().map(|(source, kind)| {
            let output = Arc::clone(&output);
            std::thread::spawn(move || carry_output(source, kind, &output))
        });
        Carrying { outputs: outputs.collect() }
    }
}

impl Carrying {
    /// Waits until everything is sent. All that wrote is gone, so the pipes are at their ends.
    pub(super) fn finish(self) {
        for carrying in self.outputs {
            let _ = carrying.join();
        }
    }
}

fn give(path: &Path, task: &TaskFile) -> std::io::Result<()> {
    let Some(user) = &task.user else { return Ok(()) };
    chown(path, Some(user.uid), Some(user.gid))
}

/// The writing end alone, so that a task that has closed its standard input is noticed.
fn writer(path: &Path, held: Option<File>) -> Option<File> {
    let held = held?;
    let mut options = File::options();
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).ok()?;
    let opened = options.write(true).custom_flags(flags).open(path).ok()?;
    drop(held);
    rustix::fs::fcntl_setfl(&opened, OFlags::empty()).ok()?;
    Some(opened)
}

fn carry_output(mut source: File, kind: Kind, output: &Shared) {
    let mut bytes = vec![0; FRAME_MAX];
    let mut is_open = true;
    // A terminal whose other side is closed fails instead of ending.
    while let Ok(count @ 1..) = source.read(&mut bytes) {
        if !is_open {
            continue;
        }
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = output.write_all(&header(kind, count));
        let sent = sent.and_then(|()| output.write_all(&bytes[..count]));
        // Whoever writes to nobody is not kept waiting.
        is_open = sent.and_then(|()| output.flush()).is_ok();
    }
}

/// Hands on what the listener sends; when it has vanished, the task is ended.
fn carry_input(mut input: Connection, mut sink: Option<File>, child: &Process) {
    let mut bytes = vec![0; FRAME_MAX];
    let mut head = [0; HEADER];
    while input.read_exact(&mut head).is_ok() {
        let Some((kind, length)) = parse(head) else { break };
        if input.read_exact(&mut bytes[..length]).is_err() {
            break;
        }
        match kind {
            Kind::Input => {
                let is_open = |sink: &mut File| sink.write_all(&bytes[..length]).is_ok();
                if !sink.as_mut().is_some_and(is_open) {
                    sink = None;
                }
            }
            Kind::InputEnd => sink = None,
            Kind::Window => {
                if let (Some(sink), [a, b, c, d]) = (&sink, &bytes[..length]) {
                    resize(sink, u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
                }
            }
            Kind::Output | Kind::Error => break,
        }
    }
    child.signal_group(15);
    std::thread::sleep(VANISHED_GRACE);
    child.signal_group(9);
}

fn resize(terminal: impl std::os::fd::AsFd, rows: u16, columns: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // A terminal of another size is still a terminal.
    let _ = tcsetwinsize(terminal, size);
}
