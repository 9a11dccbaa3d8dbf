//! As much of HTTP as is needed to ask our own server.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(20);

/// Where to ask, and as whom.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Api {
    /// The status and the body of an answer. One that was cut off is none.
    pub(crate) fn ask(
        &self,
        what: &str,
        key: Option<&str>,
        body: &str,
    ) -> io::Result<(u16, String)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(ANSWER))?;
        let key = key.map(|key| format!("Idempotency-Key: {key}\r\n")).unwrap_or_default();
        let request = format!(
            "{what} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Authorization: Bearer {}\r\n{key}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        parse(&answer).ok_or_else(|| io::Error::other("the answer was cut off"))
    }

    /// The JSON of a page, if the server is there.
    pub(crate) fn get(&self, path: &str) -> Option<serde_json::Value> {
        match self.ask(&format!("GET {path}"), None, "") {
            Ok((200, body)) => serde_json::from_str(&body).ok(),
            _ => None,
        }
    }
}

fn parse(answer: &str) -> Option<(u16, String)> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    })?;
    (body.len() == length).then(|| (status, body.to_owned()))
}
