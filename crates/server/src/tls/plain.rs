//! What is told to who speaks plain HTTP where TLS is spoken: without it they would see a
//! connection that breaks, and guess.

use std::io;

use muster_api::Problem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// As much of a request as is read before it is answered.
const REQUEST_MAX: usize = 16 * 1024;

/// Whether somebody has begun a request without TLS. Methods of HTTP are words in capitals; a
/// handshake begins with the number 22.
pub(super) async fn is_plain(stream: &TcpStream) -> io::Result<bool> {
    let mut first = [0];
    let read = stream.peek(&mut first).await?;
    Ok(read == 1 && first[0].is_ascii_uppercase())
}

/// Says that TLS is spoken here, and hangs up.
pub(super) async fn answer(stream: &mut TcpStream) -> io::Result<()> {
    // Hanging up on a request that was not read could take the answer back.
    let mut request = vec![0; REQUEST_MAX];
    let _ = stream.read(&mut request).await?;
    let detail = "this server speaks TLS, and the request came without";
    let problem = Problem::new(400, "no TLS", detail);
    let problem = problem.hint("write https:// instead of http://");
    let body = serde_json::to_string(&problem).expect("problems are made of plain data");
    let head = format!(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
