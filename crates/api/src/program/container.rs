//! How a program's container differs from what its runtime does by itself.

use muster_model::Invalid;
use muster_model::name::quoted;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Mounts of one container: more than anybody writes by hand.
const MOUNTS_MAX: usize = 256;

/// What is not said is as the runtime does it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Container {
    /// What of the node is seen inside, beside the folder of the job.
    pub mounts: Vec<Mount>,
    /// The folder inside that the program starts in; the job's where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workdir: Option<String>,
    /// Variables of the job that overrule those of the image.
    pub environment: Vec<String>,
    /// Whether the home of the user is seen inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mount_home: Option<bool>,
    /// Whether the user is root inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remap_root: Option<bool>,
    /// Whether the entry point of the image runs before the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrypoint: Option<bool>,
    /// Whether files of the image can be changed while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writable: Option<bool>,
}

/// A folder or file of the node inside a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Where it is on the node.
    pub source: String,
    /// Where it is inside.
    pub target: String,
    /// Whether it cannot be written to.
    #[serde(default)]
    pub read_only: bool,
}

impl Container {
    /// Everything that is wrong with it. Runtimes take colons, commas and blanks for signs of their
    /// own.
    pub fn validate(&self) -> Result<(), Vec<Invalid>> {
        let mut wrong = Vec::new();
        let ends = self.mounts.iter().flat_map(|mount| [&mount.source, &mount.target]);
        for path in ends.chain(&self.workdir) {
            let is_strange = |letter: char| letter == ':' || letter == ',' || is_blank(letter);
            if !path.starts_with('/') || path.contains(is_strange) {
                let allowed = "expected a path from the root on, without colons, commas and blanks";
                wrong.push(Invalid::new("container", quoted(path), allowed));
            }
        }
        for name in &self.environment {
            let is_good = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if name.is_empty() || !name.chars().all(is_good) {
                let allowed = "expected names of variables";
                wrong.push(Invalid::new("container.environment", quoted(name), allowed));
            }
        }
        if self.mounts.len() > MOUNTS_MAX {
            let allowed = format!("expected at most {MOUNTS_MAX}");
            wrong.push(Invalid::new("container.mounts", self.mounts.len().to_string(), allowed));
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

#[cfg(test)]
mod tests {
    use super::{Container, Mount};

    fn mounting(source: &str, target: &str) -> Container {
        let mount = Mount { source: source.to_owned(), target: target.to_owned(), read_only: true };
        Container { mounts: vec![mount], ..Container::default() }
    }

    #[test]
    fn what_a_runtime_would_take_for_something_else_is_refused() {
        assert_eq!(mounting("/data", "/mnt").validate(), Ok(()));
        for (source, target) in [("data", "/mnt"), ("/a:/b", "/mnt"), ("/data", "/m n"), ("", "/")]
        {
            assert!(mounting(source, target).validate().is_err(), "{source} {target}");
        }
        let named = |name: &str| Container {
            environment: vec![name.to_owned()],
            workdir: Some("/w".to_owned()),
            ..Container::default()
        };
        assert_eq!(named("A_1").validate(), Ok(()));
        assert!(named("A=1").validate().is_err());
    }
}
