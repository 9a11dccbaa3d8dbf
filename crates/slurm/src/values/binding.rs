//! How tasks are tied to CPUs, memory and GPUs: `cores`, `map_cpu:0,4`, `verbose,single:2`.

use std::fmt;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::refuse;

/// What tasks are tied to; each has its own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// CPUs.
    Cpu,
    /// Memory.
    Memory,
    /// GPUs.
    Gpu,
}

/// A way to tie tasks down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// Whether it is reported; as the cluster does by default without one.
    pub verbose: Option<bool>,
    /// The way, by Slurm's word; none where only the report was asked for.
    pub method: Option<String>,
    /// What belongs to the way: a number, a list of numbers or masks.
    pub argument: Option<String>,
}

/// A word, and whether something follows it.
type Word = (&'static str, bool);

const CPU: [Word; 14] = [
    ("none", false),
    ("no", false),
    ("rank", false),
    ("map_cpu", true),
    ("mask_cpu", true),
    ("rank_ldom", false),
    ("map_ldom", true),
    ("mask_ldom", true),
    ("sockets", false),
    ("cores", false),
    ("threads", false),
    ("ldoms", false),
    ("boards", false),
    ("one_thread", false),
];
const MEMORY: [Word; 9] = [
    ("none", false),
    ("no", false),
    ("local", false),
    ("rank", false),
    ("map_mem", true),
    ("mask_mem", true),
    ("prefer", false),
    ("sort", false),
    ("nosort", false),
];
const GPU: [Word; 6] = [
    ("none", false),
    ("closest", false),
    ("single", true),
    ("per_task", true),
    ("map_gpu", true),
    ("mask_gpu", true),
];

impl BindingKind {
    fn words(self) -> &'static [Word] {
        match self {
            BindingKind::Cpu => &CPU,
            BindingKind::Memory => &MEMORY,
            BindingKind::Gpu => &GPU,
        }
    }

    const fn option(self) -> &'static str {
        match self {
            BindingKind::Cpu => "cpu-bind",
            BindingKind::Memory => "mem-bind",
            BindingKind::Gpu => "gpu-bind",
        }
    }
}

impl Binding {
    /// Reads a way to tie tasks to what `kind` says.
    pub fn read(kind: BindingKind, text: &str) -> Result<Binding, Invalid> {
        read(kind, text).ok_or_else(|| {
            let words = kind.words().iter().map(|&(word, has_more)| {
                if has_more { format!("{word}:…") } else { word.to_owned() }
            });
            let words: Vec<String> = words.collect();
            let allowed =
                format!("expected one of {}, with `verbose,` before it", words.join(", "));
            refuse(kind.option(), text, &allowed)
        })
    }
}

fn read(kind: BindingKind, text: &str) -> Option<Binding> {
    let (first, rest) = text.split_once(',').unwrap_or((text, ""));
    let verbose = match first.to_ascii_lowercase().as_str() {
        "verbose" | "v" => Some(true),
        "quiet" | "q" => Some(false),
        _ => None,
    };
    let rest = if verbose.is_some() { rest } else { text };
    if verbose.is_some() && rest.is_empty() {
        return Some(Binding { verbose, method: None, argument: None });
    }
    let (word, argument) = match rest.split_once(':') {
        Some((word, argument)) => (word, Some(argument)),
        None => (rest, None),
    };
    let word = word.to_ascii_lowercase();
    let &(method, has_more) = kind.words().iter().find(|(known, _)| *known == word)?;
    let is_argument = |text: &str| {
        let is_letter = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b',' | b'x' | b'*');
        !text.is_empty() && text.bytes().all(is_letter)
    };
    let is_good = if has_more { argument.is_some_and(is_argument) } else { argument.is_none() };
    let argument = argument.map(str::to_owned);
    is_good.then(|| Binding { verbose, method: Some(method.to_owned()), argument })
}

impl fmt::Display for Binding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verbose = self.verbose.map(|verbose| if verbose { "verbose" } else { "quiet" });
        let method = self.method.as_ref().map(|method| match &self.argument {
            Some(argument) => format!("{method}:{argument}"),
            None => method.clone(),
        });
        let parts: Vec<String> = verbose.map(str::to_owned).into_iter().chain(method).collect();
        formatter.write_str(&parts.join(","))
    }
}
