//! What has happened in the virtual cluster, and what is the case now.

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::bench) struct Counts {
    /// Gangs placed; one that goes on where it was suspended is not placed again.
    pub(in crate::bench) placements: u64,
    /// Those of them that the service floor placed.
    pub(in crate::bench) floor_placements: u64,
    /// Milli-GPUs of all gangs placed.
    pub(in crate::bench) milli_placed: u64,
    /// Milli-GPUs in use now.
    pub(in crate::bench) milli_busy: u64,
    /// Milli-GPUs of all jobs that hold nothing now.
    pub(in crate::bench) milli_waiting: u64,
    /// Jobs that were asked to give way, by any rung.
    pub(in crate::bench) pauses: u64,
    /// Those of them that were ended at once, to start again.
    pub(in crate::bench) requeues: u64,
    /// Suspended jobs that were put back on their GPUs.
    pub(in crate::bench) resumes: u64,
    /// Steps in which others were asked to make room, mostly for one.
    pub(in crate::bench) plans: u64,
    /// Rooms that were owed to a guarantee, as far as they were seen.
    pub(in crate::bench) reclaims: u64,
    /// Saves that jobs reported.
    pub(in crate::bench) saves: u64,
    /// Changes of size that nodes carried out.
    pub(in crate::bench) resizes: u64,
    /// Jobs that began to give up what they held, for whatever reason.
    pub(in crate::bench) asked: u64,
}

impl Counts {
    /// What has happened since an earlier moment, with what is the case now.
    pub(in crate::bench) fn since(self, before: Counts) -> Counts {
        Counts {
            placements: self.placements - before.placements,
            floor_placements: self.floor_placements - before.floor_placements,
            milli_placed: self.milli_placed - before.milli_placed,
            pauses: self.pauses - before.pauses,
            requeues: self.requeues - before.requeues,
            resumes: self.resumes - before.resumes,
            plans: self.plans - before.plans,
            reclaims: self.reclaims - before.reclaims,
            saves: self.saves - before.saves,
            resizes: self.resizes - before.resizes,
            asked: self.asked - before.asked,
            ..self
        }
    }
}
