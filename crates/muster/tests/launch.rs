//! Launchers with real processes: what becomes of a task, and of whatever it leaves behind.

mod launch {
    mod bench;
    mod ends;
    mod exits;
}
