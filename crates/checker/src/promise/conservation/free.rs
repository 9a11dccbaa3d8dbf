//! The engine's index of what is free against a recount.

use std::collections::BTreeMap;

use muster_engine::snapshot::{FreeCount, SharedCount};
use muster_model::Name;

use crate::recount::{DomainModel, Recount};
use crate::violation::{Findings, Promise};

/// Judges every count. Zeros at the end say nothing, and neither does a count of none at all.
pub(crate) fn compared(recount: &Recount<'_>, free_counts: &[FreeCount], found: &mut Findings) {
    let mut told: BTreeMap<DomainModel, Vec<u32>> = BTreeMap::new();
    let mut told_shared: BTreeMap<DomainModel, Vec<SharedCount>> = BTreeMap::new();
    for count in free_counts {
        let key = (count.domain.clone(), count.model.clone());
        let name = in_words(&key);
        told_shared.insert(key.clone(), count.shared.clone());
        if told.insert(key, count.nodes.clone()).is_some() {
            found.add(Promise::Conservation, format!("the index has two counts for {name}"));
        }
    }
    let mut right = recount.free_counts();
    for (key, nodes) in told {
        let counted = right.remove(&key).unwrap_or_default();
        differ(&key, &nodes, &counted, found);
    }
    for (key, counted) in right {
        differ(&key, &[], &counted, found);
    }
    told_shared.retain(|_, counts| !counts.is_empty());
    let counted = recount.shared_counts();
    if told_shared != counted {
        let detail = format!(
            "what shared GPUs have left: the index says {told_shared:?}, a recount {counted:?}"
        );
        found.add(Promise::Conservation, detail);
    }
}

fn differ(key: &DomainModel, told: &[u32], counted: &[u32], found: &mut Findings) {
    let (told, counted) = (trimmed(told), trimmed(counted));
    if told != counted {
        let name = in_words(key);
        let detail = format!(
            "nodes by free GPUs for {name}: the index says {told:?}, a recount {counted:?}"
        );
        found.add(Promise::Conservation, detail);
    }
}

fn trimmed(nodes: &[u32]) -> &[u32] {
    let last = nodes.iter().rposition(|count| *count > 0);
    &nodes[..last.map_or(0, |last| last + 1)]
}

fn in_words((domain, model): &DomainModel) -> String {
    let domain: Vec<&str> = domain.iter().map(Name::as_str).collect();
    let model = model.as_ref().map_or("no GPUs", Name::as_str);
    format!("{model} in [{}]", domain.join("/"))
}
