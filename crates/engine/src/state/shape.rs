//! Shapes: everything placement looks at in a job. Jobs of one shape are interchangeable to
//! the placer, so one failure speaks for all of them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use muster_model::{JobSpec, Name, NodeId, NodeSpec};

use crate::action::TaskPlace;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::dense::{Dense, ShapeId};
use crate::state::booking::Stay;
use crate::state::capacity::Capacity;
use crate::state::catalog::Catalog;
use crate::state::demand::Demand;
use crate::state::eligible::{Constraints, Looks};

/// A shape in use.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) demand: Arc<Demand>,
    /// A job that has it; shapes are compared by their specs.
    spec: Arc<JobSpec>,
    /// The nodes its constraint lets in, pickiest look first; empty without one.
    pub(crate) eligible: Looks,
    /// How long its jobs may stay, where that makes a difference.
    pub(crate) stay: Stay,
    /// The only place it may have: that of a suspended job.
    pub(crate) pin: Option<Pin>,
    /// Jobs that have it and are not over.
    jobs: u32,
}

/// The place of a suspended job.
pub(crate) type Pin = Vec<(NodeId, TaskPlace)>;

impl Shape {
    /// The shape of a job that exists only on trial.
    pub(crate) fn on_trial(
        spec: &Arc<JobSpec>,
        stay: Stay,
        catalog: &Catalog,
        capacity: &Capacity,
    ) -> Shape {
        let mut constraints = Constraints::default();
        Shape::new(spec, stay, catalog, capacity, &mut constraints)
    }

    fn new(
        spec: &Arc<JobSpec>,
        stay: Stay,
        catalog: &Catalog,
        capacity: &Capacity,
        constraints: &mut Constraints,
    ) -> Shape {
        Shape {
            demand: Arc::new(Demand::new(spec, catalog, capacity)),
            spec: Arc::clone(spec),
            eligible: constraints.looks(&spec.constraint, capacity),
            stay,
            pin: None,
            jobs: 1,
        }
    }

    fn is_for(&self, spec: &JobSpec, stay: Stay) -> bool {
        self.stay == stay && is_same(&self.spec, spec)
    }

    /// A job that has it; the only one if it is pinned.
    pub(crate) fn spec(&self) -> &JobSpec {
        &self.spec
    }

    /// The booking its jobs run in.
    pub(crate) fn booking(&self) -> Option<&Name> {
        self.spec.booking.as_ref()
    }
}

/// All shapes in use.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    shapes: Dense<ShapeId, Option<Shape>>,
    by_hash: FxHashMap<u64, SmallVec<[ShapeId; 1]>>,
    vacant: Vec<ShapeId>,
    constraints: Constraints,
}

impl Shapes {
    pub(crate) fn new() -> Shapes {
        Shapes {
            shapes: Dense::new(),
            by_hash: FxHashMap::default(),
            vacant: Vec::new(),
            constraints: Constraints::default(),
        }
    }

    pub(crate) fn get(&self, id: ShapeId) -> &Shape {
        self.shapes[id].as_ref().expect("a shape lives as long as a job has it")
    }

    /// The shape of a validated job, for one job more.
    pub(crate) fn intern(
        &mut self,
        spec: &Arc<JobSpec>,
        stay: Stay,
        catalog: &Catalog,
        capacity: &Capacity,
    ) -> ShapeId {
        let hash = hash(spec, stay);
        let found = self
            .by_hash
            .get(&hash)
            .and_then(|ids| ids.iter().copied().find(|&id| self.get(id).is_for(spec, stay)));
        if let Some(id) = found {
            self.shapes[id].as_mut().expect("a found shape is there").jobs += 1;
            return id;
        }
        let shape = Shape::new(spec, stay, catalog, capacity, &mut self.constraints);
        let id = self.add(shape);
        self.by_hash.entry(hash).or_default().push(id);
        id
    }

    /// The shape of a suspended job, which only its own place will do for. The caller releases
    /// it when the job is not suspended any more.
    pub(crate) fn pin(
        &mut self,
        id: ShapeId,
        (spec, pin, stay): (&Arc<JobSpec>, Pin, Stay),
        capacity: &Capacity,
    ) -> ShapeId {
        let shape = self.get(id);
        // An elastic job comes back with as many tasks as it had.
        let mut tasks: SmallVec<[u32; 1]> = SmallVec::from_elem(0, shape.demand.groups.len());
        pin.iter().for_each(|(_, task)| tasks[usize::from(task.group)] += 1);
        let mut demand = shape.demand.with_tasks(&tasks);
        demand.keep_only(&capacity.models_of(&pin, demand.groups.len()));
        // It may have grown beyond the one node that its fewest tasks fit on.
        demand.one_node &= pin.iter().all(|(node, _)| *node == pin[0].0);
        let pinned = Shape {
            demand: Arc::new(demand),
            spec: Arc::clone(spec),
            eligible: Looks::default(),
            stay,
            pin: Some(pin),
            jobs: 1,
        };
        self.add(pinned)
    }

    fn add(&mut self, shape: Shape) -> ShapeId {
        match self.vacant.pop() {
            Some(id) => {
                self.shapes[id] = Some(shape);
                id
            }
            None => self.shapes.push(Some(shape)),
        }
    }

    /// One job less has the shape; the last one takes it along, which is returned.
    pub(crate) fn release(&mut self, id: ShapeId) -> bool {
        let shape = self.shapes[id].as_mut().expect("a released shape is there");
        shape.jobs -= 1;
        if shape.jobs > 0 {
            return false;
        }
        let (hash, is_pinned) = (hash(&shape.spec, shape.stay), shape.pin.is_some());
        self.shapes[id] = None;
        self.vacant.push(id);
        if is_pinned {
            return true;
        }
        let ids = self.by_hash.get_mut(&hash).expect("a shape in use is found by its hash");
        ids.retain(|other| *other != id);
        if ids.is_empty() {
            self.by_hash.remove(&hash);
        }
        true
    }

    /// A model has appeared in the cluster: there are more alternatives.
    pub(crate) fn model_appeared(&mut self, catalog: &Catalog, capacity: &Capacity) {
        for key in self.shapes.keys() {
            if let Some(shape) = self.shapes[key].as_mut().filter(|shape| shape.pin.is_none()) {
                shape.demand = Arc::new(Demand::new(&shape.spec, catalog, capacity));
            }
        }
    }

    /// Looks at a node anew for every shape that has a constraint.
    pub(crate) fn node_changed(&mut self, id: NodeId, node: &NodeSpec, capacity: &Capacity) {
        self.constraints.node_changed(id, node);
        for key in self.shapes.keys() {
            if let Some(shape) = &mut self.shapes[key]
                && !shape.eligible.is_empty()
            {
                shape.eligible = self.constraints.looks(&shape.spec.constraint, capacity);
            }
        }
    }
}

fn hash(spec: &JobSpec, stay: Stay) -> u64 {
    let mut hasher = FxHasher::default();
    for group in &spec.groups {
        group.tasks.min.hash(&mut hasher);
        group.task.hash(&mut hasher);
    }
    spec.topology.hash(&mut hasher);
    spec.constraint.hash(&mut hasher);
    (&spec.booking, stay).hash(&mut hasher);
    hasher.finish()
}

fn is_same(one: &JobSpec, other: &JobSpec) -> bool {
    one.groups.len() == other.groups.len()
        && (one.groups.iter().zip(&other.groups))
            .all(|(a, b)| a.tasks.min == b.tasks.min && a.task == b.task)
        && one.topology == other.topology
        && one.constraint == other.constraint
        && one.booking == other.booking
}
