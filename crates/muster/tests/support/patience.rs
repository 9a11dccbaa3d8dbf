//! Waiting for what another process is about to do.

use std::time::{Duration, Instant};

/// However slow the machine is, something that is to happen has happened by then.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for something that will be there.
pub(crate) fn await_some<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "what was waited for does not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}
