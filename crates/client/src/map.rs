//! The cluster as a picture: once, and as it changes. And what runs next.

use std::sync::Arc;
use std::time::Duration;

use muster_api::view::{MapView, PlanView};
use reqwest::{Method, Response};

use crate::sse::{Message, Parser};
use crate::{Client, Error};

/// The longest message of the stream: a whole picture of 100,000 GPUs, each with a job of its own,
/// has about 25 MB.
const PICTURE_MAX: usize = 64 * 1024 * 1024;

/// The first wait after a connection was lost; each is twice the one before.
const FIRST: Duration = Duration::from_millis(250);

/// The longest wait: who looks at a screen should not wait much longer than the server.
const LONGEST: Duration = Duration::from_secs(5);

/// How long the server may be silent: it sends a line every 15 seconds.
const SILENCE: Duration = Duration::from_secs(40);

/// What a watch has seen.
#[derive(Debug)]
pub enum Watched {
    /// The picture as it is now.
    Picture(Arc<MapView>),
    /// The server cannot be seen; the watch goes on trying.
    Lost(Error),
}

/// Watches the picture change, for as long as it is asked. It connects again by itself.
#[derive(Debug)]
pub struct Watching {
    client: Client,
    stream: Option<Response>,
    parser: Parser,
    picture: Option<Arc<MapView>>,
    failures: u32,
}

impl Client {
    /// Every GPU, who has it, and how busy it is.
    pub async fn map(&self) -> Result<MapView, Error> {
        self.ask(self.request(Method::GET, &["map"], &[])).await
    }

    /// What runs next, as far as it can be foreseen.
    pub async fn plan(&self) -> Result<PlanView, Error> {
        self.ask(self.request(Method::GET, &["plan"], &[])).await
    }

    /// The same picture as it changes.
    pub fn watch(&self) -> Watching {
        let parser = Parser::new(PICTURE_MAX);
        Watching { client: self.clone(), stream: None, parser, picture: None, failures: 0 }
    }
}

impl Watching {
    /// The next picture, or the news that the server is out of sight. After that it waits a little
    /// before it tries again, longer each time.
    pub async fn next(&mut self) -> Watched {
        if self.stream.is_none() && self.failures > 0 {
            let doubled = FIRST * 2_u32.pow(self.failures.min(10) - 1);
            tokio::time::sleep(doubled.min(LONGEST)).await;
        }
        loop {
            let found = match self.parser.next() {
                Some(message) => self.take(&message).map(Some),
                None => self.read().await.map(|()| None),
            };
            match found {
                Ok(Some(picture)) => {
                    self.failures = 0;
                    return Watched::Picture(picture);
                }
                Ok(None) => {}
                Err(error) => {
                    self.failures = self.failures.saturating_add(1);
                    self.stream = None;
                    self.parser = Parser::new(PICTURE_MAX);
                    return Watched::Lost(error);
                }
            }
        }
    }

    fn take(&mut self, message: &Message) -> Result<Arc<MapView>, Error> {
        let odd = |error: serde_json::Error| self.client.not_understood(&error);
        match (message.event.as_deref(), &mut self.picture) {
            (Some("change"), Some(picture)) => {
                let change = serde_json::from_str(&message.data).map_err(odd)?;
                Arc::make_mut(picture).apply(change);
            }
            (Some("whole"), _) => {
                self.picture = Some(Arc::new(serde_json::from_str(&message.data).map_err(odd)?));
            }
            _ => return Err(self.client.not_understood(&"neither a picture nor a change of one")),
        }
        Ok(Arc::clone(self.picture.as_ref().expect("it was just drawn")))
    }

    /// Reads some more, from a new connection where there is none.
    async fn read(&mut self) -> Result<(), Error> {
        if self.stream.is_none() {
            let request = self.client.request(Method::GET, &["map", "stream"], &[]);
            let request = request.header("Accept", "text/event-stream");
            // Changes belong to the whole that this stream begins with.
            self.picture = None;
            self.stream = Some(self.client.send(request).await?);
        }
        let stream = self.stream.as_mut().expect("the stream was just opened");
        let Ok(read) = tokio::time::timeout(SILENCE, stream.chunk()).await else {
            return Err(self.client.not_understood(&"nothing at all for a while"));
        };
        match read.map_err(|cause| self.client.unreachable(cause))? {
            Some(bytes) => {
                let too_long = |_| self.client.not_understood(&"a picture without an end");
                self.parser.take(&bytes).map_err(too_long)
            }
            None => Err(self.client.not_understood(&"the end of the stream")),
        }
    }
}
