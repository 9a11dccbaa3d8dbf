//! Listens to the launchers of a step: each proves that it belongs to it, then carries.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use muster_api::Secret;
use muster_api::step::Listener;
use muster_api::step::frame::{Carries, HEADER, HELLO_MAX, Hello, Kind, parse};
use muster_client::pinned;
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;

/// What may wait to be printed: launchers wait beyond that, and their tasks.
const WAITING: usize = 256;

/// How long a caller has to say who it is.
const HELLO: Duration = Duration::from_secs(10);

/// A way to a task.
pub(super) type Sink = Box<dyn AsyncWrite + Send + Unpin>;

/// What a launcher does.
pub(super) enum News {
    /// A task can be written to.
    Input { rank: u32, sink: Sink },
    /// A task has begun to carry its output.
    Begins,
    /// A task has written.
    Output { rank: u32, kind: Kind, bytes: Vec<u8> },
    /// No more comes from a task.
    Ends { rank: u32 },
}

/// A port that is listened at.
pub(super) struct Listening {
    listener: Listener,
    pub(super) news: mpsc::Receiver<News>,
}

impl Listening {
    /// Listens where the nodes of the cluster at this address reach us: on this machine alone if
    /// the cluster is here, else encrypted.
    pub(super) async fn open(server: &str) -> Result<Listening> {
        let address = own_address(server).await?;
        Listening::at(address, address.is_loopback()).await
    }

    async fn at(address: IpAddr, is_local: bool) -> Result<Listening> {
        let bind = if is_local { address } else { IpAddr::V4(Ipv4Addr::UNSPECIFIED) };
        let bound = TcpListener::bind(SocketAddr::new(bind, 0)).await;
        let bound = bound.context("cannot listen for the tasks of the step")?;
        let port = bound.local_addr().context("cannot tell where we listen")?.port();
        let (acceptor, fingerprint) = match is_local {
            true => (None, None),
            false => {
                let (acceptor, fingerprint) = certificate()?;
                (Some(acceptor), Some(fingerprint))
            }
        };
        let key = key()?;
        let (sender, news) = mpsc::channel(WAITING);
        tokio::spawn(accept(bound, acceptor, key.clone(), sender));
        let listener = Listener {
            address: SocketAddr::new(address, port).to_string(),
            key,
            fingerprint,
            input_to: None,
            no_input: false,
            terminal: None,
        };
        Ok(Listening { listener, news })
    }

    pub(super) fn listener(&self) -> Listener {
        self.listener.clone()
    }
}

/// The address by which this machine talks to the server.
async fn own_address(server: &str) -> Result<IpAddr> {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or(rest);
    let host = if host.contains(':') { host.to_owned() } else { format!("{host}:443") };
    let mut found = tokio::net::lookup_host(&host).await.context("cannot find the server")?;
    let server = found.next().context("the server has no address")?;
    if server.ip().is_loopback() {
        return Ok(server.ip());
    }
    let any = if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = tokio::net::UdpSocket::bind(any).await.context("cannot tell our address")?;
    socket.connect(server).await.context("cannot tell our address")?;
    Ok(socket.local_addr().context("cannot tell our address")?.ip())
}

fn key() -> Result<Secret> {
    use std::io::Read;
    let mut bytes = [0; 32];
    let mut source = std::fs::File::open("/dev/urandom").context("cannot make a key")?;
    source.read_exact(&mut bytes).context("cannot make a key")?;
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Secret::new(&text))
}

/// A certificate for this step alone, which its request names by the fingerprint.
fn certificate() -> Result<(TlsAcceptor, String)> {
    let key = rcgen::KeyPair::generate().context("cannot make a key")?;
    let params = rcgen::CertificateParams::new(vec!["muster-step".to_owned()]);
    let made = params.and_then(|params| params.self_signed(&key));
    let made = made.context("cannot make a certificate")?;
    let certificate: CertificateDer<'static> = made.der().clone();
    let fingerprint = pinned::fingerprint(&certificate).to_string();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate], key);
    let config = config.context("cannot use our certificate")?;
    Ok((TlsAcceptor::from(Arc::new(config)), fingerprint))
}

async fn accept(
    bound: TcpListener,
    acceptor: Option<TlsAcceptor>,
    key: Secret,
    news: mpsc::Sender<News>,
) {
    while let Ok((socket, _)) = bound.accept().await {
        let (acceptor, key, news) = (acceptor.clone(), key.clone(), news.clone());
        tokio::spawn(async move {
            let _ = socket.set_nodelay(true);
            match acceptor {
                None => serve(socket, &key, news).await,
                Some(acceptor) => {
                    let opened = tokio::time::timeout(HELLO, acceptor.accept(socket)).await;
                    if let Ok(Ok(stream)) = opened {
                        serve(stream, &key, news).await;
                    }
                }
            }
        });
    }
}

