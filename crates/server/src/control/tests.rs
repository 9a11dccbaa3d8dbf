//! The state of the control plane: duties, ranks, repetitions, and that it can be played again.

mod accounting;
mod forgetting;
mod holding;
mod stepping;

use std::sync::Arc;

use muster_api::{Directive, Duty, Program, Work};
use muster_engine::action::JobState;
use muster_engine::command::{Command, Exit, Refusal, Running};
use muster_model::{
    Attempt, ClusterSpec, JobId, JobSpec, Millis, NodeId, NodeSpec, TaskCount, TaskShape, Time,
};

use super::{Answer, Control};
use crate::control::{CONTROL_VERSION, ControlSnapshot};
use crate::entry::{ENTRY_VERSION, Entry};

/// A cluster that remembers all it was told.
struct Scene {
    control: Control,
    now: Time,
    told: Vec<(Time, Entry)>,
}

impl Scene {
    fn new(nodes: u32) -> Scene {
        let control = Control::new(ClusterSpec::default()).expect("the default is valid");
        let mut scene = Scene { control, now: Time(1_000), told: Vec::new() };
        for number in 1..=nodes {
            let spec = Box::new(NodeSpec::new(&format!("n{number}"), "H100", 8));
            let address = format!("10.0.0.{number}");
            scene.announce(spec, address, (1, Vec::new()));
        }
        scene
    }

    fn announce(
        &mut self,
        spec: Box<NodeSpec>,
        address: String,
        (number, running): (u64, Vec<Running>),
    ) -> Answer {
        let instance = "agent".to_owned();
        self.tell(Entry::Announced { spec, address, running, instance, number })
    }

    fn tell(&mut self, entry: Entry) -> Answer {
        self.now = self.now + Millis(10);
        let answer = self.control.apply(self.now, &entry).answer;
        self.told.push((self.now, entry));
        answer
    }

    fn submit(&mut self, spec: JobSpec, key: Option<&str>) -> JobId {
        self.submit_with(spec, Program::default(), key)
    }

    fn submit_with(&mut self, spec: JobSpec, program: Program, key: Option<&str>) -> JobId {
        let (spec, program) = (Arc::new(spec), Arc::new(program));
        let key = key.map(ToOwned::to_owned);
        match self.tell(Entry::Submitted { spec, program, key, anywhere: false }) {
            Answer::Accepted { job, .. } => job,
            other => panic!("the job should be accepted: {other:?}"),
        }
    }

    fn duties(&self, node: u32, after: Option<u64>) -> (u64, bool, Vec<Duty>) {
        match self.control.directive(NodeId(node), after) {
            Directive::Duties { version, all, duties } => (version, all, duties),
            other => panic!("expected duties: {other:?}"),
        }
    }

    fn started(&mut self, node: u32, job: JobId) {
        let attempt = self.control.job(job).expect("it is known").attempt;
        self.tell(Entry::Told(Command::Started { node: NodeId(node), job, attempt }));
    }

    fn ended(&mut self, node: u32, job: JobId, attempt: u32) {
        let (attempt, exit) = (Attempt(attempt), Exit::Code(0));
        self.tell(Entry::Told(Command::Ended { node: NodeId(node), job, attempt, exit }));
    }
}

fn gang(tasks: u32) -> JobSpec {
    JobSpec::gang("train", tasks, 8)
}

#[test]
fn gang_is_told_its_ranks_and_where_to_meet() {
    let mut scene = Scene::new(2);
    scene.submit(gang(2), None);
    let mut ranks = Vec::new();
    for node in 0..2 {
        let (_, all, duties) = scene.duties(node, None);
        assert!(all);
        let Work::Run(work) = &duties[0].work else { panic!("it should run: {duties:?}") };
        let meets = work.gang.rendezvous.as_ref().expect("two tasks meet");
        assert_eq!((meets.address.as_str(), meets.port), ("10.0.0.1", 29_500));
        assert_eq!((work.gang.tasks, work.gang.node_rank), (2, node));
        ranks.extend(work.tasks.iter().map(|task| task.rank));
    }
    assert_eq!(ranks, [0, 1]);
}

