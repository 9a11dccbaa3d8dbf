//! Bookings in the shadow: which last, and whom they concern.

use muster_model::{Booking, JobSpec, Leftovers, Millis, NodeSpec, Order, Rung, Time};

use super::{Job, Shadow};

impl Shadow {
    /// Bookings that are not over and take a node, with when they were made.
    pub(crate) fn bookings_of<'s>(
        &'s self,
        node: &'s NodeSpec,
    ) -> impl Iterator<Item = &'s (Booking, Time)> {
        let now = self.now;
        let lasts = move |booking: &Booking| booking.end.is_none_or(|end| end > now);
        let bookings = self.bookings.values();
        bookings.filter(move |(booking, _)| lasts(booking) && booking.covers(node))
    }

    /// Whether jobs like this give up their GPUs whenever they are asked.
    pub(crate) fn yields(&self, spec: &JobSpec) -> bool {
        let policy = &self.cluster.policy;
        let is_filler = self.class(spec).is_some_and(|class| class.filler);
        let may_end = spec.checkpoint.rungs.iter().any(|cost| cost.rung == Rung::Requeue);
        policy.pausing.on
            && !matches!(policy.order, Order::Fifo | Order::Sjf | Order::Fair)
            && (may_end || (is_filler && spec.requeue.when_lost))
    }

    /// Whether jobs stay equally long as far as bookings care.
    pub(crate) fn stays_alike(&self, one: &JobSpec, other: &JobSpec) -> bool {
        let stay = |spec: &JobSpec| (self.limit_of(spec), self.yields(spec));
        self.bookings.is_empty() || stay(one) == stay(other)
    }

    /// Whether a booking starts where a job may not be, and the job is one to be stopped for it.
    pub(crate) fn has_to_go(&self, job: &Job) -> bool {
        let grace = self.cluster.policy.stop_grace;
        let nodes = job.run.iter().flat_map(|run| run.parts.keys());
        let specs = nodes.filter_map(|id| self.nodes.get(id)).map(|node| &node.spec);
        specs.flat_map(|spec| self.bookings_of(spec)).any(|(booking, _)| {
            let is_requeued = booking.leftovers == Leftovers::Requeue && job.spec.requeue.when_lost;
            !booking.is_for(&job.spec)
                && booking.start <= self.now + grace
                && (is_requeued || self.yields(&job.spec))
        })
    }

    /// How long an attempt that starts or goes on now may run, at most.
    pub(crate) fn limit_left(&self, job: &Job) -> Millis {
        let ran = job.run.as_ref().filter(|run| !run.holds).map_or(Millis::ZERO, |run| run.ran);
        self.limit_of(&job.spec).saturating_sub(ran)
    }
}
