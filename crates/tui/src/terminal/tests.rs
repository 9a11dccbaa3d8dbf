//! Panics on a pseudo-terminal: it is left as it was found, and what went wrong can be read. What
//! panics is this test program itself, started anew with one of the tests that are left out.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, ExitStatus};

use ratatui::widgets::Paragraph;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use super::Held;

const ENTERS: &str = "\x1b[?1049h";
const LEAVES: &str = "\x1b[?1049l";
const HIDES: &str = "\x1b[?25l";
const SHOWS: &str = "\x1b[?25h";

/// Runs one of the tests below on a terminal of its own, which must be as before when it has ended;
/// all that was written, and how it ended.
fn on_a_terminal(test: &str) -> (String, ExitStatus) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("it is ours");
    let name = ptsname(&master, Vec::new()).expect("it has a name");
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let slave = File::options().read(true).write(true).open(path).expect("it can be opened");
    let size = Winsize { ws_row: 10, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).expect("it is a terminal");
    let before = tcgetattr(&slave).expect("it is a terminal");
    let mut source = File::from(master);
    let reader = std::thread::spawn(move || {
        let (mut all, mut bytes) = (Vec::new(), [0; 4096]);
        // It ends when the last who could write has closed the terminal.
        while let Ok(count @ 1..) = source.read(&mut bytes) {
            all.extend_from_slice(&bytes[..count]);
        }
        String::from_utf8_lossy(&all).into_owned()
    });
    let end = || slave.try_clone().expect("it can be shared");
    let own = std::env::current_exe().expect("a test has a program");
    let mut command = Command::new("setsid");
    command.arg("--ctty").arg("--wait").arg(own);
    command.args(["--exact", "--ignored", "--nocapture", test]);
    command.env("TERM", "xterm-256color").stdin(end()).stdout(end()).stderr(end());
    let status = command.status().expect("the test program starts");
    let after = tcgetattr(&slave).expect("it is a terminal");
    assert_eq!(after.local_modes, before.local_modes);
    assert!(after.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO));
    assert_eq!(after.input_modes, before.input_modes);
    assert_eq!(after.output_modes, before.output_modes);
    drop((slave, command));
    (reader.join().expect("the reader does not panic"), status)
}

/// What was written before and after the screen was left, which happens once.
fn around_leaving(written: &str) -> (&str, &str) {
    let (before, after) = written.split_once(LEAVES).expect("the screen is left");
    assert!(before.contains(ENTERS), "it was entered: {written:?}");
    (before, after)
}

/// Takes the terminal over and draws once.
fn drawn() -> Held {
    let mut held = Held::take().expect("there is a terminal");
    held.terminal.draw(|frame| frame.render_widget("all is well", frame.area())).expect("drawn");
    assert!(crossterm::terminal::is_raw_mode_enabled().expect("it is a terminal"));
    held
}

#[test]
fn a_panic_in_drawing_gives_the_terminal_back_and_is_told_after() {
    let (written, status) = on_a_terminal("terminal::tests::panics_in_drawing");
    let (before, after) = around_leaving(&written);
    assert!(before.contains("all") && before.contains(HIDES), "something was drawn: {before:?}");
    assert!(!before.contains("a screen too small"), "not told where nobody can read it");
    assert!(after.contains("a screen too small"), "told: {after:?}");
    assert!(after.contains(SHOWS), "the cursor is there again: {after:?}");
    assert_eq!(status.code(), Some(101));
}

#[test]
fn a_panic_in_the_background_ends_the_view_and_nothing_is_drawn_after() {
    let (written, status) = on_a_terminal("terminal::tests::panics_in_the_background");
    let (_, after) = around_leaving(&written);
    assert!(after.contains("no answer"), "told: {after:?}");
    let told = after.replacen(SHOWS, "", 1);
    assert!(!told.contains('\x1b'), "nobody draws on: {after:?}");
    assert_eq!(status.code(), Some(101), "it is over, not half alive");
}

#[test]
fn without_a_panic_the_terminal_is_given_back_as_well() {
    let (written, status) = on_a_terminal("terminal::tests::ends_well");
    let (_, after) = around_leaving(&written);
    assert!(after.contains(SHOWS), "{after:?}");
    assert!(status.success());
}

#[test]
#[ignore = "a part of another test, which runs it on a terminal of its own"]
fn panics_in_drawing() {
    let mut held = drawn();
    let _ = held.terminal.draw(|_| panic!("a screen too small"));
}

#[test]
#[ignore = "a part of another test, which runs it on a terminal of its own"]
fn panics_in_the_background() {
    let mut held = drawn();
    std::thread::spawn(|| panic!("no answer"));
    // Far more than are drawn until the other thread runs.
    for number in 0..200_000_u32 {
        let text = Paragraph::new(format!("frame {number}"));
        held.terminal.draw(|frame| frame.render_widget(text, frame.area())).expect("drawn");
    }
}

#[test]
#[ignore = "a part of another test, which runs it on a terminal of its own"]
fn ends_well() {
    drop(drawn());
}
