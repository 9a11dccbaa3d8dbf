//! What happened, and what happens: a list of the past, and a stream that goes on by itself.

use std::time::Duration;

use muster_api::view::EventView;
use reqwest::{Method, Response};

use crate::sse::Parser;
use crate::{Client, Error, retry};

/// How long to leave a server alone that has ended the stream.
const REST: Duration = Duration::from_millis(200);

/// Which events to list, oldest first.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// After this one; the latest where nothing is said.
    pub after: Option<u64>,
    /// About this job.
    pub job: Option<u64>,
    /// About this node.
    pub node: Option<String>,
    /// At most so many; all where nothing is said.
    pub most: Option<usize>,
}

/// A stream of events. When the connection breaks it goes on after the last one it gave.
#[derive(Debug)]
pub struct Events {
    client: Client,
    stream: Option<Response>,
    parser: Parser,
    last: Option<u64>,
    failures: u32,
}

impl Client {
    /// Events of the past, oldest first: those after one, or else the latest.
    pub async fn events(&self, filter: &EventFilter) -> Result<Vec<EventView>, Error> {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let query = [
            ("after", number(filter.after)),
            ("job", number(filter.job)),
            ("node", filter.node.clone()),
        ];
        // The latest come newest first, and their next page lies before them.
        let cursor = if filter.after.is_some() { "after" } else { "before" };
        let mut events: Vec<EventView> =
            self.list_by(cursor, &["events"], &query, filter.most).await?;
        events.sort_by_key(|event| event.id);
        Ok(events)
    }

    /// Events from now on, or from after one of the past.
    pub fn event_stream(&self, after: Option<u64>) -> Events {
        let parser = Parser::default();
        Events { client: self.clone(), stream: None, parser, last: after, failures: 0 }
    }
}

impl Events {
    /// The next event. An error is one that asking again a few times did not mend.
    pub async fn next(&mut self) -> Result<EventView, Error> {
        loop {
            if let Some(message) = self.parser.next() {
                let event: EventView = serde_json::from_str(&message.data)
                    .map_err(|error| self.client.not_understood(&error))?;
                (self.last, self.failures) = (Some(event.id), 0);
                return Ok(event);
            }
            if let Err(error) = self.read().await {
                self.failures += 1;
                self.stream = None;
                self.parser = Parser::default();
                let pause = retry::pause(self.failures, &error).ok_or(error)?;
                tokio::time::sleep(pause).await;
            }
        }
    }

    /// Reads some more, from a new connection where there is none.
    async fn read(&mut self) -> Result<(), Error> {
        if self.stream.is_none() {
            let query = [("after", self.last.map(|last| last.to_string()))];
            let request = self.client.request(Method::GET, &["events", "stream"], &query);
            let request = request.header("Accept", "text/event-stream");
            self.stream = Some(self.client.send(request).await?);
        }
        let stream = self.stream.as_mut().expect("the stream was just opened");
        let chunk = stream.chunk().await.map_err(|cause| self.client.unreachable(cause))?;
        match chunk {
            Some(bytes) => {
                let too_long = |_| self.client.not_understood(&"an event without an end");
                self.parser.take(&bytes).map_err(too_long)
            }
            // The server ends streams when it stops: the next one goes on after the last event.
            None => {
                self.stream = None;
                tokio::time::sleep(REST).await;
                Ok(())
            }
        }
    }
}
