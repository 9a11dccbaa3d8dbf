//! How programs of a task reach the cluster: by the server's address and a file in the task's own
//! folder with the token of their attempt. Containers see that folder, so nobody's home is needed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use muster_api::Secret;
use muster_api::duty::RunWork;
use muster_client::{Credentials, JOB_CREDENTIALS, JOB_USER, Known};

/// A token of the job's own. The environment of the submitter never has one, so it is meant.
const OWN_TOKEN: &str = "MUSTER_TOKEN";

/// The cluster as tasks see it.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The address of its server.
    pub server: String,
    /// The certificates that vouch for the server, as PEM.
    pub authority: Option<String>,
}

impl Cluster {
    /// Tells a task where the cluster is. What its submitter's environment says of that is about
    /// another machine; only who brings a token also says where it is good.
    pub(super) fn tell(
        &self,
        run: &RunWork,
        folder: &Path,
        environment: &mut BTreeMap<String, String>,
    ) {
        if run.token.is_none() || environment.contains_key(OWN_TOKEN) {
            return;
        }
        environment.remove("MUSTER_CA");
        let file = credentials_file(folder).display().to_string();
        let told = [
            ("MUSTER_SERVER", self.server.clone()),
            (JOB_CREDENTIALS, file),
            (JOB_USER, run.gang.user.to_string()),
        ];
        environment.extend(told.map(|(name, value)| (name.to_owned(), value)));
    }

    /// The files that this takes in the task's own folder, with what they say.
    pub(crate) fn files(&self, token: &Secret, folder: &Path) -> Vec<(PathBuf, String)> {
        let authority = self.authority.as_ref().map(|text| (folder.join("ca.pem"), text.clone()));
        let ca = authority.as_ref().map(|(path, _)| path.clone());
        let mut credentials = Credentials::default();
        credentials.remember(Known { url: self.server.clone(), token: token.clone(), ca });
        authority.into_iter().chain([(credentials_file(folder), credentials.text())]).collect()
    }
}

fn credentials_file(folder: &Path) -> PathBuf {
    folder.join("credentials.toml")
}
