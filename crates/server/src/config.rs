//! The configuration file of a server: `muster.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;

use muster_api::SlurmSettings;
use muster_api::settings::{self, Mistake};
use muster_model::{ClusterSpec, Invalid, Millis};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::alerts::{self, AlertRule};
use crate::limit::Limits;
use crate::links::LeaseTerms;
use crate::metrics::MetricsSettings;
use crate::oidc::OidcSettings;
use crate::prices::Prices;
use crate::server::ServerSettings;
use crate::tls::TlsSettings;
use crate::upkeep::{Retention, Upkeep};

/// Where a server listens unless it is told otherwise: this machine only.
pub const LISTEN_DEFAULT: &str = "127.0.0.1:7070";

/// The shortest lease: shorter ones end with every hiccup of a network.
const LEASE_LEAST: Millis = Millis::seconds(2);

/// The shortest bound on a pass: any disk makes one wait for a moment now and then.
const STALL_LEAST: Millis = Millis::seconds(1);

/// What `muster.toml` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ServerFile {
    /// The folder of the journal and the history.
    #[schema(value_type = String)]
    pub data: PathBuf,
    /// Where to listen.
    #[schema(value_type = String, format = "address")]
    pub listen: SocketAddr,
    /// How long the tasks of a node may run without a word from the server.
    pub lease: Millis,
    /// How often agents renew their lease; at most a quarter of it.
    pub renew: Millis,
    /// How connections are secured.
    pub tls: TlsSettings,
    /// How much one user may ask.
    pub limits: Limits,
    /// How long one pass may take before the server no longer counts as ready.
    pub stall: Millis,
    /// How long what happened is kept.
    pub history: Retention,
    /// Whose accounts are accepted besides tokens of the cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oidc: Option<OidcSettings>,
    /// How the cluster looks to those who use Slurm's commands.
    pub slurm: SlurmSettings,
    /// What GPUs cost, for the accounting.
    pub prices: Prices,
    /// What a monitoring system may read.
    pub metrics: MetricsSettings,
    /// What to look for, and whom to tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alerts: Vec<AlertRule>,
    /// The cluster a server begins with. Later it is changed with `muster policy apply`.
    pub cluster: ClusterSpec,
}

impl Default for ServerFile {
    fn default() -> Self {
        let terms = LeaseTerms::default();
        ServerFile {
            data: PathBuf::from("/var/lib/muster"),
            listen: LISTEN_DEFAULT.parse().expect("the default address is one"),
            lease: terms.lease,
            renew: terms.renew,
            tls: TlsSettings::default(),
            limits: Limits::default(),
            stall: Upkeep::default().stall,
            history: Retention::default(),
            oidc: None,
            slurm: SlurmSettings::default(),
            prices: Prices::default(),
            metrics: MetricsSettings::default(),
            alerts: Vec::new(),
            cluster: ClusterSpec::default(),
        }
    }
}

impl ServerFile {
    /// Reads the file, or says everything that is wrong with it.
    pub fn read(text: &str) -> Result<ServerFile, Vec<Mistake>> {
        settings::read(text, ServerFile::mistakes)
    }

    fn mistakes(&self) -> Vec<Invalid> {
        let mut wrong = self.cluster.validate().err().unwrap_or_default();
        for invalid in &mut wrong {
            invalid.field = format!("cluster.{}", invalid.field);
        }
        wrong.extend(self.time_mistakes());
        wrong.extend(self.tls.mistakes());
        wrong.extend(self.prices.mistakes());
        wrong.extend(alerts::mistakes(&self.alerts));
        wrong.extend(self.oidc.iter().flat_map(OidcSettings::mistakes));
        wrong.extend(self.slurm.mistakes(&self.cluster));
        wrong
    }

    fn time_mistakes(&self) -> Vec<Invalid> {
        let mut wrong = Vec::new();
        if self.lease < LEASE_LEAST {
            let allowed = format!("expected at least {LEASE_LEAST}");
            wrong.push(Invalid::new("lease", self.lease.to_string(), allowed));
        }
        if self.renew.0 == 0 || self.renew.0 > self.lease.0 / 4 {
            let allowed = "expected more than nothing and at most a quarter of `lease`";
            wrong.push(Invalid::new("renew", self.renew.to_string(), allowed));
        }
        if self.stall < STALL_LEAST {
            let allowed = format!("expected at least {STALL_LEAST}");
            wrong.push(Invalid::new("stall", self.stall.to_string(), allowed));
        }
        wrong
    }

    /// What the server is started with.
    pub fn settings(self) -> ServerSettings {
        let leases = LeaseTerms { lease: self.lease, renew: self.renew };
        let ServerFile { data, listen, cluster, tls, limits, oidc, stall, history, .. } = self;
        let upkeep = Upkeep { retention: history, stall, ..Upkeep::default() };
        let (slurm, prices, metrics, alerts) = (self.slurm, self.prices, self.metrics, self.alerts);
        ServerSettings {
            data,
            listen,
            cluster,
            leases,
            tls,
            limits,
            upkeep,
            oidc,
            slurm,
            prices,
            metrics,
            alerts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ServerFile;

    #[test]
    fn empty_file_is_the_default() {
        assert_eq!(ServerFile::read(""), Ok(ServerFile::default()));
    }

    #[test]
    fn file_that_is_shipped_says_the_defaults() {
        let shipped = include_str!("../../../packaging/muster.toml");
        assert_eq!(ServerFile::read(shipped), Ok(ServerFile::default()));
    }

    #[test]
    fn issuer_that_anyone_could_pretend_to_be_is_a_mistake() {
        let text = "[oidc]\naudience = \"muster\"\nissuer = \"http://login.example\"\n";
        let wrong = ServerFile::read(text).expect_err("two things are wrong");
        let told: Vec<_> = wrong.iter().map(ToString::to_string).collect();
        assert_eq!((wrong.len(), wrong[0].line), (2, Some(3)), "{told:?}");
        assert!(told[0].contains("https://"), "{told:?}");
        assert!(told[1].contains("nobody could get in"), "{told:?}");
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let unknown = ServerFile::read("lease = 60000\nleese = 3\n").expect_err("no such key");
        assert_eq!(unknown[0].line, Some(2));
        let text = "lease = 1000\nrenew = 900\n\n[[cluster.queues]]\nname = \"a\"\n\n\
                    [[cluster.queues]]\nname = \"b c\"\n";
        let wrong = ServerFile::read(text).expect_err("three things are wrong");
        let told: Vec<_> = wrong.iter().map(ToString::to_string).collect();
        assert_eq!(wrong.len(), 3, "{told:?}");
        assert_eq!(wrong[0].line, Some(8), "{told:?}");
        assert!(told[0].contains("cluster.queues[1]"), "{told:?}");
        assert_eq!((wrong[1].line, wrong[2].line), (Some(1), Some(2)), "{told:?}");
    }
}
