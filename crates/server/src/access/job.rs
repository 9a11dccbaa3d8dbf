//! Tokens of jobs: what a program shows to the server that runs in an attempt. They are kept
//! nowhere: a token names its attempt and proves that this server made it. Whether the attempt
//! is still there is asked of the state, so a token ends when its attempt does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use muster_api::{Directive, Secret, Work};
use muster_model::{Attempt, JobId};
use thiserror::Error;

use super::{Caller, Grant, Role, random};
use crate::Control;
use crate::private_file::{close, keep};

/// What every token of a job begins with.
const JOB_PREFIX: &str = "muster_job_";

/// What the key is for, lest it ever prove something else.
const PURPOSE: &str = "token of the attempt";

/// Where the key is in the data directory.
const KEY_FILE: &str = "jobs.key";

/// Why the key of jobs' tokens cannot be used.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The file cannot be read or written.
    #[error("cannot {act} {}: {cause}", path.display())]
    File {
        /// What was tried.
        act: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// It is no key.
    #[error(
        "{} holds no key of 32 bytes\nhint: remove it for a new one; programs of jobs that run now \
         are then refused until they start again",
        .0.display()
    )]
    Content(PathBuf),
}

/// The key by which tokens of jobs are made and known.
pub(crate) struct JobKey([u8; 32]);

impl JobKey {
    /// The one that is kept in a data directory, or a new one.
    pub(crate) fn open(data: &Path) -> Result<JobKey, KeyError> {
        let path = data.join(KEY_FILE);
        let failed = |act| {
            let path = path.clone();
            move |cause| KeyError::File { act, path, cause }
        };
        match fs::read(&path) {
            Ok(bytes) => {
                close(&path).map_err(failed("close to others"))?;
                let key = bytes.try_into().map_err(|_| KeyError::Content(path.clone()))?;
                Ok(JobKey(key))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = random();
                keep(&path, &key, 0o600).map_err(failed("write"))?;
                Ok(JobKey(key))
            }
            Err(cause) => Err(failed("read")(cause)),
        }
    }

    /// The token of an attempt, always the same.
    pub(crate) fn token(&self, (job, attempt): (JobId, Attempt)) -> Secret {
        let proof = self.proof(job, attempt);
        Secret::new(&format!("{JOB_PREFIX}{}.{}.{proof}", job.0, attempt.0))
    }

    /// The attempt that a token is of, if it was made with this key.
    fn attempt(&self, secret: &str) -> Option<(JobId, Attempt)> {
        let mut parts = secret.strip_prefix(JOB_PREFIX)?.split('.');
        let job = JobId(parts.next()?.parse().ok()?);
        let attempt = Attempt(parts.next()?.parse().ok()?);
        let proof = blake3::Hash::from_hex(parts.next()?).ok()?;
        // Comparing hashes of this library takes the same time whatever they are.
        let is_ours = parts.next().is_none() && proof == self.proof(job, attempt);
        is_ours.then_some((job, attempt))
    }

    /// Who a token of a job stands for: its owner, to do what users may where its submitter might.
    pub(crate) fn caller(&self, secret: &str, control: &Control) -> Option<Caller> {
        let (user, queue) = control.acts_for(self.attempt(secret)?)?;
        Some(Caller { user, grants: vec![Grant { role: Role::User, queue }] })
    }

    /// Adds the tokens to what an agent is told to run.
    pub(crate) fn sign(&self, directive: &mut Directive) {
        let Directive::Duties { duties, .. } = directive else { return };
        for duty in duties {
            if let Work::Run(run) = &mut duty.work {
                run.token = Some(self.token((duty.job, duty.attempt)));
            }
        }
    }

    fn proof(&self, job: JobId, attempt: Attempt) -> blake3::Hash {
        let of = format!("{PURPOSE} {}.{}", job.0, attempt.0);
        blake3::keyed_hash(&self.0, of.as_bytes())
    }
}

/// Whether a token is a job's, by its look.
pub(crate) fn is_of_a_job(secret: &str) -> bool {
    secret.starts_with(JOB_PREFIX)
}

impl std::fmt::Debug for JobKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("(secret)")
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const OF: (JobId, Attempt) = (JobId(7), Attempt(2));

    fn key(byte: u8) -> JobKey {
        JobKey([byte; 32])
    }

    #[test]
    fn token_is_known_by_the_key_that_made_it_and_by_no_other() {
        let token = key(1).token(OF);
        assert_eq!(key(1).attempt(token.reveal()), Some(OF));
        assert_eq!(key(1).token(OF), token, "what is sent again is the same");
        assert_eq!(key(2).attempt(token.reveal()), None, "of another cluster");
    }

    #[test]
    fn token_that_was_tampered_with_is_none() {
        let token = key(1).token(OF);
        let text = token.reveal();
        for other in ["_8.2.", "_7.3.", "_7.1.", "_-7.2.", "_7.", "_72.", "_.7.2."] {
            assert_eq!(key(1).attempt(&text.replacen("_7.2.", other, 1)), None, "{other}");
        }
        let (rest, last) = text.split_at(text.len() - 1);
        let flipped = if last == "0" { "1" } else { "0" };
        let cases =
            [format!("{rest}{flipped}"), rest.to_owned(), format!("{text}.x"), format!("{text}0")];
        for case in cases {
            assert_eq!(key(1).attempt(&case), None, "{}", case.len());
        }
        for case in ["", "muster_job_", "muster_job_7.2.", "muster_7.2.00", "muster_job_7.2"] {
            assert_eq!(key(1).attempt(case), None, "{case}");
        }
    }

    #[test]
    fn key_is_made_once_and_closed_to_others() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let token = JobKey::open(folder.path()).expect("it is made").token(OF);
        let path = folder.path().join(KEY_FILE);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
        let again = JobKey::open(folder.path()).expect("it is there");
        assert_eq!(again.attempt(token.reveal()), Some(OF));
        let mode = fs::metadata(&path).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(format!("{again:?}"), "(secret)");
        fs::write(&path, "short").expect("it is ours");
        let refused = JobKey::open(folder.path()).expect_err("it is no key").to_string();
        assert!(refused.contains("holds no key of 32 bytes"), "{refused}");
    }
}