#[test]
fn two_gangs_of_one_node_meet_at_different_ports_and_lone_tasks_nowhere() {
    let mut scene = Scene::new(1);
    for tasks in [2, 2, 1] {
        scene.submit(JobSpec::gang("small", tasks, 1), None);
    }
    let (_, _, duties) = scene.duties(0, None);
    let ports: Vec<_> = duties
        .iter()
        .map(|duty| match &duty.work {
            Work::Run(work) => work.gang.rendezvous.as_ref().map(|meets| meets.port),
            other => panic!("it should run: {other:?}"),
        })
        .collect();
    assert_eq!(ports, [Some(29_500), Some(29_501), None]);
}

#[test]
fn duty_ends_with_the_nodes_word_and_who_listens_hears_of_it() {
    let mut scene = Scene::new(1);
    let job = scene.submit(gang(1), None);
    let (seen, _, _) = scene.duties(0, None);
    assert!(scene.duties(0, Some(seen)).2.is_empty());
    scene.started(0, job);
    scene.ended(0, job, 1);
    let (_, all, news) = scene.duties(0, Some(seen));
    assert!(!all);
    assert_eq!(news.iter().map(|duty| &duty.work).collect::<Vec<_>>(), [&Work::Done]);
    assert!(scene.duties(0, None).2.is_empty());
}

#[test]
fn version_nobody_gave_is_answered_with_everything() {
    let mut scene = Scene::new(1);
    scene.submit(gang(1), None);
    let (_, all, duties) = scene.duties(0, Some(99));
    assert!(all && duties.len() == 1);
}

#[test]
fn job_that_was_restarted_elsewhere_is_not_wanted_where_it_was() {
    let mut scene = Scene::new(2);
    let job = scene.submit(gang(1), None);
    scene.started(0, job);
    let lease_ends = scene.now + Millis::seconds(30);
    scene.tell(Entry::Told(Command::NodeLost { node: NodeId(0), lease_ends }));
    assert!(matches!(scene.duties(0, None).2[0].work, Work::Run(_)), "unknown is not dead");
    scene.now = lease_ends;
    scene.tell(Entry::Told(Command::Tick));
    let known = scene.control.job(job).expect("it is known");
    assert_eq!(known.attempt, Attempt(2));
    assert!(matches!(scene.duties(0, None).2[0].work, Work::Stop { .. }));
    assert!(matches!(scene.duties(1, None).2[0].work, Work::Run(_)));
}

#[test]
fn programs_act_for_the_owner_of_their_attempt_while_it_has_nodes() {
    let mut scene = Scene::new(2);
    let acts = |scene: &Scene, job, attempt| scene.control.acts_for((job, Attempt(attempt)));
    let job = scene.submit(gang(1), None);
    let spec = scene.control.spec(scene.control.job(job).expect("it is known")).clone();
    let owner = Some((spec.user.to_string(), Some(spec.queue.to_string())));
    assert_eq!(acts(&scene, job, 1), owner, "from its launch on");
    scene.started(0, job);
    assert_eq!(acts(&scene, job, 1), owner);
    assert_eq!(acts(&scene, job, 2), None, "an attempt that there is not yet");
    assert_eq!(acts(&scene, JobId(9), 1), None, "a job that there is not");
    let lease_ends = scene.now + Millis::seconds(30);
    scene.tell(Entry::Told(Command::NodeLost { node: NodeId(0), lease_ends }));
    scene.now = lease_ends;
    scene.tell(Entry::Told(Command::Tick));
    assert_eq!((acts(&scene, job, 1), acts(&scene, job, 2)), (None, owner), "it started again");
    scene.started(1, job);
    scene.ended(1, job, 2);
    assert_eq!(acts(&scene, job, 2), None, "it is over");
    let (spec, program) = (Arc::new(gang(1)), Arc::default());
    scene.tell(Entry::Submitted { spec: Arc::clone(&spec), program, key: None, anywhere: true });
    let next = JobId(job.0 + 1);
    assert_eq!(acts(&scene, next, 1), Some((spec.user.to_string(), None)), "in every queue");
}

