//! The failures that bit others, each as a test of the engine: partial starts, leaked GPUs, limits
//! over-committed in one pass, empty reasons, restarted numbers, and the rest of that table.

mod support;

mod lessons {
    mod books;
    mod liveness;
    mod starts;
}
