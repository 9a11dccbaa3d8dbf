//! A connection from a launcher to whoever listens to its step.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use muster_api::step::Listener;
use muster_api::step::frame::{Carries, Hello};
use muster_client::pinned;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};

/// How long a listener may take to answer: it listens before it asks for the step.
const PATIENCE: Duration = Duration::from_secs(20);

/// One direction, encrypted or not.
#[expect(clippy::large_enum_variant, reason = "there are two of them in a process")]
pub(in crate::launch) enum Connection {
    Plain(TcpStream),
    Tls(StreamOwned<ClientConnection, TcpStream>),
}

/// Connects, and says who it is.
pub(in crate::launch) fn connect(
    listener: &Listener,
    rank: u32,
    carries: Carries,
) -> Result<Connection, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let mut addresses = listener.address.to_socket_addrs().map_err(|error| text(&error))?;
    let address = addresses.next().ok_or_else(|| format!("{} is nowhere", listener.address))?;
    let socket = TcpStream::connect_timeout(&address, PATIENCE).map_err(|error| text(&error))?;
    socket.set_nodelay(true).map_err(|error| text(&error))?;
    let mut connection = match &listener.fingerprint {
        None => Connection::Plain(socket),
        Some(fingerprint) => {
            let fingerprint = fingerprint.parse().map_err(|error| text(&error))?;
            let config = pinned::only(fingerprint).map_err(|error| text(&error))?;
            let name = ServerName::IpAddress(address.ip().into());
            let client = ClientConnection::new(Arc::new(config), name);
            let client = client.map_err(|error| text(&error))?;
            Connection::Tls(StreamOwned::new(client, socket))
        }
    };
    let hello = Hello { key: listener.key.clone(), rank, carries };
    let mut line = serde_json::to_vec(&hello).expect("a greeting is plain data");
    line.push(b'\n');
    let sent = connection.write_all(&line).and_then(|()| connection.flush());
    sent.map_err(|error| text(&error))?;
    Ok(connection)
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Connection::Plain(socket) => socket.read(bytes),
            Connection::Tls(stream) => stream.read(bytes),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Connection::Plain(socket) => socket.write(bytes),
            Connection::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Connection::Plain(socket) => socket.flush(),
            Connection::Tls(stream) => stream.flush(),
        }
    }
}
