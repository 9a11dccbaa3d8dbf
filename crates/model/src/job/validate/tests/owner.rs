//! Names, queue, class, team, dependencies, array, weight and requeue of a job.

use super::{check, cluster, gang};
use crate::dependency::DependencyKind;
use crate::id::JobId;
use crate::job::{JobSpec, Requeue};

#[test]
fn a_good_job_of_every_kind_is_accepted() {
    let jobs = [
        gang(),
        gang().queue("research/vision").team("vision").class("batch").weight(-2),
        gang().array([0, 1, 5, 1000]).throttle(1),
        gang().after(JobId(1), DependencyKind::AfterOk).singleton(),
        gang().requeue(Requeue { when_lost: true, when_failed: true, most: 1000 }).hold(),
        gang().only_on("disk=fast & !spot".parse().expect("an expression")),
    ];
    for job in jobs {
        assert_eq!(job.validate(&cluster()), Ok(()));
    }
}

#[test]
fn bad_names_are_refused() {
    let named = |name| {
        JobSpec::new(name, "user-a", "default").group(
            "main",
            crate::task::TaskCount::exactly(1),
            crate::task::TaskShape::gpus(1),
        )
    };
    check([
        (
            named("my job"),
            "name: `my job` is not allowed; expected 1 to 63 letters, digits, `.`, `_` or `-`, \
             starting with a letter or digit\nhint: did you mean my-job?",
        ),
        (
            gang().user(""),
            "user: `` is not allowed; expected 1 to 63 letters, digits, `.`, `_` or `-`, \
             starting with a letter or digit",
        ),
    ]);
}

#[test]
fn unknown_queues_classes_and_teams_are_refused_with_the_nearest() {
    check([
        (
            gang().queue("research/vison"),
            "queue: `research/vison` is not allowed; expected one of default, research, \
             research/vision, research/speech\nhint: did you mean research/vision?",
        ),
        (
            gang().queue("speech"),
            "queue: `speech` is not allowed; expected one of default, research, research/vision, \
             research/speech\nhint: did you mean research/speech?",
        ),
        (
            gang().queue("research"),
            "queue: `research` is not allowed; expected a queue without queues below it, such as \
             research/vision",
        ),
        (
            gang().class("Standart"),
            "class: `Standart` is not allowed; expected one of inference, reserved, express, \
             standard, batch, preemptible\nhint: did you mean standard?",
        ),
        (
            gang().class(""),
            "class: `` is not allowed; expected one of inference, reserved, express, standard, \
             batch, preemptible",
        ),
        (
            gang().team("visoin"),
            "team: `visoin` is not allowed; expected one of vision\nhint: did you mean vision?",
        ),
    ]);
}

#[test]
fn a_reference_into_nothing_says_that_there_is_nothing() {
    let mut bare = cluster();
    bare.teams.clear();
    let found = gang().team("vision").validate(&bare).expect_err("no such team");
    assert_eq!(found[0].to_string(), "team: `vision` is not allowed; this cluster has no teams");
}

#[test]
fn bad_arrays_are_refused() {
    check([
        (gang().array([]), "array.indexes: 0 indexes is not allowed; expected 1 to 100000"),
        (
            gang().array(0..100_001),
            "array.indexes: 100001 indexes is not allowed; expected 1 to 100000",
        ),
        (
            gang().array([1, 3, 2]),
            "array.indexes[2]: 2 after 3 is not allowed; expected ascending indexes without \
             repeats",
        ),
        (
            gang().array([1, 1]),
            "array.indexes[1]: 1 after 1 is not allowed; expected ascending indexes without \
             repeats",
        ),
        (gang().array([1]).throttle(0), "array.throttle: 0 is not allowed; expected 1 or more"),
    ]);
}

#[test]
fn bad_dependencies_are_refused() {
    let many = (1..=257).fold(gang(), |job, id| job.after(JobId(id), DependencyKind::After));
    check([
        (
            gang().after(JobId(7), DependencyKind::After).after(JobId(0), DependencyKind::After),
            "after[1].job: 0 is not allowed; expected the id of a job, 1 or more",
        ),
        (many, "after: 257 dependencies is not allowed; expected at most 256"),
    ]);
}

#[test]
fn bad_weights_and_requeues_are_refused() {
    let requeue = Requeue { most: 1001, ..Requeue::default() };
    check([
        (gang().weight(3), "weight: 3 is not allowed; expected -2 to 2"),
        (gang().weight(-3), "weight: -3 is not allowed; expected -2 to 2"),
        (gang().requeue(requeue), "requeue.most: 1001 is not allowed; expected 0 to 1000"),
    ]);
}

#[test]
fn a_bad_constraint_is_refused_with_its_path() {
    let bad = crate::constraint::Expression::Has(crate::name::Name::from("a b"));
    let form = "`a b` is not allowed; expected 1 to 63 letters, digits, `.`, `_` or `-`, starting \
                with a letter or digit\nhint: did you mean a-b?";
    for (job, field) in [
        (gang().only_on(bad.clone()), "require"),
        (gang().rather_on(bad.clone()), "prefer"),
        (gang().rather_not_on(bad), "avoid"),
    ] {
        assert_eq!(super::problems(&job), [format!("constraint.{field}: {form}")]);
    }
}
