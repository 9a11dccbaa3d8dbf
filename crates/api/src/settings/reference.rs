//! The reference of settings as Markdown: every key with what it takes, its default and its
//! meaning, table by table.

use std::fmt::Write as _;

use serde::Serialize;
use toml::Value;
use utoipa::ToSchema;

use super::human;
use super::shape::{Setting, Shape, Table};

/// The reference of one settings file. The heading of its tables have two marks.
pub fn reference<T: Default + Serialize + ToSchema>() -> String {
    let mut defaults = Value::try_from(T::default()).expect("settings can be written");
    let shape = Shape::of::<T>();
    human::put_units(&mut defaults, &shape);
    let mut text = String::new();
    if let Shape::Table(table) = &shape {
        section(&mut text, "", "", table, Some(&defaults));
    }
    text
}

/// One table of settings, and then the tables within it.
fn section(text: &mut String, path: &str, meaning: &str, table: &Table, defaults: Option<&Value>) {
    if !path.is_empty() {
        let meaning = cell(&format!("{meaning} {}", table.meaning));
        write!(text, "\n## `{path}`\n\n{meaning}\n").expect("a string takes all text");
    }
    let (plain, tables): (Vec<_>, Vec<_>) =
        table.settings.iter().partition(|setting| inner(&setting.shape).is_none());
    if !plain.is_empty() {
        text.push_str("\n| key | takes | default | meaning |\n|---|---|---|---|\n");
    }
    for setting in plain {
        let default = defaults.and_then(|defaults| defaults.get(&setting.key));
        writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            setting.key,
            takes(&setting.shape),
            default_of(setting, default),
            cell(&setting.meaning)
        )
        .expect("a string takes all text");
    }
    for setting in tables {
        let key = match path.trim_start_matches('[').trim_end_matches(']') {
            "" => setting.key.clone(),
            above => format!("{above}.{}", setting.key),
        };
        let (path, defaults) = match &setting.shape {
            Shape::List(_) => (format!("[[{key}]]"), None),
            _ => (format!("[{key}]"), defaults.and_then(|defaults| defaults.get(&setting.key))),
        };
        let table = inner(&setting.shape).expect("only those with a table are here");
        section(text, &path, &setting.meaning, table, defaults);
    }
}

/// The table that a setting is, or is a list of.
fn inner(shape: &Shape) -> Option<&Table> {
    match shape {
        Shape::Table(table) => Some(table),
        Shape::List(items) => match &**items {
            Shape::Table(table) => Some(table),
            _ => None,
        },
        _ => None,
    }
}

fn takes(shape: &Shape) -> String {
    match shape {
        Shape::Table(_) | Shape::Other => "table".to_owned(),
        Shape::Map(values) => format!("table of names, each with {}", takes(values)),
        Shape::List(items) => format!("list of {}", takes(items)),
        Shape::Choice(words) => {
            let words: Vec<_> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            words.join(", ")
        }
        Shape::Duration => "duration".to_owned(),
        Shape::Memory => "memory".to_owned(),
        Shape::Gpus => "GPUs".to_owned(),
        Shape::Cpus => "CPUs".to_owned(),
        Shape::Whole => "number".to_owned(),
        Shape::Text => "text".to_owned(),
        Shape::Address => "address and port".to_owned(),
        Shape::Switch => "`true`, `false`".to_owned(),
    }
}

/// The default as it would be written.
fn default_of(setting: &Setting, default: Option<&Value>) -> String {
    let of_type = || {
        let value = Value::try_from(setting.default.as_ref()?).ok()?;
        Some(value).map(|mut value| {
            human::put_units(&mut value, &setting.shape);
            value
        })
    };
    match default.cloned().or_else(of_type) {
        Some(value) => format!("`{value}`"),
        None if setting.is_required => "has to be there".to_owned(),
        None if setting.is_option => String::new(),
        None => format!("`{}`", nothing(&setting.shape)),
    }
}

/// What a type is where nobody says what it is.
fn nothing(shape: &Shape) -> &'static str {
    match shape {
        Shape::Switch => "false",
        Shape::Whole => "0",
        Shape::Duration => "\"0s\"",
        Shape::Memory => "\"0MiB\"",
        Shape::Gpus | Shape::Cpus => "\"0\"",
        Shape::List(_) => "[]",
        Shape::Table(_) | Shape::Map(_) => "{}",
        Shape::Text | Shape::Address | Shape::Choice(_) | Shape::Other => "\"\"",
    }
}

/// Text for one cell: on one line, without examples for programmers and what would end the cell.
fn cell(text: &str) -> String {
    let text = text.split("```").next().unwrap_or(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|").replace("[`", "`").replace("`]", "`")
}
