//! Waiting for what another process is about to do.

use std::time::{Duration, Instant};

/// However slow the machine is, something that is to happen has happened by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for something that will be there.
pub(crate) fn await_some<T>(look: impl FnMut() -> Option<T>) -> T {
    until(look).expect("what was waited for comes")
}

/// The same for those who have more to say where it does not come.
pub(crate) fn until<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(found) = look() {
            return Some(found);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    None
}