async fn serve<S>(mut stream: S, key: &Secret, news: mpsc::Sender<News>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let hello = tokio::time::timeout(HELLO, greeting(&mut stream)).await;
    let Ok(Some(hello)) = hello else { return };
    if !is_same(hello.key.reveal().as_bytes(), key.reveal().as_bytes()) {
        return;
    }
    let rank = hello.rank;
    match hello.carries {
        Carries::Input => {
            let _ = news.send(News::Input { rank, sink: Box::new(stream) }).await;
        }
        Carries::Output => {
            let _ = news.send(News::Begins).await;
            while let Some((kind, bytes)) = frame(&mut stream).await {
                if news.send(News::Output { rank, kind, bytes }).await.is_err() {
                    return;
                }
            }
            let _ = news.send(News::Ends { rank }).await;
        }
    }
}

/// The first line, one byte after the other: what follows is not ours to read.
async fn greeting(stream: &mut (impl AsyncRead + Unpin)) -> Option<Hello> {
    let mut line = Vec::new();
    while line.len() < HELLO_MAX {
        match stream.read_u8().await.ok()? {
            b'\n' => return serde_json::from_slice(&line).ok(),
            byte => line.push(byte),
        }
    }
    None
}

async fn frame(stream: &mut (impl AsyncRead + Unpin)) -> Option<(Kind, Vec<u8>)> {
    let mut head = [0; HEADER];
    stream.read_exact(&mut head).await.ok()?;
    let (kind, length) = parse(head)?;
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await.ok()?;
    Some((kind, bytes))
}

/// Takes as long for any two texts of one length, so that a key cannot be guessed bit by bit.
fn is_same(one: &[u8], two: &[u8]) -> bool {
    one.len() == two.len() && one.iter().zip(two).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn beyond_this_machine_both_sides_prove_who_they_are() {
        use tokio::io::AsyncWriteExt;
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let _ = provider.install_default();
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let mut listening = Listening::at(local, false).await.expect("it can listen");
        let listener = listening.listener();
        let real: muster_api::Fingerprint =
            listener.fingerprint.as_deref().expect("it is encrypted").parse().expect("it is one");
        for (fingerprint, is_believed) in [(pinned::fingerprint(b"other"), false), (real, true)] {
            let config = pinned::only(fingerprint).expect("it can be used");
            let socket = tokio::net::TcpStream::connect(&listener.address).await.expect("it is up");
            let name = rustls::pki_types::ServerName::IpAddress(local.into());
            let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
            let opened = connector.connect(name, socket).await;
            assert_eq!(opened.is_ok(), is_believed);
            let Ok(mut stream) = opened else { continue };
            let hello = Hello { key: listener.key.clone(), rank: 1, carries: Carries::Input };
            let mut line = serde_json::to_vec(&hello).expect("plain data");
            line.push(b'\n');
            stream.write_all(&line).await.expect("it reads");
            let news = listening.news.recv().await;
            assert!(matches!(news, Some(News::Input { rank: 1, .. })));
        }
    }

    #[tokio::test]
    async fn only_who_has_the_key_is_heard() {
        use tokio::io::AsyncWriteExt;
        use tokio::net::TcpStream;
        let mut listening = Listening::open("http://127.0.0.1:1").await.expect("loopback is there");
        let listener = listening.listener();
        assert!(listener.fingerprint.is_none(), "loopback needs no TLS");
        for (key, is_heard) in [(Secret::new("guessed"), false), (listener.key.clone(), true)] {
            let mut socket = TcpStream::connect(&listener.address).await.expect("it listens");
            let hello = Hello { key, rank: 3, carries: Carries::Output };
            let mut line = serde_json::to_vec(&hello).expect("plain data");
            line.push(b'\n');
            line.extend(muster_api::step::frame::header(Kind::Error, 2));
            line.extend(b"no");
            socket.write_all(&line).await.expect("it reads");
            socket.shutdown().await.expect("it can be closed");
            if !is_heard {
                let mut nothing = Vec::new();
                let _ = socket.read_to_end(&mut nothing).await;
                assert!(listening.news.try_recv().is_err(), "a stranger was heard");
                continue;
            }
            assert!(matches!(listening.news.recv().await, Some(News::Begins)));
            let heard = listening.news.recv().await;
            let Some(News::Output { rank: 3, kind: Kind::Error, bytes }) = heard else {
                panic!("a task should be heard")
            };
            assert_eq!(bytes, b"no");
            assert!(matches!(listening.news.recv().await, Some(News::Ends { rank: 3 })));
        }
    }
}
