//! What the model gets of a request, and what it cannot say.

use muster_model::{
    ClusterSpec, Dependency, DependencyKind, Expression, GpuModel, JobId, JobSpec, Level, Mib,
    MilliCpu, Millis, Name, Segment, Share, TaskCount, Time, Warning,
};

use super::request;
use crate::request::{JobParts, Mapping, Missing, Note};
use crate::values::Clock;

fn mapping() -> Mapping {
    let clock = Clock { now: Time(1_000_000), offset_s: 0 };
    let (switch, block) = (Some(Level::from("rack")), Some(Level::from("block")));
    Mapping { clock, switch, block }
}

fn job(words: &str) -> JobParts {
    request(words).job(&mapping()).unwrap_or_else(|refused| panic!("{words}: {refused}"))
}

#[test]
fn a_usual_training_job_is_one_group_of_nodes() {
    let parts = job("-N4 --ntasks-per-node=8 -c12 --gres=gpu:h100:8 --mem=900G -t 1-0 -J train");
    assert_eq!(parts.name, Some(Name::from("train")));
    let [group] = &parts.groups[..] else { panic!("one group") };
    assert_eq!(group.name, Name::from("nodes"));
    assert_eq!(group.tasks, TaskCount::exactly(4));
    assert_eq!((group.task.gpus, group.task.cpus), (8, MilliCpu::whole(96)));
    assert_eq!(group.task.memory, Mib::gib(900));
    assert_eq!(group.task.models, [Name::from("h100")]);
    assert_eq!(parts.timing.limit, Some(Millis::days(1)));
    assert!(parts.topology.apart && parts.is_whole());
    assert_eq!(parts.missing, []);
}

#[test]
fn a_job_of_tasks_is_one_group_of_tasks_that_may_share_nodes() {
    let parts = job("-n8 --gpus-per-task=1 -c4");
    assert_eq!(parts.groups[0].name, Name::from("tasks"));
    assert_eq!(parts.groups[0].tasks, TaskCount::exactly(8));
    assert!(parts.is_whole());
}

#[test]
fn uneven_jobs_have_a_group_for_each_kind_of_slice() {
    let parts = job("-N3 --gpus=7");
    let groups: Vec<_> = parts.groups.iter().map(|it| (it.name.as_str(), it.tasks.min)).collect();
    assert_eq!(groups, [("nodes", 1), ("nodes-2", 2)]);
}

#[test]
fn the_parts_make_a_job_that_the_model_accepts() {
    let parts = job("-N2 --exclusive --gres=gpu:H100:8 --array=0-3%2 -d singleton --begin=now+60");
    let mut spec = JobSpec::new("job", "user-a", "default");
    parts.put_into(&mut spec);
    let cluster = ClusterSpec::default();
    assert!(GpuModel::known().iter().any(|model| model.name.as_str() == "H100"));
    assert_eq!(spec.validate(&cluster), Ok(()));
    assert!(spec.groups[0].task.exclusive);
    assert_eq!(spec.timing.begin, Some(Time(1_060_000)));
    assert_eq!(spec.after, [Dependency::Singleton]);
    assert_eq!(spec.array.expect("an array").throttle, Some(2));
}

#[test]
fn nodes_and_features_become_one_constraint() {
    let node = |names: &[&str]| Expression::Node(names.iter().map(|it| Name::from(*it)).collect());
    let require = |words: &str| job(words).constraint.require.map(|it| *it);
    assert_eq!(require("-w n[1-2]"), Some(node(&["n1", "n2"])));
    assert_eq!(require("-x n3"), Some(Expression::Not(Box::new(node(&["n3"])))));
    let both = require("-x n3 -C a|b").expect("a constraint");
    assert_eq!(both.to_string(), "node is not n3 and (has a or has b)");
    assert_eq!(require("-C [a|b]"), require("-C a|b"));
    let prefer = job("--prefer=fast").constraint.prefer.expect("a wish");
    assert_eq!(*prefer, Expression::Has(Name::from("fast")));
}

#[test]
fn one_switch_is_insisted_on_for_a_while() {
    let wish = |words: &str| job(words).topology;
    let near = wish("-N8 --exclusive --switches=1");
    assert_eq!(near.require, Some(Level::from("rack")));
    assert_eq!(near.patience, Some(Millis::minutes(5)));
    assert_eq!(wish("-N8 --exclusive --switches=1@2:00:00").patience, Some(Millis::hours(2)));
    let several = wish("-N8 --exclusive --switches=2");
    assert_eq!((several.require, several.prefer), (None, Some(Level::from("rack"))));
    let unknown = Mapping { switch: None, ..mapping() };
    let parts = request("-N8 --switches=1").job(&unknown).expect("good");
    assert_eq!((parts.topology.require, parts.topology.patience), (None, None));
}