#[test]
fn refused_growth_leaves_what_runs_and_a_refused_launch_leaves_nothing() {
    let mut scene = Scene::new(1);
    let elastic = JobSpec::new("grow", "user-a", "default").group(
        "tasks",
        TaskCount { min: 1, max: 4 },
        TaskShape { gpus: 1, ..TaskShape::default() },
    );
    let job = scene.submit(elastic, None);
    scene.started(0, job);
    scene.now = scene.now + Millis::minutes(30);
    scene.tell(Entry::Told(Command::Tick));
    let Work::Run(work) = &scene.duties(0, None).2[0].work else { panic!("it runs") };
    assert!(work.resize.is_some(), "it grows into idle GPUs");
    let refused = |job| Command::Refused {
        node: NodeId(0),
        job,
        attempt: Attempt(1),
        refusal: Refusal::Node("disk-full".into()),
    };
    scene.tell(Entry::Told(refused(job)));
    assert!(matches!(scene.duties(0, None).2[0].work, Work::Run(_)), "one task runs on");
    let other = scene.submit(JobSpec::gang("lone", 1, 1), None);
    scene.tell(Entry::Told(refused(other)));
    assert!(scene.duties(0, None).2.iter().all(|duty| duty.job != other));
}

#[test]
fn submission_with_the_same_key_is_the_same_job() {
    let mut scene = Scene::new(1);
    let job = scene.submit(gang(1), Some("a"));
    assert_eq!(scene.submit(gang(1), Some("a")), job);
    assert_ne!(scene.submit(gang(1), Some("b")), job);
    assert_ne!(scene.submit(gang(1).user("user-b"), Some("a")), job);
}

#[test]
fn reasons_in_lists_have_dates_not_numbers() {
    let mut scene = Scene::new(1);
    let mut spec = gang(1);
    spec.timing.begin = Some(Time(1_700_000_000_000));
    scene.submit(spec, None);
    let mut views = scene.control.jobs(&super::JobFilter::default(), None, 10);
    scene.control.add_reasons(&mut views);
    let reason = views[0].reason.as_deref();
    assert_eq!(reason, Some("may not start before 2023-11-14T22:13:20.000Z"));
}

#[test]
fn elements_of_an_array_know_their_array_and_index() {
    let mut scene = Scene::new(1);
    let array = scene.submit(JobSpec::gang("sweep", 1, 1).array([3, 7]), None);
    let views = scene.control.jobs(&super::JobFilter::default(), None, 10);
    let told: Vec<_> = views.iter().map(|view| (view.id, view.array, view.index)).collect();
    let number = array.0;
    assert_eq!(told, [(number + 2, Some(number), Some(7)), (number + 1, Some(number), Some(3))]);
}

/// A few jobs in every state, with a node that comes and goes.
fn eventful() -> Scene {
    let mut scene = Scene::new(3);
    for (index, tasks) in [(1, 1), (2, 2), (3, 1), (4, 3)] {
        scene.submit(gang(tasks), Some(&format!("key-{index}")));
    }
    scene.started(0, JobId(1));
    scene.ended(0, JobId(1), 1);
    let lease_ends = scene.now + Millis::seconds(1);
    scene.tell(Entry::Told(Command::NodeLost { node: NodeId(1), lease_ends }));
    scene.tell(Entry::Told(Command::Cancel { job: JobId(3) }));
    scene.submit(JobSpec::gang("sweep", 1, 1).array([1, 2, 5]), None);
    scene
}

#[test]
fn same_entries_give_the_same_bytes() {
    let scene = eventful();
    let mut again = Control::new(ClusterSpec::default()).expect("the default is valid");
    for (now, entry) in &scene.told {
        let body = entry.encode();
        let read = Entry::decode(1, ENTRY_VERSION, &body).expect("what was written can be read");
        again.apply(*now, &read);
    }
    assert_eq!(again.snapshot().encode(), scene.control.snapshot().encode());
}

