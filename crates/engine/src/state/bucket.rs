//! Counts by model and bucket, as every domain keeps them of what could be had there by pausing.

use smallvec::SmallVec;

use crate::dense::ModelId;

/// So many of a model in a bucket, ascending; nothing is kept of none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets(SmallVec<[((ModelId, u16), u32); 4]>);

impl Buckets {
    pub(crate) fn add(&mut self, model: ModelId, bucket: u16, count: u32) {
        match self.0.binary_search_by_key(&(model, bucket), |(key, _)| *key) {
            Ok(at) => self.0[at].1 += count,
            Err(at) => self.0.insert(at, ((model, bucket), count)),
        }
    }

    pub(crate) fn remove(&mut self, model: ModelId, bucket: u16, count: u32) {
        let at = self.0.binary_search_by_key(&(model, bucket), |(key, _)| *key);
        let at = at.expect("only what was counted in is counted out");
        self.0[at].1 -= count;
        if self.0[at].1 == 0 {
            self.0.remove(at);
        }
    }

    /// How many of a model there are in this bucket or a weaker one.
    pub(crate) fn from(&self, model: ModelId, bucket: u16) -> u64 {
        let from = self.0.partition_point(|(key, _)| *key < (model, bucket));
        let of_model = self.0[from..].iter().take_while(|((of, _), _)| *of == model);
        of_model.map(|(_, count)| u64::from(*count)).sum()
    }

    /// The weakest bucket of a model.
    pub(crate) fn weakest(&self, model: ModelId) -> Option<u16> {
        let end = self.0.partition_point(|((of, _), _)| *of <= model);
        let ((of, bucket), _) = *self.0[..end].last()?;
        (of == model).then_some(bucket)
    }
}
