//! Scenario tables: a cluster, jobs submitted one after the other, and where each of them is then.

use std::panic::{AssertUnwindSafe, catch_unwind};

use muster_model::JobSpec;

use super::setup::Setup;
use super::world::World;

/// One row of a table.
#[derive(Debug)]
pub(crate) struct Case {
    name: &'static str,
    cluster: Setup,
    members: Vec<Member>,
}

/// A job of a case and what becomes of it.
#[derive(Debug)]
pub(crate) struct Member {
    spec: JobSpec,
    expected: &'static str,
}

/// A job that ends up on these nodes (`r1-1 r1-2`, in the order of ranks), with so many tasks on
/// each (`r1-1:4 r1-2:4`), or keeps waiting, for these reasons (`waits: gpus`) or whichever
/// (`waits`).
pub(crate) fn job(spec: JobSpec, expected: &'static str) -> Member {
    Member { spec, expected }
}

/// A row: a sentence, the cluster, the jobs in the order they are submitted.
pub(crate) fn case<const N: usize>(
    name: &'static str,
    cluster: Setup,
    members: [Member; N],
) -> Case {
    Case { name, cluster, members: members.into() }
}

/// Runs every case and reports all that went wrong by name.
pub(crate) fn check<const N: usize>(cases: [Case; N]) {
    let failures: Vec<String> = cases.into_iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "{} of {N} cases fail:\n{}", failures.len(), failures.join("\n"));
}

fn failure(case: Case) -> Option<String> {
    let name = case.name;
    match catch_unwind(AssertUnwindSafe(|| run(case))) {
        Ok(problems) if problems.is_empty() => None,
        Ok(problems) => Some(format!("- {name}\n    {}", problems.join("\n    "))),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Some(format!("- {name}\n    {}", text.unwrap_or("a panic without words")))
        }
    }
}

fn run(case: Case) -> Vec<String> {
    let mut world = case.cluster.build();
    let mut jobs = Vec::new();
    for member in case.members {
        let job = world.submit(member.spec);
        jobs.push((job, member.expected));
        for &(job, _) in &jobs {
            if world.word(job) == "launching" {
                world.confirm(job);
            }
        }
    }
    let mut problems = Vec::new();
    for (index, (job, expected)) in jobs.into_iter().enumerate() {
        let found = describe(&mut world, job, expected.contains(':'));
        let is_as_expected =
            found == expected || (expected == "waits" && found.starts_with("waits:"));
        if !is_as_expected {
            problems.push(format!("job {}: expected `{expected}`, is `{found}`", index + 1));
        }
    }
    problems
}

fn describe(world: &mut World, job: muster_model::JobId, with_counts: bool) -> String {
    if world.is_placed(job) {
        return if with_counts { world.layout(job) } else { world.nodes_of(job).join(" ") };
    }
    match world.word(job) {
        "queued" | "waiting" => format!("waits: {}", world.codes(job).join(" ")),
        word => word.to_owned(),
    }
}
