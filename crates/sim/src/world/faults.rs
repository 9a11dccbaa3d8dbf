//! What may go wrong in a virtual cluster, and how often. Chances are in thousandths.

use muster_model::Millis;

/// The chances of each kind of mishap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// About so often something may happen to a node, a user or the clock.
    pub every: Millis,
    /// A node is cut off; its lease runs.
    pub cut_off: u32,
    /// All nodes of a domain are cut off at once.
    pub cut_off_domain: u32,
    /// Trouble comes to the node that has had most of it, rather than to any.
    pub same_node: u32,
    /// A node's agent restarts; its tasks go on.
    pub restart: u32,
    /// An operator drains a node, or lets work on it again.
    pub drain: u32,
    /// A GPU reports errors, or is well again.
    pub health: u32,
    /// A user cancels, holds, releases or requeues a job.
    pub request: u32,
    /// The clock that the engine is shown stands still for a while.
    pub stand_still: u32,
    /// A report of long ago is sent again.
    pub replay: u32,
    /// A launch is refused.
    pub refuse: u32,
    /// A launch hangs until it is stopped.
    pub hang: u32,
    /// A task ends early with an error.
    pub crash: u32,
    /// A report is late, perhaps later than the next one.
    pub late: u32,
    /// A report is sent twice.
    pub twice: u32,
    /// A single step is stamped with an earlier time.
    pub step_back: u32,
}

impl Faults {
    /// Nothing goes wrong.
    pub const NONE: Faults = Faults {
        every: Millis::minutes(1),
        cut_off: 0,
        cut_off_domain: 0,
        same_node: 0,
        restart: 0,
        drain: 0,
        health: 0,
        request: 0,
        stand_still: 0,
        replay: 0,
        refuse: 0,
        hang: 0,
        crash: 0,
        late: 0,
        twice: 0,
        step_back: 0,
    };

    /// Everything goes wrong, some of it all the time.
    pub const HARSH: Faults = Faults {
        every: Millis::seconds(40),
        cut_off: 150,
        cut_off_domain: 40,
        same_node: 0,
        restart: 100,
        drain: 80,
        health: 150,
        request: 200,
        stand_still: 40,
        replay: 200,
        refuse: 80,
        hang: 20,
        crash: 50,
        late: 150,
        twice: 150,
        step_back: 50,
    };

    /// Nodes break, one of them far more often than the others, and little else goes wrong.
    pub const BREAKING: Faults = Faults {
        every: Millis::minutes(4),
        cut_off: 250,
        cut_off_domain: 60,
        same_node: 300,
        restart: 20,
        health: 30,
        request: 30,
        refuse: 10,
        crash: 20,
        late: 50,
        twice: 50,
        ..Faults::NONE
    };

    /// The same kinds, each so many thousandths as often.
    #[must_use]
    pub fn scaled(self, thousandths: u32) -> Faults {
        let scale = |chance: u32| (chance * thousandths / 1000).min(1000);
        Faults {
            every: self.every,
            cut_off: scale(self.cut_off),
            cut_off_domain: scale(self.cut_off_domain),
            same_node: scale(self.same_node),
            restart: scale(self.restart),
            drain: scale(self.drain),
            health: scale(self.health),
            request: scale(self.request),
            stand_still: scale(self.stand_still),
            replay: scale(self.replay),
            refuse: scale(self.refuse),
            hang: scale(self.hang),
            crash: scale(self.crash),
            late: scale(self.late),
            twice: scale(self.twice),
            step_back: scale(self.step_back),
        }
    }
}
