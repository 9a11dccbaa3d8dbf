//! A server for one test: a router on a port of loopback.

use axum::Router;
use muster_client::{Client, Secret, Target};
use tokio::net::TcpListener;

/// Serves a router until the test is over, and gives a client for it.
pub(crate) async fn client(router: Router) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has free ports");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, router).await });
    connect(&format!("http://{address}"), None)
}

/// A client for an address.
pub(crate) fn connect(url: &str, pid: Option<u32>) -> Client {
    // Whichever test comes first installs it for all.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let token = Some(Secret::new("open sesame"));
    let target = Target { url: url.to_owned(), token, ca: None, pid };
    Client::new(&target).expect("the address is one")
}
