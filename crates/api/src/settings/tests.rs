//! Settings files: what is read, how mistakes are told, and that what is written is read again.

use std::collections::BTreeMap;

use muster_model::{ClusterSpec, Invalid, Mib, Millis, QueueSpec, Quota};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Mistake, read, reference, write};

/// Settings of every kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct Everything {
    /// How long.
    wait: Millis,
    /// How much.
    memory: Option<Mib>,
    /// How many.
    count: u32,
    /// Whether.
    on: bool,
    /// Where.
    #[schema(value_type = String, format = "address")]
    listen: Option<std::net::SocketAddr>,
    /// What they are called.
    names: BTreeMap<String, String>,
    /// The cluster.
    cluster: ClusterSpec,
}

fn told(text: &str) -> Vec<String> {
    let mistakes = read::<Everything>(text, |_| Vec::new()).expect_err("something is wrong");
    mistakes.iter().map(Mistake::to_string).collect()
}

#[test]
fn units_are_read_with_and_without_their_words() {
    let text = "wait = \"1h30m\"\nmemory = \"64GiB\"\n[cluster.policy.floor]\nwait = 90000\n";
    let settings: Everything = read(text, |_| Vec::new()).expect("all is right");
    assert_eq!(settings.wait, Millis::minutes(90));
    assert_eq!(settings.memory, Some(Mib::gib(64)));
    assert_eq!(settings.cluster.policy.floor.wait, Millis::seconds(90));
}

#[test]
fn every_mistake_is_told_with_its_line_and_key() {
    let text = "wait = \"5 parsecs\"\nmemory = true\ncount = -1\non = \"yes\"\nnames = [1]\n\
                colour = 1\nlisten = \"here\"\n[cluster.policy]\n\
                ordr = \"fifo\"\norder = \"fiffo\"\nplacer = \"x\"\n\
                \n[cluster.policy.floor]\nwait = \"90\"\n\n[[cluster.queues]]\nweight = 1.5\n";
    let expected = [
        "line 1: wait: \"5 parsecs\" is not a duration; write 30s, 10m, 2h or 1d",
        "line 2: memory: true is not an amount of memory; write 512MiB, 64GiB or 2TiB",
        "line 3: count: -1 is not a whole number",
        "line 4: on: \"yes\" is neither true nor false",
        "line 5: names: a list is not a table of settings",
        "line 6: colour: there is no such setting; there are wait, memory, count, on, listen, \
         names, cluster",
        "line 7: listen: \"here\" is not an address; write 127.0.0.1:7070 or [::1]:7070",
        "line 9: cluster.policy.ordr: there is no such setting; did you mean order?",
        "line 10: cluster.policy.order: \"fiffo\" is not known; did you mean fifo?",
        "line 11: cluster.policy.placer: \"x\" is not known; write one of muster, best-fit, fgd",
        "line 14: cluster.policy.floor.wait: \"90\" is not a duration; write 30s, 10m, 2h or 1d",
        "line 16: cluster.queues[0].name: has to be there",
        "line 17: cluster.queues[0].weight: 1.5 is not a whole number",
    ];
    assert_eq!(told(text), expected);
}

#[test]
fn what_only_its_reader_can_judge_is_told_with_its_key_too() {
    let said = told(
        "[[cluster.windows]]\nname = \"night\"\nopens = \"\"\nzone = \"\"\n\
                     lasts = \"1h\"\nchanges = [{ class-valu = [\"batch\", 1] }]\n",
    );
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("line 6: cluster.windows[0].changes: "), "{said:?}");
}

#[test]
fn lines_that_cannot_be_read_do_not_hide_the_others() {
    let said = told("wait = 90s\ncount = [\n\n[cluster.policy]\nordr = 1\n");
    assert!(said.iter().any(|one| one.starts_with("line 1:")), "{said:?}");
    assert!(said.len() > 1, "{said:?}");
}

#[test]
fn values_of_the_right_kind_are_checked_by_who_knows_them() {
    let check = |_: &Everything| vec![Invalid::new("cluster.policy.order", "x", "expected y")];
    let text = "[cluster.policy]\norder = \"fifo\"\n";
    let mistakes = read(text, check).expect_err("it is refused");
    assert_eq!(
        mistakes[0].to_string(),
        "line 2: cluster.policy.order: x is not allowed; expected y"
    );
}

#[test]
fn settings_are_written_with_units_and_read_again() {
    let mut cluster = ClusterSpec::default();
    cluster.queues[0].guarantee = Quota::of_gpus(8).model("H100", 4).cpus(64);
    cluster.queues.push(QueueSpec::new("research"));
    let text = write(&cluster).expect("a cluster can be written");
    for line in ["wait = \"12h\"", "memory = \"80GiB\"", "gpus = \"8\"", "H100 = \"4\""] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert_eq!(read(&text, |_| Vec::new()), Ok(cluster));
}

#[test]
fn reference_has_every_key_with_its_default_and_meaning() {
    let text = reference::<Everything>();
    for line in [
        "| `wait` | duration | `\"0s\"` | How long. |",
        "| `memory` | memory |  | How much. |",
        "## `[cluster.policy.floor]`",
        "| `wait` | duration | `\"12h\"` | A job starves when it has had no service for this",
        "## `[[cluster.queues]]`",
        "| `weight` | number | `1` | Its part of what is shared, relative to its siblings. |",
        "## `[cluster.queues.guarantee]`",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}
