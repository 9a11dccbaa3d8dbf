//! Connections that have been secured. Handshakes happen beside the accepting: who stalls in one
//! keeps nobody waiting.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::plain;

/// How long a handshake may take: three round trips over the worst of lines.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Handshakes at the same time. Enough for all agents of a large cluster that come back at once;
/// who comes on top of that waits for one to end, which takes [`HANDSHAKE`] at the longest.
const HANDSHAKES_MAX: usize = 1024;

/// Connections that wait to be served.
const READY_MAX: usize = 64;

/// Takes connections and secures them.
#[derive(Debug)]
pub(crate) struct TlsListener {
    address: SocketAddr,
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    accepting: JoinHandle<()>,
}

impl TlsListener {
    /// Secures what comes in by a listener.
    pub(crate) fn new(listener: TcpListener, config: Arc<ServerConfig>) -> io::Result<TlsListener> {
        let address = listener.local_addr()?;
        let (sender, ready) = mpsc::channel(READY_MAX);
        let accepting = tokio::spawn(take_in(listener, TlsAcceptor::from(config), sender));
        Ok(TlsListener { address, ready, accepting })
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(secured) => secured,
            // Nobody takes connections in any more: the server is about to stop.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

impl Drop for TlsListener {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

type Ready = mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>;

async fn take_in(mut listener: TcpListener, acceptor: TlsAcceptor, ready: Ready) {
    let room = Arc::new(Semaphore::new(HANDSHAKES_MAX));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let (stream, address) = Listener::accept(&mut listener).await;
        tokio::spawn(secure(stream, address, acceptor.clone(), ready.clone(), place));
    }
}

/// Secures one connection, or lets it go: who cannot shake hands has nothing to tell us.
async fn secure(
    mut stream: TcpStream,
    address: SocketAddr,
    acceptor: TlsAcceptor,
    ready: Ready,
    _place: OwnedSemaphorePermit,
) {
    let shaken = tokio::time::timeout(HANDSHAKE, async {
        if plain::is_plain(&stream).await? {
            plain::answer(&mut stream).await?;
            return Ok(None);
        }
        acceptor.accept(stream).await.map(Some)
    });
    if let Ok(Ok::<_, io::Error>(Some(secured))) = shaken.await {
        let _ = ready.send((secured, address)).await;
    }
}
