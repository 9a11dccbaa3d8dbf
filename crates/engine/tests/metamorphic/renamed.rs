//! Names do not matter, nor does the order of what is submitted at one moment, beyond ties.

use std::sync::Arc;

use muster_engine::Engine;
use proptest::prelude::*;

use super::plan::{config, plans};
use super::play::play;
use crate::support::*;

/// Another name for everything, in which the old order of names is turned round.
fn another(name: &str) -> String {
    let turned: String = name
        .chars()
        .map(|letter| match letter {
            'a'..='z' => char::from(b'z' - (letter as u8 - b'a')),
            '0'..='9' => char::from(b'9' - (letter as u8 - b'0')),
            other => other,
        })
        .collect();
    format!("x-{turned}")
}

fn renamed_queue(name: &str) -> muster_model::QueueName {
    let parts: Vec<String> = name.split('/').map(another).collect();
    parts.join("/").as_str().into()
}

fn renamed_cluster(mut spec: ClusterSpec) -> ClusterSpec {
    for queue in &mut spec.queues {
        queue.name = renamed_queue(queue.name.as_str());
    }
    spec
}

fn renamed_command(command: &Command) -> Command {
    let mut command = command.clone();
    match &mut command {
        Command::Submit { spec } => {
            let spec = Arc::make_mut(spec);
            spec.name = another(spec.name.as_str()).as_str().into();
            spec.user = another(spec.user.as_str()).as_str().into();
            spec.queue = renamed_queue(spec.queue.as_str());
        }
        Command::NodeJoined { spec, .. } => {
            spec.name = another(spec.name.as_str()).as_str().into();
            for domain in &mut spec.domains {
                *domain = another(domain.as_str()).as_str().into();
            }
        }
        Command::QueueSet { queue } => queue.name = renamed_queue(queue.name.as_str()),
        _ => {}
    }
    command
}

fn without_names(actions: Vec<Action>) -> Vec<Action> {
    actions
        .into_iter()
        .map(|action| match action {
            Action::NodeAccepted { node, .. } => Action::NodeAccepted { node, name: "node".into() },
            Action::Rejected { .. } => Action::Rejected { errors: vec![] },
            other => other,
        })
        .collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn names_of_nodes_jobs_users_and_queues_do_not_matter(plan in plans()) {
        let world = play(&plan, plan.setup());
        let spec = renamed_cluster(plan.setup().spec);
        let mut engine = Engine::new(spec).expect("the renamed cluster is valid");
        for (at, command, actions) in &world.log {
            let again = engine.step(*at, renamed_command(command));
            prop_assert_eq!(without_names(again), without_names(actions.clone()));
        }
    }

    /// Jobs with keys of their own, submitted at one moment while nothing is free: whichever way
    /// round, the same jobs go to the same places.
    #[test]
    fn the_order_of_submission_at_one_moment_does_not_matter(
        sizes in proptest::collection::vec((1..=3u32, 1..=8u32), 2..12),
        turn in 0..12usize,
    ) {
        let run = |turn: usize| {
            let mut world = racks("r1: 8 8; r2: 8 8").build();
            let taken = world.run(gang(4, 8));
            let mut specs: Vec<JobSpec> = Vec::new();
            for (index, &(tasks, gpus)) in sizes.iter().enumerate() {
                let estimate = minutes(10 + 37 * u64::try_from(index).expect("a few jobs"));
                let name = format!("job-{index}");
                let spec = JobSpec::gang(&name, tasks, gpus).estimate(estimate, estimate);
                specs.push(spec);
            }
            let middle = turn % specs.len();
            specs.rotate_left(middle);
            world.submit_all(specs);
            let keys = world.snapshot().jobs.iter().map(|job| job.key).collect::<Vec<_>>();
            world.finish(taken);
            let mut places: Vec<(String, String)> = (world.snapshot().jobs.iter())
                .map(|job| (job.spec.name.to_string(), world.layout(job.id)))
                .collect();
            places.sort();
            (places, keys)
        };
        let (places, mut keys) = run(0);
        keys.sort_unstable();
        keys.dedup();
        prop_assume!(keys.len() > sizes.len(), "ties go by number");
        prop_assert_eq!(places, run(turn).0);
    }
}
