//! Jobs as commands are given them: `12`, `12_3`, `12_[1-3,5]`, `12.0`, `12_3.batch`.

use std::str::FromStr;

use muster_model::Invalid;

use super::{array, digits, refuse};

/// A job, some elements of an array, or a step.
///
/// ```
/// use muster_slurm::values::JobWord;
///
/// let word: JobWord = "12_[1-3,5].0".parse()?;
/// assert_eq!((word.job, word.elements), (12, Some(vec![1, 2, 3, 5])));
/// assert_eq!(word.step.as_deref(), Some("0"));
/// # Ok::<(), muster_model::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobWord {
    /// The job or array.
    pub job: u64,
    /// Some of its elements.
    pub elements: Option<Vec<u32>>,
    /// A step: a number, or a word such as `batch`.
    pub step: Option<String>,
}

impl FromStr for JobWord {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<JobWord, Invalid> {
        let refused = || refuse("job", text, "expected a job such as `12`, `12_3` or `12.0`");
        let (job, step) = match text.split_once('.') {
            Some((job, step)) => (job, Some(step.to_owned())),
            None => (text, None),
        };
        let is_step = |step: &String| {
            digits(step).is_some() || matches!(step.as_str(), "batch" | "extern" | "interactive")
        };
        if !step.as_ref().is_none_or(is_step) {
            return Err(refused());
        }
        let (job, elements) = match job.split_once('_') {
            None => (job, None),
            Some((job, "*")) => (job, None),
            Some((job, elements)) => {
                let elements = array::read(elements).map_err(|_| refused())?;
                (job, Some(elements.indexes))
            }
        };
        let job = digits(job).filter(|&job| job > 0).ok_or_else(refused)?;
        Ok(JobWord { job, elements, step })
    }
}

#[cfg(test)]
mod tests {
    use super::JobWord;

    #[test]
    fn what_is_no_job_is_refused() {
        for bad in ["", "abc", "0", "12_", "12_a", "12.x", "-1", "12_3_4", "12.", "_3"] {
            assert!(bad.parse::<JobWord>().is_err(), "{bad}");
        }
        assert!("12_*".parse::<JobWord>().is_ok_and(|word| word.elements.is_none()));
    }
}
