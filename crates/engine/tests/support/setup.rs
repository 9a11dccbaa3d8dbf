//! A cluster before anything happens in it, written in a few words.

use muster_engine::{Engine, Tuning};
use muster_model::quantity::GpuRequest;
use muster_model::{
    ClusterSpec, DefragmentationMode, Floor, JobSpec, Mib, Millis, NodeSpec, Policy, QueueSpec,
    Time,
};

use super::world::World;

/// A cluster to be built: its configuration, its nodes, and what already runs on them.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) spec: ClusterSpec,
    pub(crate) nodes: Vec<NodeSpec>,
    pub(crate) fillers: Vec<JobSpec>,
    has_own_queues: bool,
    tuning: Tuning,
    obedient: bool,
    doubted: bool,
}

/// An empty cluster without levels, with the queue `default` and a policy in round numbers,
/// whatever the defaults are tuned to: GPU-seconds are what counts, nothing is reserved for gangs
/// that do not fit, and nothing is moved.
pub(crate) fn cluster() -> Setup {
    let mut spec = ClusterSpec::default();
    let policy = &mut spec.policy;
    policy.size_weight_milli = 1000;
    policy.reservations.most = 0;
    policy.defragmentation.mode = DefragmentationMode::Off;
    policy.pausing.run_min = Millis::minutes(10);
    policy.pausing.interval = Millis::minutes(30);
    policy.floor = Floor { share_ppm: 50_000, wait: Millis::hours(12), quantum: Millis::hours(2) };
    Setup {
        spec,
        nodes: Vec::new(),
        fillers: Vec::new(),
        has_own_queues: false,
        tuning: Tuning::default(),
        obedient: false,
        doubted: false,
    }
}

/// Racks of 8-GPU nodes by how many GPUs are free on each node: `r1: 8 8 3; r2: 0 8`.
///
/// The rest of each node is taken by a job that never ends by itself.
pub(crate) fn racks(text: &str) -> Setup {
    let mut setup = cluster().levels(["rack"]);
    for rack in text.split(';') {
        let (name, free) = rack.split_once(':').expect("a rack is written `name: free free …`");
        for free in free.split_whitespace() {
            setup = setup.nodes(name.trim(), 1, "H100x8");
            let node = setup.nodes.last().expect("a node was just added").name.clone();
            let free: u32 = free.parse().expect("free GPUs are a number");
            if free < 8 {
                setup = setup.filled(node.as_str(), 8 - free);
            }
        }
    }
    setup
}

impl Setup {
    /// With these levels above the node, widest first.
    pub(crate) fn levels<'a>(mut self, levels: impl IntoIterator<Item = &'a str>) -> Setup {
        self.spec = self.spec.levels(levels);
        self
    }

    /// With `count` nodes more at a path of domains (`zone-a/r1`). They are called after the last
    /// part: `r1-1`, `r1-2` and so on.
    pub(crate) fn nodes(self, path: &str, count: u32, gpus: &str) -> Setup {
        self.nodes_with(path, count, gpus, |node| node)
    }

    /// The same, each changed in some way.
    pub(crate) fn nodes_with(
        self,
        path: &str,
        count: u32,
        gpus: &str,
        change: impl Fn(NodeSpec) -> NodeSpec,
    ) -> Setup {
        let request: GpuRequest = gpus.parse().expect("a node's GPUs are written like `H100x8`");
        let model = request.models.first().expect("a node's GPUs have a model").clone();
        let gpus = request.gpus;
        self.place(path, count, |name| change(NodeSpec::new(name, model.as_str(), gpus)))
    }

    /// With `count` nodes without GPUs more.
    pub(crate) fn cpu_nodes(self, path: &str, count: u32, cpus: u64, memory: Mib) -> Setup {
        self.place(path, count, |name| NodeSpec::without_gpus(name, cpus, memory))
    }

    fn place(mut self, path: &str, count: u32, make: impl Fn(&str) -> NodeSpec) -> Setup {
        let parts: Vec<&str> = path.split('/').collect();
        let stem = format!("{}-", parts.last().expect("a path has a last part"));
        for _ in 0..count {
            let used = self.nodes.iter().filter(|node| node.name.as_str().starts_with(&stem));
            let node = make(&format!("{stem}{}", used.count() + 1));
            let has_levels = !self.spec.levels.is_empty();
            let domains = if has_levels { parts.as_slice() } else { &[] };
            self.nodes.push(node.domains(domains.iter().copied()));
        }
        self
    }

    /// With so many GPUs of a node taken by a job that never ends by itself.
    pub(crate) fn filled(mut self, node: &str, gpus: u32) -> Setup {
        let here = muster_model::Expression::Node(vec![node.into()]);
        self.fillers.push(JobSpec::gang("filler", 1, gpus).only_on(here));
        self
    }

    /// With one queue more; the first replaces the queue `default`.
    pub(crate) fn queue(mut self, queue: QueueSpec) -> Setup {
        if !std::mem::replace(&mut self.has_own_queues, true) {
            self.spec.queues.clear();
        }
        self.spec.queues.push(queue);
        self
    }

    /// With the policy changed in some way.
    pub(crate) fn policy(mut self, change: impl FnOnce(&mut Policy)) -> Setup {
        change(&mut self.spec.policy);
        self
    }

    /// With nodes reserved for up to so many gangs of so many GPUs or more.
    pub(crate) fn reservations(self, most: u32, gpus_min: u32) -> Setup {
        self.policy(|policy| {
            policy.reservations.most = most;
            policy.reservations.gpus_min = gpus_min;
        })
    }

    /// With nobody ever paused.
    pub(crate) fn without_pausing(self) -> Setup {
        self.policy(|policy| policy.pausing.on = false)
    }

    /// With the configuration changed in some other way.
    pub(crate) fn spec(mut self, change: impl FnOnce(&mut ClusterSpec)) -> Setup {
        change(&mut self.spec);
        self
    }

    /// With at most so many starts in one step.
    pub(crate) fn starts_per_step(mut self, most: u32) -> Setup {
        self.tuning.starts_per_step = most;
        self
    }

    /// Without remembering which shapes failed.
    pub(crate) fn without_memo(mut self) -> Setup {
        self.tuning.memo = false;
        self
    }

    /// With nodes that do at once what they are asked: launches are confirmed, stops obeyed.
    pub(crate) fn obedient(mut self) -> Setup {
        self.obedient = true;
        self
    }

    /// With a second engine made from the snapshot before every step, which must do the same.
    pub(crate) fn doubted(mut self) -> Setup {
        self.doubted = true;
        self
    }

    /// The cluster at time zero, its nodes joined and its fillers running.
    pub(crate) fn build(self) -> World {
        let engine = Engine::with_tuning(self.spec.clone(), self.tuning)
            .unwrap_or_else(|errors| panic!("the scenario's cluster is invalid: {errors:?}"));
        let mut world = World::new(engine, &self.spec, self.tuning);
        world.doubted = self.doubted;
        for node in self.nodes {
            world.join(node);
        }
        for filler in self.fillers {
            world.run(filler);
        }
        world.forget_starts();
        world.set_obedient(self.obedient);
        assert_eq!(world.now(), Time(0), "building takes no time");
        world
    }
}