#[test]
fn snapshot_and_the_rest_equal_the_whole() {
    let scene = eventful();
    for cut in 0..scene.told.len() {
        let mut control = Control::new(ClusterSpec::default()).expect("the default is valid");
        for (now, entry) in &scene.told[..cut] {
            control.apply(*now, entry);
        }
        let body = control.snapshot().encode();
        let read = ControlSnapshot::decode(CONTROL_VERSION, &body).expect("it can be read");
        let mut restored = Control::restore(read).expect("it can be used");
        for (now, entry) in &scene.told[cut..] {
            restored.apply(*now, entry);
        }
        let whole = scene.control.snapshot().encode();
        assert_eq!(restored.snapshot().encode(), whole, "cut after {cut} entries");
    }
}

#[test]
fn configuration_changes_around_what_runs() {
    let mut scene = Scene::new(1);
    let job = scene.submit(gang(1), None);
    let mut cluster = scene.control.cluster().clone();
    cluster.policy.stop_grace = Millis::seconds(7);
    let by = "user-a".to_owned();
    let answer =
        scene.tell(Entry::Configured { cluster: Box::new(cluster.clone()), by: by.clone() });
    assert_eq!(answer, Answer::Done);
    assert_eq!(scene.control.cluster().policy.stop_grace, Millis::seconds(7));
    scene.started(0, job);
    assert!(scene.control.job(job).is_some_and(|job| job.started.is_some()));
    cluster.queues.clear();
    let answer = scene.tell(Entry::Configured { cluster: Box::new(cluster), by });
    assert!(matches!(answer, Answer::Rejected(_)), "the queue of a running job is gone");
    assert_eq!(scene.control.cluster().queues.len(), 1);
}

#[test]
fn entry_of_a_later_release_is_refused_by_name() {
    let error = Entry::decode(17, ENTRY_VERSION + 1, b"{}").expect_err("it is from the future");
    assert!(error.to_string().contains("entry 17"), "{error}");
}

#[test]
fn an_announcement_that_was_overtaken_takes_nothing_from_what_runs() {
    let mut scene = Scene::new(1);
    let job = scene.submit(JobSpec::gang("train", 1, 1), None);
    scene.started(0, job);
    let attempt = scene.control.job(job).expect("it is known").attempt;
    let spec = || Box::new(NodeSpec::new("n1", "H100", 8));
    let running = vec![Running { job, attempt }];
    let now = scene.announce(spec(), "10.0.0.1".to_owned(), (3, running));
    assert_eq!(now, Answer::Node(NodeId(0)));
    let late = scene.announce(spec(), "10.0.0.1".to_owned(), (2, Vec::new()));
    assert!(matches!(late, Answer::Rejected(_)), "{late:?}");
    let known = scene.control.job(job).expect("it is known");
    assert_eq!((known.state, known.attempt), (JobState::Running, attempt));
    // A later one that does not name it is believed.
    scene.announce(spec(), "10.0.0.1".to_owned(), (4, Vec::new()));
    assert_ne!(scene.control.job(job).expect("it is known").attempt, attempt);
}

#[test]
fn a_node_that_comes_back_does_not_launch_its_part_of_a_gang_that_still_ends_elsewhere() {
    let mut scene = Scene::new(2);
    let job = scene.submit(JobSpec::gang("train", 2, 8), None);
    scene.started(1, job);
    // The first node is gone for longer than its lease before it has launched anything.
    let (node, lease_ends) = (NodeId(0), scene.now + Millis(100));
    scene.tell(Entry::Told(Command::NodeLost { node, lease_ends }));
    scene.now = scene.now + Millis(1_000);
    scene.tell(Entry::Told(Command::Tick));
    assert_eq!(scene.control.job(job).expect("it is known").state, JobState::Stopping);
    let spec = Box::new(NodeSpec::new("n1", "H100", 8));
    scene.announce(spec, "10.0.0.1".to_owned(), (2, Vec::new()));
    let (_, _, duties) = scene.duties(0, None);
    let launches = duties.iter().filter(|duty| matches!(duty.work, Work::Run(_)));
    assert_eq!(launches.count(), 0, "{duties:?}");
}
