//! The one error of this crate: a value that cannot be accepted, and what to write instead.

use thiserror::Error;

/// A bad value: which field, what was given, what is allowed, and a guess at what was meant.
#[derive(Clone, Debug, PartialEq, Eq, Error, serde::Serialize, serde::Deserialize)]
#[error("{field}: {value} is not allowed; {allowed}{}", hint(.meant.as_deref()))]
pub struct Invalid {
    /// Path of the field from the top of what was given (`groups[0].task.gpus`).
    pub field: String,
    /// The value as it was given.
    pub value: String,
    /// The allowed range or form, as a clause (`expected 1 to 64`).
    pub allowed: String,
    /// What was probably meant, where that can be guessed.
    pub meant: Option<String>,
}

fn hint(meant: Option<&str>) -> String {
    meant.map(|meant| format!("\nhint: did you mean {meant}?")).unwrap_or_default()
}

/// A message is read by people: of what would fill their screen only the beginning is told.
fn shortened(mut text: String) -> String {
    const BYTES_MAX: usize = 500;
    if text.len() > BYTES_MAX {
        text.truncate(text.floor_char_boundary(BYTES_MAX));
        text.push('…');
    }
    text
}

impl Invalid {
    /// A bad value of `field`.
    pub fn new(
        field: impl Into<String>,
        value: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        let (field, value) = (shortened(field.into()), shortened(value.into()));
        Invalid { field, value, allowed: allowed.into(), meant: None }
    }

    /// The same with a guess at what was meant.
    #[must_use]
    pub fn meant(mut self, meant: impl Into<String>) -> Self {
        self.meant = Some(meant.into());
        self
    }

    /// The same under another field: who read the value knows best where it stood.
    ///
    /// ```
    /// use muster_model::Mib;
    ///
    /// let refused = "80gig".parse::<Mib>().unwrap_err().in_field("--mem");
    /// assert!(refused.to_string().starts_with("--mem: `80gig` is not allowed"));
    /// ```
    #[must_use]
    pub fn in_field(mut self, field: impl Into<String>) -> Self {
        self.field = field.into();
        self
    }

    /// The same with a guess, where there is one.
    #[must_use]
    pub(crate) fn meant_if(mut self, meant: Option<String>) -> Self {
        self.meant = meant;
        self
    }
}
