//! A pseudo-terminal with the program on it, and what it shows.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::cluster::Cluster;
use crate::patience::await_some;
use crate::screen::Screen;

pub(crate) struct Terminal {
    child: Child,
    master: File,
    slave: File,
    before: Termios,
    screen: Arc<Mutex<Screen>>,
}

impl Terminal {
    /// Starts a command of the binary on a terminal of a width and a height.
    pub(crate) fn start(cluster: &Cluster, arguments: &[&str], size: (u16, u16)) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("it is ours");
        let name = ptsname(&master, Vec::new()).expect("it has a name");
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let slave = File::options().read(true).write(true).open(path).expect("it can be opened");
        let master = File::from(master);
        let before = tcgetattr(&slave).expect("it is a terminal");
        let end = || slave.try_clone().expect("it can be shared");
        let plain = cluster.command(arguments);
        // The program is to have this terminal, not the one that the tests were started from.
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(plain.get_program()).args(plain.get_args());
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
        command.stdin(end()).stdout(end()).stderr(end());
        resize(&master, size);
        let child = command.spawn().expect("the binary starts");
        let screen = Arc::new(Mutex::new(Screen::new(size)));
        let mut source = master.try_clone().expect("it can be shared");
        let drawn = Arc::clone(&screen);
        // It ends when the last who could write has closed the terminal.
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = source.read(&mut bytes) {
                drawn.lock().expect("nobody panics").write(&bytes[..count]);
            }
        });
        Terminal { child, master, slave, before, screen }
    }

    /// Types.
    pub(crate) fn send(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Forgets what is on the screen.
    pub(crate) fn blank(&self) {
        self.screen.lock().expect("nobody panics").write(b"\x1b[2J");
    }

    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        self.screen.lock().expect("nobody panics").resize(size);
        resize(&self.master, size);
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is there");
    }

    /// Waits for something to be on the screen; all that is on it then.
    pub(crate) fn until(&self, is_there: impl Fn(&str) -> bool) -> String {
        let mut looks = 0;
        await_some(|| {
            let text = self.screen.lock().expect("nobody panics").text();
            looks += 1;
            if looks % 5000 == 0 {
                eprintln!("still waiting with this on the screen:\n{text}");
            }
            Some(text).filter(|text| is_there(text))
        })
    }

    /// Waits for the end of the program, after which the terminal must be as it was.
    pub(crate) fn end(mut self) -> ExitStatus {
        let status = self.child.wait().expect("it ends");
        let after = tcgetattr(&self.slave).expect("it is a terminal");
        assert_eq!(after.local_modes, self.before.local_modes);
        assert!(after.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO));
        assert_eq!(after.input_modes, self.before.input_modes);
        // The last bytes may still be on their way.
        await_some(|| self.screen.lock().expect("nobody panics").is_left().then_some(()));
        status
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed must not leave its program behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn resize(master: &File, (width, height): (u16, u16)) {
    let size = Winsize { ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(master, size).expect("it is a terminal");
}
