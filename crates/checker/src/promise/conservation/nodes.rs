//! Nodes of a snapshot against those of the shadow.

use muster_engine::snapshot::Snapshot;

use crate::shadow::Shadow;
use crate::violation::{Findings, Promise};

/// Judges every node.
pub(crate) fn compared(shadow: &Shadow, snapshot: &Snapshot, found: &mut Findings) {
    if !snapshot.nodes.is_sorted_by(|one, next| one.id < next.id) {
        found.add(Promise::Conservation, "the nodes of the snapshot are not in order of number");
        return;
    }
    for id in shadow.nodes.keys() {
        if snapshot.nodes.binary_search_by_key(id, |record| record.id).is_err() {
            found.add(Promise::Conservation, format!("node {id} is not in the snapshot"));
        }
    }
    for record in &snapshot.nodes {
        let id = record.id;
        let Some(node) = shadow.nodes.get(&id) else {
            found.add(Promise::Conservation, format!("node {id} is inside and never joined"));
            continue;
        };
        let facts = [
            ("specification", record.spec == node.spec),
            ("drain", record.drained == node.is_drained),
            ("health", record.unhealthy == node.unhealthy),
        ];
        for (what, _) in facts.into_iter().filter(|(_, is_same)| !is_same) {
            found.add(Promise::Conservation, format!("node {id} has another {what} inside"));
        }
        if record.sight != node.sight {
            let (told, known) = (record.sight, node.sight);
            let detail = format!("node {id} is {known:?}, and {told:?} inside");
            found.add(Promise::Conservation, detail);
        }
        if record.rests_until < node.rests_until && node.rests_until > shadow.now {
            let until = node.rests_until.0;
            let detail = format!("node {id} is to rest until {until} and rests shorter inside");
            found.add(Promise::Conservation, detail);
        }
    }
}
