//! Counts what tasks use while the agent works: when GPUs are read, and what has been told of it.

use std::time::{SystemTime, UNIX_EPOCH};

use muster_api::usage::UsageSpan;

use crate::clock;
use crate::gauge::Gauge;
use crate::meter::{Meter, READ_MS};
use crate::mind::Mind;

/// The meter, its readings, and what is on its way to the server.
pub(crate) struct Counting {
    meter: Meter,
    gauge: Gauge,
    read_at_ms: u64,
    /// Milliseconds from the start of this machine's clock to 1970: spans are told in the time of
    /// people and measured by a clock that nobody sets.
    offset_ms: u64,
    on_its_way: Vec<UsageSpan>,
}

impl Counting {
    pub(crate) fn new(gauge: Gauge) -> Counting {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let wall_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let offset_ms = wall_ms.saturating_sub(clock::boot_ms());
        let (meter, on_its_way) = (Meter::default(), Vec::new());
        Counting { meter, gauge, read_at_ms: 0, offset_ms, on_its_way }
    }

    /// Something has changed, or it is time to look.
    pub(crate) fn count(&mut self, now_ms: u64, mind: &Mind) {
        if now_ms >= self.read_at_ms {
            self.read_at_ms = now_ms + READ_MS;
            self.gauge.read(now_ms);
        }
        self.gauge.attend(mind.held().map(|(of, _)| of));
        let busy = |of, gpu| self.gauge.busy(of, gpu);
        self.meter.observe(now_ms + self.offset_ms, mind.held(), busy);
    }

    /// When the GPUs are to be read; never while nobody holds any.
    pub(crate) fn due_ms(&self, mind: &Mind) -> Option<u64> {
        mind.held().next().map(|_| self.read_at_ms)
    }

    /// What to tell. Nothing else is told before it is known what became of it.
    pub(crate) fn tell(&mut self) -> Vec<UsageSpan> {
        if self.on_its_way.is_empty() {
            self.on_its_way = self.meter.take();
        }
        self.on_its_way.clone()
    }

    pub(crate) fn told(&mut self) {
        self.on_its_way.clear();
    }

    pub(crate) fn not_told(&mut self) {
        self.meter.give_back(std::mem::take(&mut self.on_its_way));
    }
}
