//! The agent from the outside: the real program with real processes, and a server made up for it.

mod agent {
    mod lives;
    mod machine;
    mod server;
    mod works;
}
