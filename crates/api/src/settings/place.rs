//! Where something stands in a settings file: lines of keys, and keys of lines.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Mistake;

/// A text with the values in it.
pub(super) struct Place<'t> {
    /// Where each line begins.
    starts: Vec<usize>,
    pub(super) table: &'t Spanned<DeTable<'t>>,
}

impl<'t> Place<'t> {
    pub(super) fn new(text: &str, table: &'t Spanned<DeTable<'t>>) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Place { starts, table }
    }

    /// The line on which a byte is.
    pub(super) fn line_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The line of the value at a path such as `cluster.queues[0].weight`, or of the nearest thing
    /// around it that is written in the file.
    pub(super) fn line_of(&self, path: &str) -> Option<usize> {
        let mut start = None;
        let mut value: Option<&DeValue<'_>> = None;
        for part in path.split(['.', '[']) {
            let part = part.trim_end_matches(']');
            let next = match value {
                None => self.table.get_ref().get(part),
                Some(DeValue::Table(table)) => table.get(part),
                Some(DeValue::Array(list)) => part.parse().ok().and_then(|at: usize| list.get(at)),
                Some(_) => None,
            };
            let Some(next) = next else { break };
            start = Some(next.span().start);
            value = Some(next.get_ref());
        }
        start.map(|start| self.line_at(start))
    }

    /// What is wrong with some part of the text.
    pub(super) fn mistake(&self, span: Option<Range<usize>>, what: impl Into<String>) -> Mistake {
        /// Keys come from the file, and may be as long as it is.
        const BYTES_MAX: usize = 1000;
        let mut what = what.into();
        if what.len() > BYTES_MAX {
            what.truncate(what.floor_char_boundary(BYTES_MAX));
            what.push('…');
        }
        Mistake { line: span.map(|span| self.line_at(span.start)), what }
    }

    /// The same, with the key of the value that stands there.
    pub(super) fn keyed_mistake(&self, span: Option<Range<usize>>, what: &str) -> Mistake {
        let key = span.as_ref().and_then(|span| key_at(self.table.get_ref(), span));
        self.mistake(span, key.map_or_else(|| what.to_owned(), |key| format!("{key}: {what}")))
    }
}

/// The path of the innermost value that holds a part of the text.
fn key_at(table: &DeTable<'_>, span: &Range<usize>) -> Option<String> {
    let holds = |value: &Spanned<DeValue<'_>>| {
        value.span().start <= span.start && span.end <= value.span().end
    };
    table.iter().find_map(|(key, value)| {
        let key = key.get_ref();
        let deeper = match value.get_ref() {
            // Its own span is that of its header; what is in it may stand anywhere.
            DeValue::Table(table) => key_at(table, span).map(|rest| format!("{key}.{rest}")),
            DeValue::Array(list) => list.iter().enumerate().find_map(|(at, value)| {
                let inner = match value.get_ref() {
                    DeValue::Table(table) => key_at(table, span).map(|rest| format!(".{rest}")),
                    _ => holds(value).then(String::new),
                };
                inner.map(|rest| format!("{key}[{at}]{rest}"))
            }),
            _ => None,
        };
        deeper.or_else(|| holds(value).then(|| key.to_string()))
    })
}
