//! Names people give to things. A `Name` is one word; a `QueueName` is a path of names.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::Invalid;

/// The longest name: it fits a host name, a label value and a column of a table.
pub const NAME_LENGTH_MAX: usize = 63;

/// The most queues that may stand above a queue: charging a job walks them all, for every job.
pub const QUEUE_DEPTH_MAX: usize = 4;

const NAME_FORM: &str = "expected 1 to 63 letters, digits, `.`, `_` or `-`, \
                         starting with a letter or digit";

const QUEUE_FORM: &str = "expected 1 to 5 names joined by `/`, each of 1 to 63 letters, digits, \
                          `.`, `_` or `-`, starting with a letter or digit";

/// A name: 1 to 63 letters, digits, `.`, `_` or `-`, starting with a letter or digit.
///
/// Cheap to clone. [`Name::new`] checks; deserialising keeps what is written, and
/// validation of the whole value reports it with its field.
///
/// ```
/// use muster_model::Name;
///
/// assert_eq!(Name::new("H100")?.as_str(), "H100");
/// let error = Name::new("my job").unwrap_err();
/// assert_eq!(error.meant.as_deref(), Some("my-job"));
/// # Ok::<(), muster_model::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String))]
#[serde(transparent)]
pub struct Name(Arc<str>);

/// A queue's full name: names joined by `/`, from the top of the tree (`research/nlp`).
///
/// ```
/// use muster_model::QueueName;
///
/// let queue = QueueName::new("research/nlp")?;
/// assert_eq!(queue.parent(), Some(QueueName::new("research")?));
/// assert_eq!(queue.depth(), 1);
/// # Ok::<(), muster_model::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String))]
#[serde(transparent)]
pub struct QueueName(Arc<str>);

impl Name {
    /// The name, if it is one.
    pub fn new(text: &str) -> Result<Name, Invalid> {
        let name = Name::from(text);
        if name.is_valid() { Ok(name) } else { Err(name.invalid("name")) }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the text has the form of a name; a name that was read may not.
    pub fn is_valid(&self) -> bool {
        is_name(&self.0)
    }

    /// What to say about a name of the wrong form.
    pub(crate) fn invalid(&self, field: impl Into<String>) -> Invalid {
        Invalid::new(field, quoted(&self.0), NAME_FORM).meant_if(mended(&self.0))
    }
}

impl QueueName {
    /// The queue's name, if it is one.
    pub fn new(text: &str) -> Result<QueueName, Invalid> {
        let name = QueueName::from(text);
        if name.is_valid() { Ok(name) } else { Err(name.invalid("queue")) }
    }

    /// The full path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The queue above this one, if this is not at the top.
    pub fn parent(&self) -> Option<QueueName> {
        self.0.rsplit_once('/').map(|(parent, _)| QueueName(Arc::from(parent)))
    }

    /// How many queues stand above this one.
    pub fn depth(&self) -> usize {
        self.0.matches('/').count()
    }

    /// Whether `above` is an ancestor of this queue.
    pub fn is_below(&self, above: &QueueName) -> bool {
        self.0.strip_prefix(above.as_str()).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether the text has the form of a queue's name; a name that was read may not.
    pub fn is_valid(&self) -> bool {
        self.depth() <= QUEUE_DEPTH_MAX && self.0.split('/').all(is_name)
    }

    /// What to say about a queue's name of the wrong form.
    pub(crate) fn invalid(&self, field: impl Into<String>) -> Invalid {
        let parts: Vec<_> = self.0.split('/').filter(|part| !part.is_empty()).collect();
        let mended: Option<Vec<_>> = parts
            .iter()
            .map(|part| if is_name(part) { Some((*part).to_owned()) } else { mended(part) })
            .collect();
        let mended = mended.filter(|parts| (1..=QUEUE_DEPTH_MAX + 1).contains(&parts.len()));
        let mended = mended.map(|parts| parts.join("/"));
        Invalid::new(field, quoted(&self.0), QUEUE_FORM).meant_if(mended)
    }
}

fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() <= NAME_LENGTH_MAX
        && bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|&byte| is_name_byte(byte))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
}

/// The text in backticks, cut where it would fill the screen.
pub fn quoted(text: &str) -> String {
    const SHOWN: usize = 80;
    if text.chars().nth(SHOWN).is_none() {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(SHOWN).collect();
    format!("`{start}…` ({} characters)", text.chars().count())
}

/// The name that the text becomes with `-` for what may not stand there, if it becomes one.
fn mended(text: &str) -> Option<String> {
    let replaced = text.replace(|c: char| !u8::try_from(c).is_ok_and(is_name_byte), "-");
    let mended = replaced.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    (is_name(mended) && mended != text).then(|| mended.to_owned())
}

impl FromStr for Name {
    type Err = Invalid;
    fn from_str(text: &str) -> Result<Self, Invalid> {
        Name::new(text)
    }
}

impl FromStr for QueueName {
    type Err = Invalid;
    fn from_str(text: &str) -> Result<Self, Invalid> {
        QueueName::new(text)
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(Arc::from(text))
    }
}

impl From<&str> for QueueName {
    fn from(text: &str) -> Self {
        QueueName(Arc::from(text))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for QueueName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;
