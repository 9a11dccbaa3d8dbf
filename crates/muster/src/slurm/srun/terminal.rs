//! The terminal that `srun` runs in, lent to a program elsewhere.

use muster_api::step::Terminal;
use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr};

/// What a program is told where there is no terminal to measure.
pub(super) const USUAL: Terminal = Terminal { rows: 24, columns: 80 };

/// A terminal that hands on every key, until it is dropped.
pub(super) struct Raw {
    before: Termios,
}

impl Raw {
    /// How large our terminal is.
    pub(super) fn size() -> Option<Terminal> {
        let size = tcgetwinsize(rustix::stdio::stdin()).ok()?;
        Some(Terminal { rows: size.ws_row, columns: size.ws_col })
    }

    /// Takes the terminal, if there is one.
    pub(super) fn take() -> Option<Raw> {
        let stdin = rustix::stdio::stdin();
        if !isatty(stdin) {
            return None;
        }
        let before = tcgetattr(stdin).ok()?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin, OptionalActions::Drain, &raw).ok()?;
        Some(Raw { before })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Drain, &self.before);
    }
}