#[test]
fn times_are_those_of_the_model() {
    let timing = job("--time=10 --time-min=5 --deadline=now+1hour").timing;
    assert_eq!(
        (timing.limit, timing.limit_min),
        (Some(Millis::minutes(10)), Some(Millis::minutes(5)))
    );
    assert_eq!((timing.deadline, timing.drop_late), (Some(Time(4_600_000)), true));
    assert!(!job("--time=10").timing.drop_late);
}

#[test]
fn topology_follows_switches_and_segments() {
    let near = job("-N8 --exclusive --switches=1 --segment=4 --spread-job").topology;
    assert_eq!(near.prefer, Some(Level::from("rack")));
    assert_eq!(near.segment, Some(Segment { tasks: 4, level: Level::from("block") }));
    assert!(near.spread);
    let odd = request("-N6 --segment=4").job(&mapping()).expect_err("6 is not 4 and 4");
    assert!(odd.to_string().contains("6 nodes are not whole segments of 4"), "{odd}");
    let unknown = Mapping { block: None, ..mapping() };
    let unknown = request("-N4 --segment=4").job(&unknown).expect_err("no such level");
    assert!(unknown.to_string().contains("which level of the topology is a block"), "{unknown}");
}

#[test]
fn dependencies_and_signals_are_those_of_the_model() {
    let parts = job("-d afterok:1:2,afterany:3 --signal=B:USR1@120 --no-requeue -H");
    let on = |job, kind| Dependency::on(JobId(job), kind);
    let ok = DependencyKind::AfterOk;
    assert_eq!(parts.after, [on(1, ok), on(2, ok), on(3, DependencyKind::AfterAny)]);
    let warning = Warning { signal: 10, before: Millis::seconds(120) };
    assert_eq!(parts.timing.warning, Some(warning));
    assert!(!parts.requeue.when_lost && parts.hold);
}

#[test]
fn a_profile_is_a_share_of_a_gpu() {
    let parts = job("--gres=gpu:1g.10gb:1");
    assert_eq!(parts.groups[0].task.share, Some(Share::mig("1g.10gb")));
    assert_eq!(parts.groups[0].task.gpus, 0);
    assert_eq!(job("--gres=gpu:1g.10gb:2").missing, [Missing::SeveralShares]);
}

#[test]
fn names_that_the_model_does_not_take_are_mended_and_told() {
    let mut odd = request("");
    odd.identity.job_name = Some("my job/1".to_owned());
    let parts = odd.job(&mapping()).expect("good");
    assert_eq!(parts.name, Some(Name::from("my-job-1")));
    assert!(matches!(parts.notes[..], [Note::NameChanged { .. }]));
}

#[test]
fn what_the_model_cannot_say_is_listed() {
    let missing = |words: &str| job(words).missing;
    assert_eq!(missing("--mem=0"), []);
    assert_eq!(missing("-w n1"), []);
    assert_eq!(missing("-w n1,n2 -n4"), []);
    assert_eq!(missing("-w n1 -N2 --exclusive"), [Missing::NodesAmongOthers]);
    assert_eq!(missing("-N2 -C [a|b] --exclusive"), [Missing::FeaturesTogether]);
    assert_eq!(missing("-N2-4 --exclusive"), [Missing::NodeRange]);
    assert_eq!(missing("--time=10 --time-min=5 --deadline=now+1hour --switches=1"), []);
    assert_eq!(missing("-d singleton?afterok:2"), [Missing::SingletonAmongOthers]);
    assert_eq!(missing("--reservation=a,b"), [Missing::SeveralReservations]);
    assert_eq!(missing("--switches=2"), [Missing::SeveralSwitches]);
    assert_eq!(missing("--kill-on-invalid-dep=no"), [Missing::KeepUnmet]);
}

#[test]
fn dependencies_on_elements_with_delays_and_choices_are_those_of_the_model() {
    let after = |words: &str| {
        let parts = job(words);
        assert_eq!(parts.missing, []);
        parts.after.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(after("-d after:1_2+5"), ["after:1_2+5m"]);
    assert_eq!(after("-d afterok:1:2?afterany:3"), ["afterok:1?afterok:2?afterany:3"]);
    assert_eq!(after("--array=0-3 -d aftercorr:1"), ["aftercorr:1"]);
    assert_eq!(after("-d aftercorr:1"), ["afterok:1"]);
}
