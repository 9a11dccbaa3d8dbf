//! A server on a port of its own, and requests to it.

use muster_server::access::Role;
use muster_server::config::ServerFile;
use muster_server::limit::Limits;
use muster_server::oidc::OidcSettings;
use muster_server::{Server, ServerSettings};
use reqwest::{Client, Response};
use tokio::sync::oneshot;

/// A server with its tokens, until the test is over.
pub(super) struct Guarded {
    pub(super) url: String,
    pub(super) one: String,
    pub(super) other: String,
    pub(super) agent: String,
    stop: oneshot::Sender<()>,
    serving: tokio::task::JoinHandle<Result<(), muster_server::ServerError>>,
    _folder: tempfile::TempDir,
}

impl Guarded {
    pub(super) async fn start(limits: Limits, oidc: Option<OidcSettings>) -> Guarded {
        // Whichever test comes first installs it for all.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let settings = ServerSettings {
            data: folder.path().to_owned(),
            listen: "127.0.0.1:0".parse().expect("this is an address"),
            limits,
            oidc,
            ..ServerFile::default().settings()
        };
        let server = Server::start(settings).await.expect("a new folder can be used");
        let token = |user, role| server.token(user, role, None, "").expect("tokens can be made");
        let (one, other) = (token("user-a", Role::User), token("user-b", Role::User));
        let agent = token("agents", Role::Agent);
        let url = format!("http://{}", server.address().expect("it listens"));
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(server.serve(async {
            let _ = stopped.await;
        }));
        Guarded { url, one, other, agent, stop, serving, _folder: folder }
    }

    pub(super) async fn get(&self, path: &str, token: &str) -> Response {
        let request = Client::new().get(format!("{}{path}", self.url)).bearer_auth(token);
        request.send().await.expect("the server answers")
    }

    pub(super) async fn stop(self) {
        self.stop.send(()).expect("it still serves");
        self.serving.await.expect("it does not panic").expect("it stops cleanly");
    }
}
