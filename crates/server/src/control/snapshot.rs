//! The whole state of the control plane as plain data, and back.

use std::collections::BTreeMap;

use muster_engine::snapshot::Snapshot;
use muster_engine::{Engine, Tuning};
use muster_model::{Invalid, Name, NodeId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Control;
use super::book::Book;
use super::costs::Costs;
use super::duties::Duties;
use super::forget::Absent;
use super::keys::Keys;
use super::ports::Ports;
use super::steps::Steps;
use super::worth;

/// The version of the form below; the engine's part has its own.
pub const CONTROL_VERSION: u32 = 1;

/// Everything the control plane knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlSnapshot {
    engine: Snapshot,
    book: Book,
    duties: Duties,
    keys: Keys,
    ports: Ports,
    addresses: BTreeMap<NodeId, String>,
    #[serde(default)]
    announced: BTreeMap<NodeId, (String, u64)>,
    #[serde(default)]
    costs: Costs,
    #[serde(default)]
    steps: Steps,
    #[serde(default)]
    absent: Absent,
}

/// Why a snapshot cannot be used.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// It was written by a later release.
    #[error(
        "the snapshot has version {0}, this release reads {CONTROL_VERSION}\n\
         hint: start the release that wrote it, or a later one"
    )]
    Newer(u32),
    /// It makes no sense.
    #[error("the snapshot cannot be understood: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The engine does not accept it.
    #[error("the engine does not accept the snapshot: {}", together(.0))]
    Refused(Vec<Invalid>),
}

fn together(errors: &[Invalid]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Control {
    /// The whole state as plain data.
    pub fn snapshot(&self) -> ControlSnapshot {
        ControlSnapshot {
            engine: self.engine.snapshot(),
            book: self.book.clone(),
            duties: self.duties.clone(),
            keys: self.keys.plain(),
            ports: self.ports.clone(),
            addresses: self.addresses.clone(),
            announced: self.announced.clone(),
            costs: self.costs.clone(),
            steps: self.steps.clone(),
            absent: self.absent.clone(),
        }
    }

    /// The state a snapshot was taken of.
    pub fn restore(snapshot: ControlSnapshot) -> Result<Control, SnapshotError> {
        let ControlSnapshot { engine, book, duties, mut keys, ports, addresses, .. } = snapshot;
        let (announced, costs, steps) = (snapshot.announced, snapshot.costs, snapshot.steps);
        let mut absent = snapshot.absent;
        keys.rebuild();
        let names = engine.nodes.iter().map(|node| (node.spec.name.clone(), node.id));
        let nodes: BTreeMap<Name, NodeId> =
            names.filter(|(_, node)| !absent.is_forgotten(*node)).collect();
        let mut engine =
            Engine::restore(engine, Tuning::default()).map_err(SnapshotError::Refused)?;
        let letting_go = book.letting_go();
        // A snapshot of an earlier release does not know since when nodes are gone.
        nodes.values().for_each(|node| absent.note(&engine, *node));
        let impaired = worth::impaired(&engine, nodes.values().copied());
        let apart = worth::apart(&mut engine);
        Ok(Control {
            engine,
            book,
            duties,
            keys,
            ports,
            addresses,
            nodes,
            announced,
            costs,
            letting_go,
            steps,
            impaired,
            apart,
            apart_looks: worth::Looks::default(),
            absent,
        })
    }
}

impl ControlSnapshot {
    /// The names of the parts in which another one says something else.
    pub fn parts_unlike(&self, other: &ControlSnapshot) -> Vec<&'static str> {
        let parts = [
            ("engine", self.engine == other.engine),
            ("jobs", self.book == other.book),
            ("duties", self.duties == other.duties),
            ("keys", self.keys == other.keys),
            ("ports", self.ports == other.ports),
            ("addresses", self.addresses == other.addresses),
            ("announcements", self.announced == other.announced),
            ("costs", self.costs == other.costs),
            ("steps", self.steps == other.steps),
            ("nodes that are gone", self.absent == other.absent),
        ];
        parts.into_iter().filter_map(|(name, is_same)| (!is_same).then_some(name)).collect()
    }

    /// As the store keeps it.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("snapshots are made of what JSON can say")
    }

    /// From what the store kept.
    pub fn decode(version: u32, body: &[u8]) -> Result<ControlSnapshot, SnapshotError> {
        if version > CONTROL_VERSION {
            return Err(SnapshotError::Newer(version));
        }
        Ok(serde_json::from_slice(body)?)
    }
}

/// Maps whose keys JSON cannot have as names are lists of pairs.
pub(crate) mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer, K: Serialize, V: Serialize>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(crate) fn deserialize<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        D: Deserializer<'de>,
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}
