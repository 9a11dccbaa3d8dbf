//! A crate's `Cargo.toml` as far as the rules need it: its name and what it depends on.

use toml::{Table, Value};

/// Whether a dependency is part of the crate or only of its tests.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Normal,
    Test,
}

/// One entry of a dependency section.
#[derive(Debug)]
pub(crate) struct Dependency {
    /// The package, also where the manifest gives it another name.
    pub(crate) package: String,
    pub(crate) kind: Kind,
    /// Whether the version is the one of the root manifest.
    pub(crate) is_inherited: bool,
    /// Whether it is there only when a feature asks for it.
    pub(crate) is_optional: bool,
    /// The line it stands on, counted from one.
    pub(crate) line: usize,
}

/// A manifest.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub(crate) package: Option<String>,
    /// Whether the lints are those of the root manifest.
    pub(crate) inherits_lints: bool,
    pub(crate) dependencies: Vec<Dependency>,
}

impl Manifest {
    /// Reads a manifest; the error is TOML's own message.
    pub(crate) fn parse(text: &str) -> Result<Manifest, String> {
        let table = text.parse::<Table>().map_err(|error| error.message().to_owned())?;
        let package = table.get("package").and_then(|package| package.get("name"));
        Ok(Manifest {
            package: package.and_then(Value::as_str).map(str::to_owned),
            inherits_lints: table.get("lints").is_some_and(is_inherited),
            dependencies: dependencies(&table, text),
        })
    }
}

/// All dependencies of a manifest, those for single platforms included.
fn dependencies(manifest: &Table, text: &str) -> Vec<Dependency> {
    let platforms = manifest.get("target").and_then(Value::as_table);
    let platforms = platforms.into_iter().flat_map(|table| table.values());
    let mut found = Vec::new();
    for table in platforms.filter_map(Value::as_table).chain([manifest]) {
        for (section, kind) in [
            ("dependencies", Kind::Normal),
            ("build-dependencies", Kind::Normal),
            ("dev-dependencies", Kind::Test),
        ] {
            let entries = table.get(section).and_then(Value::as_table);
            found.extend(entries.into_iter().flatten().map(|(key, value)| {
                let renamed = value.get("package").and_then(Value::as_str);
                Dependency {
                    package: renamed.unwrap_or(key).to_owned(),
                    kind,
                    is_inherited: is_inherited(value),
                    is_optional: value.get("optional").and_then(Value::as_bool) == Some(true),
                    line: line_of(text, section, key),
                }
            }));
        }
    }
    found
}

fn is_inherited(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}

/// The line that names the dependency in a section of that kind; the first line of the file where
/// the text is too unusual to tell.
fn line_of(text: &str, section: &str, key: &str) -> usize {
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            let of_key = header.strip_suffix(key).and_then(|start| start.strip_suffix('.'));
            if of_key.is_some_and(|start| names_section(start, section)) {
                return index + 1;
            }
            inside = names_section(header, section);
        } else if inside {
            let rest = line.trim_start_matches('"').strip_prefix(key);
            if rest.is_some_and(|rest| rest.starts_with([' ', '=', '.', '"'])) {
                return index + 1;
            }
        }
    }
    1
}

/// Whether a header is the section itself or the section of one platform.
fn names_section(header: &str, section: &str) -> bool {
    header == section || header.strip_suffix(section).is_some_and(|start| start.ends_with('.'))
}
