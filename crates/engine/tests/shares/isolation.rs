//! One GPU has one mode at a time, and only modes its node can set.

use super::support::*;

fn isolated(milli: u64, isolation: Isolation) -> JobSpec {
    part(Share::fraction(MilliGpu(milli)).isolated(isolation))
}

#[test]
fn isolation_is_never_mixed_on_one_gpu() {
    let mut c = cards(1, "H100x4").build();
    let specs = Isolation::ALL.map(|isolation| isolated(100, isolation));
    assert_eq!(places(&mut c, specs), ["n-1/0:125", "n-1/1:100", "n-1/2:100"]);
    let specs = Isolation::ALL.map(|isolation| isolated(100, isolation));
    assert_eq!(places(&mut c, specs), ["n-1/0:125", "n-1/1:100", "n-1/2:100"]);
}

#[test]
fn a_gpu_changes_its_mode_only_when_it_is_empty() {
    let mut c = cards(1, "H100x1").build();
    let [first, second] = [100, 100].map(|milli| c.run(isolated(milli, Isolation::Soft)));
    let turns = c.submit(isolated(100, Isolation::None));
    assert_eq!(c.word(turns), "queued");
    c.finish(first);
    assert_eq!(c.word(turns), "queued");
    c.finish(second);
    assert_eq!(share_of(&c, turns).mode, Isolation::None);
}

#[test]
fn a_node_shares_only_as_it_says_it_can() {
    let sharing = |hard, soft, none| Sharing { hard, soft, none };
    let nodes = [
        ("plain", Sharing::NEVER),
        ("turns", sharing(false, false, true)),
        ("mps", sharing(false, true, false)),
        ("mig", sharing(true, false, false)),
    ];
    let mut c = cluster().build();
    for (name, sharing) in nodes {
        c.join(NodeSpec::new(name, "H100", 1).sharing(sharing));
    }
    let specs = Isolation::ALL.map(|isolation| isolated(100, isolation));
    assert_eq!(places(&mut c, specs), ["mig/0:125", "mps/0:100", "turns/0:100"]);
    let specs = Isolation::ALL.map(|isolation| isolated(900, isolation));
    let found = places(&mut c, specs);
    assert_eq!(found, ["waits", "mps/0:900", "turns/0:900"], "nobody breaks the plain node's GPU");
}

#[test]
fn cutting_is_off_unless_the_node_says_otherwise() {
    let mut c = cluster().nodes("n", 1, "H100x1").build();
    let hard = c.submit(isolated(250, Isolation::Hard));
    assert_eq!(c.codes(hard), ["impossible"]);
    c.join(NodeSpec::new("cut", "H100", 1).sharing(Sharing::ALL));
    assert_eq!(c.nodes_of(hard), ["cut"]);
}

#[test]
fn a_model_without_profiles_is_never_cut() {
    let mut c = cards(1, "L4x1").build();
    let hard = c.submit(isolated(250, Isolation::Hard));
    assert_eq!(c.codes(hard), ["impossible"]);
    let soft = c.submit(isolated(250, Isolation::Soft));
    assert_eq!(c.word(soft), "launching");
}

#[test]
fn a_node_may_learn_to_share_while_nothing_runs_on_it() {
    let mut c = cluster().build();
    c.join(NodeSpec::new("n", "H100", 1).sharing(Sharing::NEVER));
    let soft = c.submit(isolated(250, Isolation::Soft));
    assert_eq!(c.word(soft), "queued");
    c.join(NodeSpec::new("n", "H100", 1));
    assert_eq!(parts(&c, soft), "n/0:250");
    c.confirm(soft);
    c.finish(soft);
    c.join(NodeSpec::new("n", "H100", 1).sharing(Sharing::NEVER));
    let next = c.submit(isolated(250, Isolation::Soft));
    assert_eq!(c.word(next), "queued");
}
