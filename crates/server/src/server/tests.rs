//! A driver that stands still: the server says so, and what keeps it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use muster_engine::command::Command;

use super::{Server, ServerSettings};
use crate::config::ServerFile;
use crate::entry::Entry;
use crate::http::{healthy, ready};

async fn server(folder: &tempfile::TempDir) -> Server {
    let settings = ServerSettings {
        data: folder.path().to_owned(),
        listen: "127.0.0.1:0".parse().expect("this is an address"),
        ..ServerFile::default().settings()
    };
    Server::start(settings).await.expect("a new folder can be used")
}

#[tokio::test]
async fn server_whose_pass_stands_still_is_not_ready_and_says_what_it_is_doing() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut server = server(&folder).await;
    let app = Arc::get_mut(&mut server.app).expect("nobody else has it yet");
    app.stall = Duration::from_millis(20);
    let app = Arc::clone(&server.app);
    let stalling = app.driver.stall();
    while app.driver.shared().pulse().stalled(app.stall).is_none() {
        tokio::task::yield_now().await;
    }
    for _ in 0..2 {
        let Err(refused) = ready(State(Arc::clone(&app))).await else { panic!("it stands still") };
        assert_eq!(refused.0.status, 503);
        let why = refused.0.detail.as_str();
        assert!(why.contains("a pass has taken") && why.contains("(stall) take effect"), "{why}");
    }
    assert_eq!(healthy().await, "ok\n", "the process itself is well");
    drop(stalling);
    while app.driver.shared().pulse().stalled(app.stall).is_some() {
        tokio::task::yield_now().await;
    }
    let tick = Entry::Told(Command::Tick);
    assert!(app.driver.record_one(tick).await.is_ok(), "it goes on");
}
