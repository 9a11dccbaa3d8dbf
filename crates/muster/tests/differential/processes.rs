//! Processes that end with the test, and ports that nobody else has.

use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long anything may take to come up.
const COMING: Duration = Duration::from_secs(60);

/// Processes that are ended when they are dropped, the last first.
#[derive(Debug, Default)]
pub(crate) struct Processes(Vec<Child>);

impl Processes {
    /// Starts one with a log in a folder.
    pub(crate) fn start(&mut self, command: &mut Command, log: &Path) {
        let log = File::create(log).expect("the folder is ours");
        let errors = log.try_clone().expect("a file can be had twice");
        command.stdin(Stdio::null()).stdout(log).stderr(errors);
        self.0.push(command.spawn().expect("what is installed starts"));
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in self.0.iter_mut().rev() {
            // It may have ended by itself.
            let _ = kill_process(Pid::from_child(child), Signal::TERM);
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_secs(5)
                && child.try_wait().is_ok_and(|ended| ended.is_none())
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A port that is free.
pub(crate) fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it has an address").port()
}

/// Waits until something is so; says what did not come otherwise.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < COMING, "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}
