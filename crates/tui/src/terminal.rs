//! The terminal: taken over while the screen is shown, and given back whatever happens.

use std::io::{self, IsTerminal, Stdout};
use std::sync::Once;

use crossterm::cursor::Show;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use crate::Error;

/// What a program that panicked ends with.
const PANICKED: i32 = 101;

/// A terminal of ours. It is given back when this is dropped, and before a panic is told: one in
/// whatever thread, after which the process ends.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) terminal: Terminal<CrosstermBackend<Stdout>>,
}

/// Whether there is a terminal that can be drawn on.
pub(crate) fn check(term: Option<&str>) -> Result<(), Error> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Error::NotATerminal);
    }
    match term {
        Some(term) if term == "dumb" => Err(Error::Dumb(term.to_owned())),
        _ => Ok(()),
    }
}

impl Held {
    /// Takes it over.
    pub(crate) fn take() -> Result<Held, Error> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let told = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                // Nobody draws on what is given back: whoever does waits, and for nothing.
                let _quiet = io::stdout().lock();
                give_back();
                told(panic);
                // Of a task in the background nobody would hear that it is gone.
                std::process::exit(PANICKED);
            }));
        });
        enter()?;
        let terminal =
            Terminal::new(CrosstermBackend::new(io::stdout())).inspect_err(|_| give_back())?;
        Ok(Held { terminal })
    }

    /// Gives it back, stops as Ctrl-Z asks, and takes it again when the process goes on.
    pub(crate) fn suspend(&mut self) -> Result<(), Error> {
        give_back();
        let own = rustix::process::getpid();
        rustix::process::kill_process(own, rustix::process::Signal::TSTP)
            .map_err(io::Error::from)?;
        enter()?;
        self.clear()
    }

    /// Empties the screen, so that everything is drawn anew. `Terminal::clear` would ask the
    /// terminal where the cursor is, and the answer would go to who reads the keys.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        let area = self.terminal.size()?.into();
        Ok(self.terminal.resize(area)?)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> Result<(), Error> {
    enable_raw_mode()?;
    crossterm::execute!(io::stdout(), EnterAlternateScreen).inspect_err(|_| give_back())?;
    Ok(())
}

/// As it was before. A terminal that is gone cannot be given back, and nobody would read why.
fn give_back() {
    let _ = crossterm::execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

#[cfg(test)]
mod tests;
