//! Reads server-sent events: lines in, messages out, however the bytes are cut.

use std::collections::VecDeque;

/// The longest message that is kept unless more is expected; a server that sends more without an
/// end is not ours.
const MESSAGE_MAX: usize = 1024 * 1024;

/// One message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// The place in the stream, to go on from.
    pub(crate) id: Option<String>,
    /// What kind of message it is, where the server says.
    pub(crate) event: Option<String>,
    /// What was sent.
    pub(crate) data: String,
}

/// A message that grew beyond measure.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Takes bytes as they come and gives messages as they become complete.
#[derive(Debug)]
pub(crate) struct Parser {
    message_max: usize,
    line: Vec<u8>,
    after_return: bool,
    message: Message,
    has_data: bool,
    ready: VecDeque<Message>,
}

impl Default for Parser {
    fn default() -> Parser {
        Parser::new(MESSAGE_MAX)
    }
}

impl Parser {
    /// One that keeps messages up to a length.
    pub(crate) fn new(message_max: usize) -> Parser {
        Parser {
            message_max,
            line: Vec::new(),
            after_return: false,
            message: Message::default(),
            has_data: false,
            ready: VecDeque::new(),
        }
    }

    /// Takes some bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        for &byte in bytes {
            // A line ends with \n, \r or \r\n, and the two bytes may come apart.
            let ends_pair = byte == b'\n' && std::mem::take(&mut self.after_return);
            self.after_return = byte == b'\r';
            match byte {
                b'\n' if ends_pair => {}
                b'\n' | b'\r' => self.end_line(),
                _ => self.line.push(byte),
            }
            if self.line.len() + self.message.data.len() > self.message_max {
                return Err(TooLong);
            }
        }
        Ok(())
    }

    /// The next complete message.
    pub(crate) fn next(&mut self) -> Option<Message> {
        self.ready.pop_front()
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        if line.is_empty() {
            let message = std::mem::take(&mut self.message);
            // Messages without data only keep the stream alive.
            if std::mem::take(&mut self.has_data) {
                self.ready.push_back(message);
            }
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.message.data.push('\n');
                }
                self.message.data.push_str(value);
            }
            "id" => self.message.id = Some(value.to_owned()),
            "event" => self.message.event = Some(value.to_owned()),
            // Comments and times to retry mean nothing to us.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(chunks: &[&str]) -> Vec<(Option<String>, String)> {
        let mut parser = Parser::default();
        chunks.iter().for_each(|chunk| parser.take(chunk.as_bytes()).expect("short"));
        std::iter::from_fn(|| parser.next()).map(|message| (message.id, message.data)).collect()
    }

    #[test]
    fn messages_are_the_same_however_they_are_cut() {
        let text =
            ": hello\r\nid: 7\r\ndata: one\r\ndata: two\r\n\r\nid:8\ndata:three\n\n\n: beat\n\n";
        let whole = messages(&[text]);
        let some = |id: &str, data: &str| (Some(id.to_owned()), data.to_owned());
        assert_eq!(whole, [some("7", "one\ntwo"), some("8", "three")]);
        for at in 1..text.len() {
            assert_eq!(messages(&[&text[..at], &text[at..]]), whole, "cut at {at}");
        }
    }

    #[test]
    fn half_a_message_is_none() {
        assert_eq!(messages(&["data: half\n"]), []);
    }

    #[test]
    fn message_without_end_is_refused() {
        let mut parser = Parser::default();
        let line = [b"data: ".as_slice(), &[b'x'; 1000], b"\n"].concat();
        let refused = (0..2000).find(|_| parser.take(&line).is_err());
        assert!(refused.is_some());
    }
}
