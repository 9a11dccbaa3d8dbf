//! Holds a settings file against the shape it should have, and says everything that differs.

use std::net::SocketAddr;
use std::ops::Range;

use muster_model::name::quoted;
use muster_model::nearest::nearest;
use muster_model::{Mib, MilliCpu, MilliGpu, Millis};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Mistake;
use super::place::Place;
use super::shape::{Shape, Table};

/// More mistakes than these are not read by anyone.
const MISTAKES_MAX: usize = 100;

/// Words that still fit a message.
const LISTED_MAX: usize = 12;

/// Everything in the file that is not as it should be.
pub(super) fn table(shape: &Shape, place: &Place<'_>) -> Vec<Mistake> {
    let mut check = Check { place, mistakes: Vec::new() };
    if let Shape::Table(shape) = shape {
        check.table(place.table.get_ref(), shape, "", 0..0);
    }
    check.mistakes
}

struct Check<'a> {
    place: &'a Place<'a>,
    mistakes: Vec<Mistake>,
}

impl Check<'_> {
    fn add(&mut self, span: Range<usize>, what: String) {
        if self.mistakes.len() < MISTAKES_MAX {
            self.mistakes.push(self.place.mistake(Some(span), what));
        }
    }

    fn table(&mut self, table: &DeTable<'_>, shape: &Table, path: &str, span: Range<usize>) {
        for (key, value) in table.iter() {
            let (key, at) = (key.get_ref(), key.span());
            let path = below(path, key);
            match shape.settings.iter().find(|setting| setting.key == *key) {
                Some(setting) => self.value(value, &setting.shape, &path),
                None => self.add(at, unknown(&path, key, shape)),
            }
        }
        let missing = shape.settings.iter().filter(|setting| setting.is_required);
        for setting in missing.filter(|setting| !table.contains_key(setting.key.as_str())) {
            self.add(span.clone(), format!("{}: has to be there", below(path, &setting.key)));
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, shape: &Shape, path: &str) {
        let span = value.span();
        match (shape, value.get_ref()) {
            (Shape::Table(shape), DeValue::Table(table)) => self.table(table, shape, path, span),
            (Shape::Map(shape), DeValue::Table(table)) => {
                for (key, value) in table.iter() {
                    self.value(value, shape, &below(path, key.get_ref()));
                }
            }
            (Shape::List(shape), DeValue::Array(list)) => {
                for (at, value) in list.iter().enumerate() {
                    self.value(value, shape, &format!("{path}[{at}]"));
                }
            }
            (shape, found) => {
                if let Some(expected) = refused(shape, found) {
                    self.add(span, format!("{path}: {} {expected}", told(found)));
                }
            }
        }
    }
}

/// What is wrong with a value, if anything.
fn refused(shape: &Shape, found: &DeValue<'_>) -> Option<String> {
    let text = match found {
        DeValue::String(text) => Some(text.as_ref()),
        _ => None,
    };
    let is_whole = matches!(found, DeValue::Integer(number) if !number.as_str().starts_with('-'));
    let is_right = match shape {
        // A number without a unit is what a program would write; in a text it is a slip.
        Shape::Duration => {
            let is_bare = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            is_whole || text.is_some_and(|text| !is_bare(text) && text.parse::<Millis>().is_ok())
        }
        Shape::Memory => is_whole || text.is_some_and(|text| text.parse::<Mib>().is_ok()),
        Shape::Gpus => is_whole || text.is_some_and(|text| text.parse::<MilliGpu>().is_ok()),
        Shape::Cpus => is_whole || text.is_some_and(|text| text.parse::<MilliCpu>().is_ok()),
        Shape::Whole => is_whole,
        Shape::Text => text.is_some(),
        Shape::Address => text.is_some_and(|text| text.parse::<SocketAddr>().is_ok()),
        Shape::Switch => matches!(found, DeValue::Boolean(_)),
        Shape::Choice(words) => text.is_some_and(|text| words.iter().any(|word| word == text)),
        Shape::Other => true,
        Shape::Table(_) | Shape::Map(_) | Shape::List(_) => false,
    };
    (!is_right).then(|| expected(shape, text))
}

/// What should stand there instead.
fn expected(shape: &Shape, text: Option<&str>) -> String {
    match shape {
        Shape::Duration => "is not a duration; write 30s, 10m, 2h or 1d".to_owned(),
        Shape::Memory => "is not an amount of memory; write 512MiB, 64GiB or 2TiB".to_owned(),
        Shape::Gpus => "is not a number of GPUs; write \"8\" or \"0.5\"".to_owned(),
        Shape::Cpus => "is not a number of CPUs; write \"16\" or \"0.5\"".to_owned(),
        Shape::Whole => "is not a whole number".to_owned(),
        Shape::Text => "is not text; put it in quotes".to_owned(),
        Shape::Address => "is not an address; write 127.0.0.1:7070 or [::1]:7070".to_owned(),
        Shape::Switch => "is neither true nor false".to_owned(),
        Shape::List(_) => "is not a list; put it in [ ]".to_owned(),
        Shape::Table(_) | Shape::Map(_) | Shape::Other => "is not a table of settings".to_owned(),
        Shape::Choice(words) => {
            let known = words.iter().map(String::as_str);
            match text.and_then(|text| nearest(text, known)) {
                Some(meant) => format!("is not known; did you mean {meant}?"),
                None => format!("is not known; write one of {}", words.join(", ")),
            }
        }
    }
}

fn unknown(path: &str, key: &str, shape: &Table) -> String {
    let known: Vec<&str> = shape.settings.iter().map(|setting| setting.key.as_str()).collect();
    match nearest(key, known.iter().copied()) {
        Some(meant) => format!("{path}: there is no such setting; did you mean {meant}?"),
        None if known.len() <= LISTED_MAX => {
            format!("{path}: there is no such setting; there are {}", known.join(", "))
        }
        None => format!("{path}: there is no such setting"),
    }
}

/// A value as it was written, or what it is where that would be long.
fn told(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text).replacen('`', "\"", 1).replacen('`', "\"", 1),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(moment) => moment.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
