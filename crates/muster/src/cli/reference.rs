//! Jobs as people name them: `12`, or `12_3` for element 3 of array 12.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use muster_client::Client;

/// A job, or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    id: u64,
    index: Option<u32>,
}

impl Reference {
    /// The job or array, and the index of the element.
    pub(crate) fn parts(self) -> (u64, Option<u32>) {
        (self.id, self.index)
    }

    /// The job's own number.
    pub(crate) async fn resolve(self, client: &Client) -> Result<u64> {
        match self.index {
            None => Ok(self.id),
            Some(index) => Ok(client.element(self.id, index).await?),
        }
    }
}

impl FromStr for Reference {
    type Err = String;

    fn from_str(text: &str) -> Result<Reference, String> {
        let refuse = |_| "expected the number of a job, or 12_3 for an element of array 12";
        let (id, index) = match text.split_once('_') {
            Some((id, index)) => (id, Some(index.parse().map_err(refuse)?)),
            None => (text, None),
        };
        Ok(Reference { id: id.parse().map_err(refuse)?, index })
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.id)?;
        self.index.iter().try_for_each(|index| write!(formatter, "_{index}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Reference;

    #[test]
    fn jobs_and_elements_are_read_as_they_are_written() {
        for text in ["12", "12_3", "0_0"] {
            let read: Result<Reference, _> = text.parse();
            assert_eq!(read.map(|reference| reference.to_string()), Ok(text.to_owned()));
        }
        for bad in ["", "a", "1_", "_1", "1_2_3", "-1", "12_-3"] {
            assert!(bad.parse::<Reference>().is_err(), "{bad}");
        }
    }
}
