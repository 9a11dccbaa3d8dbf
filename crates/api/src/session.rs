//! How an agent makes itself known, and what it is granted.

use muster_engine::command::Running;
use muster_model::NodeSpec;
use serde::{Deserialize, Serialize};

use crate::report::Report;

/// An agent announces its node: at its start, and again whenever the server does not know its
/// session any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announce {
    /// The version of this protocol that the agent speaks.
    pub protocol: u32,
    /// What the node has.
    pub spec: NodeSpec,
    /// Where other nodes reach it, for rendezvous; a host name or an address.
    pub address: String,
    /// A number that this agent made up when it was first set up on its machine: it tells an
    /// agent that comes back from a second one that claims the same node.
    pub instance: String,
    /// Grows with every announcement of an instance, also over its restarts: one that was held up
    /// on its way says what no longer is, and must not be taken for news.
    #[serde(default)]
    pub number: u64,
    /// What runs on it.
    pub running: Vec<Running>,
    /// What it has yet to say; told before `running` is compared.
    pub reports: Vec<Report>,
    /// The rungs of the pause ladder it can carry out besides ending tasks.
    #[serde(default)]
    pub offers: Vec<muster_model::Rung>,
}

/// The version of the protocol between server and agent.
pub const PROTOCOL: u32 = 1;

/// What an agent that announced itself is granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announced {
    /// The session, which every later request names.
    pub session: u64,
    /// The lease: tasks may run so long after the request that renewed it was *sent*.
    pub lease_ms: u64,
    /// How often the lease should be renewed.
    pub renew_ms: u64,
}

/// The answer to reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// Every report below this number is on disk and need not be told again.
    pub next: u64,
    /// The lease, counted from when the request was sent.
    pub lease_ms: u64,
}
