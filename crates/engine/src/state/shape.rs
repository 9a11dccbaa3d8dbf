//! Shapes: everything placement looks at in a job. Jobs of one shape are interchangeable to
//! the placer, so one failure speaks for all of them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use muster_model::{Constraint, Expression, JobSpec, NodeId, NodeSpec};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::dense::{Dense, ShapeId};
use crate::state::capacity::Capacity;
use crate::state::catalog::Catalog;
use crate::state::demand::Demand;

/// A shape in use.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) demand: Arc<Demand>,
    /// A job that has it; shapes are compared by their specs.
    spec: Arc<JobSpec>,
    /// The nodes its constraint lets in, pickiest look first; empty without one.
    pub(crate) eligible: Vec<(Picky, FixedBitSet)>,
    /// Jobs that have it and are not over.
    jobs: u32,
}

impl Shape {
    /// The shape of a validated job.
    pub(crate) fn new(spec: &Arc<JobSpec>, catalog: &Catalog, capacity: &Capacity) -> Shape {
        Shape {
            demand: Arc::new(Demand::new(spec, catalog, capacity)),
            spec: Arc::clone(spec),
            eligible: eligible(&spec.constraint, capacity),
            jobs: 1,
        }
    }
}

/// All shapes in use.
#[derive(Debug)]
pub(crate) struct Shapes {
    shapes: Dense<ShapeId, Option<Shape>>,
    by_hash: FxHashMap<u64, SmallVec<[ShapeId; 1]>>,
    vacant: Vec<ShapeId>,
}

impl Shapes {
    pub(crate) fn new() -> Shapes {
        Shapes { shapes: Dense::new(), by_hash: FxHashMap::default(), vacant: Vec::new() }
    }

    pub(crate) fn get(&self, id: ShapeId) -> &Shape {
        self.shapes[id].as_ref().expect("a shape lives as long as a job has it")
    }

    /// The shape of a validated job, for one job more.
    pub(crate) fn intern(
        &mut self,
        spec: &Arc<JobSpec>,
        catalog: &Catalog,
        capacity: &Capacity,
    ) -> ShapeId {
        let hash = hash(spec);
        let found = self
            .by_hash
            .get(&hash)
            .and_then(|ids| ids.iter().copied().find(|&id| is_same(&self.get(id).spec, spec)));
        if let Some(id) = found {
            self.shapes[id].as_mut().expect("a found shape is there").jobs += 1;
            return id;
        }
        let shape = Shape::new(spec, catalog, capacity);
        let id = match self.vacant.pop() {
            Some(id) => {
                self.shapes[id] = Some(shape);
                id
            }
            None => self.shapes.push(Some(shape)),
        };
        self.by_hash.entry(hash).or_default().push(id);
        id
    }

    /// One job less has the shape; the last one takes it along, which is returned.
    pub(crate) fn release(&mut self, id: ShapeId) -> bool {
        let shape = self.shapes[id].as_mut().expect("a released shape is there");
        shape.jobs -= 1;
        if shape.jobs > 0 {
            return false;
        }
        let hash = hash(&shape.spec);
        self.shapes[id] = None;
        self.vacant.push(id);
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
            if let Some(shape) = &mut self.shapes[key] {
                shape.demand = Arc::new(Demand::new(&shape.spec, catalog, capacity));
            }
        }
    }

    /// Looks at a node anew for every shape that has a constraint.
    pub(crate) fn node_changed(&mut self, id: NodeId, node: &NodeSpec) {
        for key in self.shapes.keys() {
            let Some(shape) = &mut self.shapes[key] else { continue };
            let constraint = &shape.spec.constraint;
            for (picky, set) in &mut shape.eligible {
                set.grow(id.index() + 1);
                set.set(id.index(), lets_in(constraint, *picky, node));
            }
        }
    }
}

/// How picky one look at the nodes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picky {
    /// Only what is preferred, and nothing that is avoided.
    Wish,
    /// Nothing that is avoided.
    NotAvoided,
    /// All that meets the requirement.
    Required,
}

/// The looks that differ for a constraint, pickiest first; none without a constraint.
fn looks(constraint: &Constraint) -> &'static [Picky] {
    match (&constraint.require, &constraint.prefer, &constraint.avoid) {
        (None, None, None) => &[],
        (Some(_), None, None) => &[Picky::Required],
        (_, Some(_), None) => &[Picky::Wish, Picky::Required],
        (_, None, Some(_)) => &[Picky::NotAvoided, Picky::Required],
        (_, Some(_), Some(_)) => &[Picky::Wish, Picky::NotAvoided, Picky::Required],
    }
}

fn eligible(constraint: &Constraint, capacity: &Capacity) -> Vec<(Picky, FixedBitSet)> {
    let look = |&picky: &Picky| {
        let mut set = FixedBitSet::with_capacity(capacity.nodes.len());
        for (id, node) in capacity.nodes.iter() {
            set.set(id.index(), lets_in(constraint, picky, &node.spec));
        }
        (picky, set)
    };
    looks(constraint).iter().map(look).collect()
}

fn lets_in(constraint: &Constraint, picky: Picky, node: &NodeSpec) -> bool {
    let holds = |expression: &Option<Expression>, otherwise| {
        expression.as_ref().map_or(otherwise, |expression| expression.matches(node))
    };
    holds(&constraint.require, true)
        && (picky != Picky::Wish || holds(&constraint.prefer, true))
        && (picky == Picky::Required || !holds(&constraint.avoid, false))
}

fn hash(spec: &JobSpec) -> u64 {
    let mut hasher = FxHasher::default();
    for group in &spec.groups {
        group.tasks.min.hash(&mut hasher);
        group.task.hash(&mut hasher);
    }
    spec.topology.hash(&mut hasher);
    spec.constraint.hash(&mut hasher);
    hasher.finish()
}

fn is_same(one: &JobSpec, other: &JobSpec) -> bool {
    one.groups.len() == other.groups.len()
        && (one.groups.iter().zip(&other.groups))
            .all(|(a, b)| a.tasks.min == b.tasks.min && a.task == b.task)
        && one.topology == other.topology
        && one.constraint == other.constraint
}
