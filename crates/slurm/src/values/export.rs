//! Which variables of the environment travel with a job: `ALL,SEED=1`, `NONE`, `A,B=c`.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::refuse;

const FORMS: &str = "expected ALL, NONE or NIL, or variables such as `ALL,SEED=1,NAME`, with \
                     quotes around values with commas";

/// The environment of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// What it begins with.
    pub base: Base,
    /// What is added: variables with a value, or with the one they have at submission.
    pub variables: Vec<(String, Option<String>)>,
}

/// What an environment begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Everything there is at submission.
    All,
    /// Only what Slurm sets, and the user's login environment.
    None,
    /// Only what Slurm sets.
    Nil,
    /// Only what Slurm sets, and the variables that are named.
    Named,
}

impl FromStr for Export {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Export, Invalid> {
        let refused = || refuse("export", text, FORMS);
        let mut export = Export { base: Base::Named, variables: Vec::new() };
        let items = split(text).ok_or_else(refused)?;
        let is_alone = items.len() == 1;
        for item in items {
            match item.to_ascii_uppercase().as_str() {
                "ALL" => export.base = Base::All,
                "NONE" if is_alone => export.base = Base::None,
                "NIL" if is_alone => export.base = Base::Nil,
                _ => export.variables.push(variable(&item).ok_or_else(refused)?),
            }
        }
        Ok(export)
    }
}

/// At commas outside of quotes; quotes around a value are taken off.
fn split(text: &str) -> Option<Vec<String>> {
    let (mut items, mut item, mut quote) = (Vec::new(), String::new(), None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => item.push(letter),
            (None, '\'' | '"') => quote = Some(letter),
            (None, ',') => items.push(std::mem::take(&mut item)),
            (None, _) => item.push(letter),
        }
    }
    items.push(item);
    quote.is_none().then_some(items)
}

fn variable(item: &str) -> Option<(String, Option<String>)> {
    let (name, value) = match item.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (item, None),
    };
    let is_letter = |letter: char| !letter.is_whitespace() && !letter.is_control();
    (!name.is_empty() && name.chars().all(is_letter)).then(|| (name.to_owned(), value))
}

impl fmt::Display for Export {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = match self.base {
            Base::All => Some("ALL".to_owned()),
            Base::None => Some("NONE".to_owned()),
            Base::Nil => Some("NIL".to_owned()),
            Base::Named => None,
        };
        let variables = self.variables.iter().map(|(name, value)| match value {
            None => name.clone(),
            Some(value) => format!("{name}={}", quoted(value)),
        });
        let parts: Vec<String> = base.into_iter().chain(variables).collect();
        formatter.write_str(&parts.join(","))
    }
}

/// With quotes where a value needs them; each part in those that it does not contain.
fn quoted(value: &str) -> String {
    if !value.contains([',', '\'', '"']) {
        return value.to_owned();
    }
    let parts = value
        .split('"')
        .map(|part| if part.is_empty() { String::new() } else { format!("\"{part}\"") });
    parts.collect::<Vec<_>>().join("'\"'")
}
