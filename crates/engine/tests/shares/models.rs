//! Which model of GPU a job gets that takes any, and where jobs without GPUs go, once shares are
//! asked for.

use muster_model::Placer;

use super::support::*;

const BY_GRADIENT: [Placer; 2] = [Placer::Muster, Placer::Fgd];

/// A node of each of two models, `a-1` and `h-1`.
fn two_models(placer: Placer) -> Setup {
    let setup = cluster().nodes("a", 1, "A100x2").nodes("h", 1, "H100x2");
    setup.policy(|policy| policy.placer = placer)
}

fn on(node: &str, spec: JobSpec) -> JobSpec {
    spec.only_on(nodes_where(&format!("@{node}")))
}

#[test]
fn a_share_of_any_model_goes_where_it_breaks_nothing() {
    for placer in BY_GRADIENT {
        for begun in ["a-1", "h-1"] {
            let mut c = two_models(placer).build();
            c.run(on(begun, milli(500)));
            let job = c.run(milli(500));
            assert_eq!(parts(&c, job), format!("{begun}/0:500"), "{placer:?}");
        }
    }
}

#[test]
fn a_job_that_names_models_gets_the_one_it_likes_best() {
    for (begun, liked, expected) in
        [("h-1", ["A100", "H100"], "a-1"), ("a-1", ["H100", "A100"], "h-1")]
    {
        let mut c = two_models(Placer::Muster).build();
        c.run(on(begun, milli(500)));
        let job = c.run(milli(500).models(liked));
        assert_eq!(c.nodes_of(job), [expected], "a whole GPU is broken for it");
    }
}

#[test]
fn what_needs_many_cpus_goes_to_the_model_that_has_them() {
    for (few, many) in [("A100x2", "H100x2"), ("H100x2", "A100x2")] {
        for (what, odd) in [("a share", milli(250)), ("whole GPUs", gang(1, 1))] {
            let setup = cluster().nodes_with("few", 1, few, |node| node.cpus(19));
            let mut c = setup.nodes_with("many", 1, many, |node| node.cpus(64)).build();
            (0..8).for_each(|_| _ = c.submit(gang(1, 1).cpus(8).hold()));
            c.submit(milli(500).hold());
            let job = c.run(odd.cpus(12));
            assert_eq!(c.nodes_of(job), ["many-1"], "{what}: not on {few}");
        }
    }
}

#[test]
fn a_job_without_gpus_goes_where_none_are_or_where_they_are_taken_anyway() {
    for taken in ["a-1", "h-1"] {
        let setup = two_models(Placer::Muster).cpu_nodes("c", 1, 8, gib(64));
        let mut c = setup.filled(taken, 2).build();
        c.submit(milli(500).cpus(8).hold());
        let bare = || gang(1, 0).cpus(8);
        let (first, second) = (c.run(bare()), c.run(bare()));
        assert_eq!(c.nodes_of(first), ["c-1"], "no GPU is there");
        assert_eq!(c.nodes_of(second), [taken], "no GPU is free there");
    }
}

#[test]
fn without_shares_models_are_taken_in_their_order_as_before() {
    let place = |taken: Option<&str>, shares: bool| {
        let mut setup = two_models(Placer::Muster);
        if let Some(node) = taken {
            setup = setup.filled(node, 1);
        }
        let mut c = setup.build();
        (0..16).for_each(|_| _ = c.submit(gang(1, 2).hold()));
        if shares {
            c.submit(milli(500).hold());
        }
        let job = c.run(gang(1, 1));
        c.nodes_of(job)
    };
    let first = place(None, false);
    for taken in ["a-1", "h-1"] {
        assert_eq!(place(Some(taken), false), first, "{taken} is half full");
        assert_eq!(place(Some(taken), true), [taken], "a pair of GPUs is kept");
    }
}
