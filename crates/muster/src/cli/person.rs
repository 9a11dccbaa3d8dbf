//! Who submits, from where, and what of their surroundings a job takes along.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use muster_client::{JOB_CREDENTIALS, JOB_USER};

use super::Usage;

/// Variables that go with every job. All others would leak what they hold into the journal of
/// the server; who wants one says so with `--env`.
const CARRIED: [&str; 3] = ["PATH", "HOME", "LANG"];

/// What is known about who submits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Person {
    /// The login name.
    pub(crate) name: String,
    /// The folder they are in.
    pub(crate) directory: String,
    /// Their mask for new files.
    pub(crate) umask: Option<u32>,
    /// Their environment.
    pub(crate) environment: BTreeMap<String, String>,
}

impl Person {
    /// Whoever runs this process.
    pub(crate) fn present() -> Result<Person> {
        let directory = std::env::current_dir().context("cannot tell the present folder")?;
        let directory = directory.to_str().map(str::to_owned);
        let directory = directory.context("the name of the present folder is not valid UTF-8")?;
        let variables = std::env::vars_os();
        let readable = variables
            .filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()));
        let environment: BTreeMap<String, String> = readable.collect();
        let name = match job_user(&environment) {
            Some(name) => name.to_owned(),
            None => login_name(&environment)?,
        };
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        Ok(Person { name, directory, umask: read_umask(&status), environment })
    }

    /// The variables that go with every job.
    pub(crate) fn carried(&self) -> BTreeMap<String, String> {
        let carried = self.environment.iter().filter(|(name, _)| CARRIED.contains(&name.as_str()));
        carried.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// A variable and its value from `NAME=VALUE`, or with the value it has here from `NAME`.
    pub(crate) fn variable(&self, text: &str) -> Result<(String, String)> {
        if let Some((name, value)) = text.split_once('=') {
            return Ok((name.to_owned(), value.to_owned()));
        }
        let value = self.environment.get(text).cloned().ok_or_else(|| {
            let what = format!("--env {text}: there is no such variable here");
            Usage::new(what).hint(format!("give it a value: --env {text}=VALUE"))
        })?;
        Ok((text.to_owned(), value))
    }
}

/// Whose job this process is in, where it was given what it takes to act as them.
fn job_user(environment: &BTreeMap<String, String>) -> Option<&str> {
    let is_set = |value: &&String| !value.is_empty();
    environment.get(JOB_CREDENTIALS).filter(is_set)?;
    environment.get(JOB_USER).filter(is_set).map(String::as_str)
}

/// The name of the account this process runs under. The system is asked by number: `USER` is
/// whatever someone has set, and only believed where the system knows no name.
fn login_name(environment: &BTreeMap<String, String>) -> Result<String> {
    let uid = rustix::process::getuid().as_raw();
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    if let Some(name) = name_of(uid, &passwd) {
        return Ok(name.to_owned());
    }
    // Accounts of a directory service are not in the file; `id` asks the service.
    let asked = Command::new("id").arg("-un").output().ok();
    let asked = asked.filter(|output| output.status.success());
    let asked = asked.and_then(|output| String::from_utf8(output.stdout).ok());
    let name =
        asked.map(|name| name.trim().to_owned()).or_else(|| environment.get("USER").cloned());
    let name = name.filter(|name| !name.is_empty());
    name.with_context(|| format!("the account with number {uid} has no name; set USER to yours"))
}

/// The name that belongs to a number in the text of `/etc/passwd`.
fn name_of(uid: u32, passwd: &str) -> Option<&str> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (number.parse() == Ok(uid) && !name.is_empty()).then_some(name)
    })
}

/// The mask in the text of `/proc/self/status`. Asking the system for it would change it.
fn read_umask(status: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    u32::from_str_radix(line.trim(), 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_is_found_by_its_number() {
        let passwd = "root:x:0:0::/root:/bin/sh\n# odd line\nuser-a:x:1000:1000::/home:/bin/sh\n";
        assert_eq!(name_of(1000, passwd), Some("user-a"));
        assert_eq!(name_of(0, passwd), Some("root"));
        assert_eq!(name_of(7, passwd), None);
    }

    #[test]
    fn who_acts_in_a_job_is_whoever_it_belongs_to() {
        let of = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            job_user(&pairs.collect()).map(str::to_owned)
        };
        let whole = [(JOB_CREDENTIALS, "/run/credentials.toml"), (JOB_USER, "user-a")];
        assert_eq!(of(&whole).as_deref(), Some("user-a"));
        assert_eq!(of(&whole[1..]), None, "a name alone lets nobody in");
        assert_eq!(of(&[(JOB_CREDENTIALS, ""), (JOB_USER, "user-a")]), None);
    }

    #[test]
    fn mask_is_read_in_octal() {
        assert_eq!(read_umask("Name:\tmuster\nUmask:\t0027\n"), Some(0o027));
        assert_eq!(read_umask("Name:\tmuster\n"), None);
    }

    #[test]
    fn only_what_was_named_goes_along() {
        let pairs = [("PATH", "/bin"), ("SECRET", "s"), ("LANG", "C")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let person = Person { environment: BTreeMap::from(pairs), ..Person::default() };
        assert_eq!(person.carried().into_keys().collect::<Vec<_>>(), ["LANG", "PATH"]);
        let given = person.variable("SECRET").expect("it is set");
        assert_eq!(given, ("SECRET".to_owned(), "s".to_owned()));
        let made = person.variable("A=b=c").expect("it has a value");
        assert_eq!(made, ("A".to_owned(), "b=c".to_owned()));
        assert!(person.variable("NONE").is_err());
    }
}
