//! Texts that many jobs repeat, kept once.

use rustc_hash::FxHashSet;

use crate::job::Text;

/// The texts seen so far.
#[derive(Debug, Default)]
pub(crate) struct Words {
    known: FxHashSet<Text>,
}

impl Words {
    /// The text, the same one for the same words.
    pub(crate) fn word(&mut self, text: &str) -> Text {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let text = Text::from(text);
        self.known.insert(text.clone());
        text
    }

    /// The text, if there is one.
    pub(crate) fn some(&mut self, text: Option<&str>) -> Option<Text> {
        text.map(|text| self.word(text))
    }

    /// Texts joined by bars, each on its own.
    pub(crate) fn barred(&mut self, text: Option<&str>) -> Vec<Text> {
        let parts = text.into_iter().flat_map(|text| text.split('|'));
        parts.map(str::trim).filter(|part| !part.is_empty()).map(|part| self.word(part)).collect()
    }
}
