//! Small traces with known ends.
